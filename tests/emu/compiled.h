/* Files compiled by teenyc for emu, and run there: what a launch of libteeny does, for text that is
 * no kernel of this program. */
#ifndef TEENY_TESTS_EMU_COMPILED_H
#define TEENY_TESTS_EMU_COMPILED_H

#include "runtime/image.h"

#include <stddef.h>

typedef struct compiled {
    teeny_image image; /* the caller unmaps it */
    unsigned warps, shared_bytes;
} compiled;

/* The only kernel of a file; fails the test unless TEENYC_PATH compiles it. */
compiled compiled_from(const char *path, unsigned warps);

/* A pointer parameter: the host's array that stands for it, and its place in the arguments. */
typedef struct compiled_array {
    void *data;
    size_t size;
    void **parameter;
} compiled_array;

/* Runs a grid with copies of the arrays in the device's memory, and copies them back. */
void compiled_run(const compiled *kernel, const void *arguments, compiled_array *arrays,
    size_t count, unsigned x, unsigned y);

#endif
