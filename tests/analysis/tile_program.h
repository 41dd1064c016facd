/* Random programs over integer and pointer tiles, and what they compute: the oracle of
 * axis_info_fuzz.c. */
#ifndef TEENY_TESTS_ANALYSIS_TILE_PROGRAM_H
#define TEENY_TESTS_ANALYSIS_TILE_PROGRAM_H

#include "base/arena.h"
#include "dialect/dialect.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* xorshift64*: the same numbers on every machine. */
struct random_source {
    uint64_t state;
};
uint64_t random_next(struct random_source *random);
unsigned random_below(struct random_source *random, unsigned limit);

/* Writes one function, in the arena. Arguments carry tt.divisibility; every value that it makes is
 * seen by a tt.store with an attribute `watch`, a number of its own. */
const char *tile_program_write(struct random_source *random, arena *arena);

/* The elements of a value in row-major order, each of 64 bits with its sign extended. */
struct tile_value {
    unsigned count;
    int64_t *elements;
    bool *unspecified; /* by a division by zero or too large a shift */
};

/* One run of a tt.store. */
struct tile_observation {
    struct tile_observation *next;
    int64_t watch;
    struct tile_value pointer, stored;
};

/* Runs the function with these arguments, one a parameter. The newest observation comes first. A
 * run that depends on an unspecified value ends there; so does one that meets an operation that it
 * does not know, which it names in `out_unknown` (NULL else). */
struct tile_observation *tile_program_run(
    arena *arena, MlirOperation function, const int64_t *arguments, const char **out_unknown);

#endif
