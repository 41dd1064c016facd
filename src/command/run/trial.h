/* One kernel on one device: its buffers between guard words, a launch, and what it left. */
#ifndef TEENY_COMMAND_RUN_TRIAL_H
#define TEENY_COMMAND_RUN_TRIAL_H

#include "command/run/options.h"

/* Starts as all zero; trial_close frees what there is of it. */
typedef struct trial {
    const arguments *arguments;
    teeny_device *device;
    teeny_stream *stream;
    teeny_function *function;
    size_t guard;           /* bytes in front of each buffer, and behind it */
    teeny_buffer **buffers; /* of each argument; NULL for scalars */
    char **results;         /* of each argument: guard, elements, guard */
    char *packed;
    size_t packed_size;
    teeny_grid grid;
} trial;

/* Opens the device and loads the kernel, with the options that are for any device. False after a
 * message. */
bool trial_open(
    const char *device, const teeny_kernel *kernel, const run_options *options, trial *out_trial);

/* Makes the buffers for checked arguments, and fills them with `contents`, of each argument. */
bool trial_prepare(trial *trial, const arguments *arguments, char *const *contents);

/* Launches once, waits, and reads the buffers back into `results`. */
bool trial_run(trial *trial);

/* Whether the words around every buffer are as they were; says where one is not. */
bool trial_check_guards(const trial *trial);

/* The elements of an argument after trial_run. */
static inline const char *trial_result(const trial *trial, int argument)
{
    return trial->results[argument] + trial->guard;
}

void trial_close(trial *trial);

/* Says what libteeny has to say about a call that failed; is false. */
bool trial_fail(void);

#endif
