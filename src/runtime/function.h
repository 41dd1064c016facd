/* A kernel with its options, loaded on a device; the public side is in teeny/teeny.h. */
#ifndef TEENY_RUNTIME_FUNCTION_H
#define TEENY_RUNTIME_FUNCTION_H

#include "runtime/driver.h"

#include <stdatomic.h>

/* One compilation of the function. So far a function has one, which knows nothing about its
 * arguments; those that know more (DESIGN 5) will stand beside it. */
typedef struct teeny_variant {
    teeny_artifact *artifact;
    teeny_code *code;
} teeny_variant;

struct teeny_function {
    teeny_device *device;
    size_t arguments_size;
    teeny_variant generic;
    void *module; /* keeps the library that holds the kernel loaded; may be NULL */
    atomic_size_t references;
};

/* The function of a kernel with default options, loaded if this is its first use on the device. The
 * device keeps it until it is closed. */
teeny_status teeny_function_default(
    teeny_device *device, const teeny_kernel *kernel, teeny_function **out_function);

/* Drops one reference; the last one frees it. */
void teeny_function_release(teeny_function *function);

#endif
