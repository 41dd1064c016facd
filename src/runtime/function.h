/* A kernel with its options, loaded on a device; the public side is in teeny/teeny.h. */
#ifndef TEENY_RUNTIME_FUNCTION_H
#define TEENY_RUNTIME_FUNCTION_H

#include "runtime/options.h"
#include "runtime/variants.h"

#include <stdatomic.h>

struct teeny_function {
    teeny_device *device;
    const teeny_kernel *kernel;
    teeny_options *options; /* a copy; NULL: the defaults */
    size_t arguments_size;
    teeny_variant generic; /* fits any arguments */
    teeny_specialisation specialisation;
    teeny_variants variants;
    void *module;      /* keeps the library that holds the kernel loaded; may be NULL */
    bool holds_kernel; /* it is one that is counted; another's record need not live on */
    atomic_size_t references;
};

/* The function of a kernel with default options, loaded if this is its first use on the device. The
 * device keeps it until it is closed. */
teeny_status teeny_function_default(
    teeny_device *device, const teeny_kernel *kernel, teeny_function **out_function);

/* The code for these arguments. The first call with arguments of a kind compiles; where that fails,
 * the code that fits any is as right. Any thread, at any time. */
teeny_code *teeny_function_code(teeny_function *function, const void *arguments);

/* What the code that these arguments were launched with was compiled to. */
const teeny_artifact *teeny_function_variant_artifact(
    teeny_function *function, const void *arguments);

/* Drops one reference; the last one frees it. */
void teeny_function_release(teeny_function *function);

#endif
