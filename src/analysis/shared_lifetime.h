/* From when to when shared memory is in use: program points of a function, numbered.
 *
 * Points follow the blocks in the order of control flow. What lives at one point of a loop and was
 * made before the loop lives until the loop's end. So two buffers whose lifetimes have no point in
 * common may lie over one another.
 *
 * Works with structured control flow and with blocks. */
#ifndef TEENY_ANALYSIS_SHARED_LIFETIME_H
#define TEENY_ANALYSIS_SHARED_LIFETIME_H

#include "base/arena.h"

#include "mlir-c/IR.h"

struct shared_lifetimes;

/* Points, the last one included. */
struct lifetime {
    unsigned first, last;
};

/* Numbers the points of a tt.func. Stale once the function changes. In the arena. */
struct shared_lifetimes *shared_lifetimes_create(arena *arena, MlirOperation function);

/* The points of an operation and of those inside of it. */
struct lifetime shared_lifetime_inside(const struct shared_lifetimes *lifetimes, MlirOperation op);

/* How long the shared memory of `owner` is in use. That of a ttg.local_alloc is until its last use,
 * through any view of it. Where asynchronous copies go there and some way to the function's end
 * meets no ttg.local_dealloc, it is always: copies may be on their way wherever that leads, earlier
 * points of a loop among them. Any other operation has its memory for itself alone. */
struct lifetime shared_lifetime_of(const struct shared_lifetimes *lifetimes, MlirOperation owner);

#endif
