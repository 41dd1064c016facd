/* The calls of libteeny that are told of: to the log, and to hooks. */
#ifndef TEENY_RUNTIME_OBSERVE_CALLS_H
#define TEENY_RUNTIME_OBSERVE_CALLS_H

#include "runtime/function.h"
#include "runtime/observe/hooks.h"

/* The driver's code_load. */
teeny_status teeny_code_load(
    teeny_device *device, const teeny_artifact *artifact, teeny_code **out_code);

/* A launch, with arguments that are not NULL. */
typedef struct teeny_launch_call {
    teeny_stream *stream;
    const teeny_kernel *kernel;
    teeny_function *function; /* NULL: the kernel's default one, which may not be loaded yet */
    teeny_grid grid;
    const teeny_launch_options *options; /* may be NULL */
    const void *arguments;
    size_t arguments_size;
} teeny_launch_call;

/* `launch` with the call, told to hooks; only where there are hooks for launches. */
teeny_status teeny_launch_observed(
    const teeny_launch_call *call, teeny_status (*launch)(const teeny_launch_call *call));

#endif
