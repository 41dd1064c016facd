/* The command line of `teeny run`. */
#ifndef TEENY_COMMAND_RUN_OPTIONS_H
#define TEENY_COMMAND_RUN_OPTIONS_H

#include "command/run/arguments.h"

#include <teeny/teeny.h>

enum { MOST_PRINTS = 16 };

/* --print NAME[=COUNT] */
typedef struct print_request {
    char name[64];
    size_t most; /* elements */
} print_request;

typedef struct run_options {
    char *file;         /* owned; "-" for standard input */
    const char *kernel; /* NULL: the only one of the file */
    const char *device;
    const char *check; /* the device to compare with; NULL: cpu, "none": nothing */
    const char *grid[3];
    teeny_options compile;
    print_request prints[MOST_PRINTS];
    int print_count;
    long ulp;
    long times, warm_up;
    const char *bytes; /* that a launch moves: a number, or "auto"; NULL: not known */
    unsigned long seed;
    arguments arguments;
} run_options;

/* False: `*out_status` is the exit status, of --help too. Free the options in either case. */
bool run_options_read(int count, char **words, run_options *out_options, int *out_status);
void run_options_free(run_options *options);

#endif
