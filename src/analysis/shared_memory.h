/* Who needs shared memory, and where in it.
 *
 * What an operation keeps there lives for that operation alone, so buffers may lie over one
 * another. Neighbours are kept apart while that costs no more memory than the largest needs anyway
 * (or a few KiB): the second then need not wait until all have read the first. */
#ifndef TEENY_ANALYSIS_SHARED_MEMORY_H
#define TEENY_ANALYSIS_SHARED_MEMORY_H

#include "base/arena.h"

#include "mlir-c/IR.h"

struct shared_buffer {
    MlirOperation owner;
    unsigned offset, bytes;
    struct shared_buffer *next; /* in program order */
};

struct shared_memory;

/* The buffers of a tt.func in ttg form. Stale once the function changes. In the arena. */
struct shared_memory *shared_memory_create(arena *arena, MlirOperation function);

/* NULL where the operation needs none. */
const struct shared_buffer *shared_memory_of(const struct shared_memory *shared, MlirOperation op);

/* The first of all buffers; NULL where there are none. */
const struct shared_buffer *shared_memory_first(const struct shared_memory *shared);

/* Of a program. */
unsigned shared_memory_bytes(const struct shared_memory *shared);

#endif
