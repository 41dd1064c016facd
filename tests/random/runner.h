/* What a file of random programs tells the runner (runner.c) about each of them. */
#ifndef TEENY_RANDOM_RUNNER_H
#define TEENY_RANDOM_RUNNER_H

#include <teeny/teeny.h>
#include <teeny/types.h>

/* The buffers of a program, one for each element. */
enum {
    RANDOM_bool,
    RANDOM_i8,
    RANDOM_i16,
    RANDOM_i32,
    RANDOM_i64,
    RANDOM_u8,
    RANDOM_u16,
    RANDOM_u32,
    RANDOM_u64,
    RANDOM_f32,
    RANDOM_f64,
    RANDOM_BUFFERS
};

/* A program twice: `launch` starts the kernel on device memory, `reference` does the same on host
 * memory, all programs of the grid one after another. */
struct random_program {
    const char *name;
    u64 seed; /* of what the buffers hold */
    teeny_status (*launch)(teeny_stream *stream, void *const *buffers);
    void (*reference)(void *const *buffers);
};

extern const struct random_program random_programs[]; /* the last one has no name */

#endif
