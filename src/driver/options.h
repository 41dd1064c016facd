/* teenyc's command line. */
#ifndef TEENY_DRIVER_OPTIONS_H
#define TEENY_DRIVER_OPTIONS_H

#include <stdbool.h>

#include "base/arena.h"
#include "driver/stages.h"
#include "frontend/source.h"

typedef struct option_info {
    const char *name;     /* with dashes: "num-warps" */
    char letter;          /* or 0 */
    const char *argument; /* or "" */
    const char *summary;
} option_info;

extern const option_info option_infos[];
extern const size_t num_option_infos;

typedef struct driver_options {
    const char *input; /* NULL: none */
    const char *kernel;
    const char *target; /* NULL: none */
    source_settings settings;
    unsigned num_warps;
    unsigned num_stages;
    const char *specialise;   /* the first; NULL: nothing is known about arguments */
    const char **specialises; /* all that were given */
    size_t num_specialises;
    unsigned ptx_version; /* 80 for 8.0; 0: the target's default */
    bool emits[STAGE_COUNT];
    unsigned num_emits;
    bool embeds[STAGE_COUNT]; /* ptx, cubin: what --emit c holds for GPUs */
    const char *name;         /* that --emit c gives the kernel; NULL: its own */
    const char *output;
    const char *depfile;                /* NULL: none */
    const char *overrides[STAGE_COUNT]; /* files, or NULL */
    const char *print_after;
    const char *test_fault;
    const char *list;
    bool debug;
    bool check;
    bool remarks;
    bool time;
    bool version;
    bool help;
} driver_options;

/* False after a message on standard error that says what is wrong and how to get help. */
bool options_parse(arena *arena, int count, char **words, driver_options *out_options);

/* Prints the options, a line each. */
void options_print(FILE *out);

#endif
