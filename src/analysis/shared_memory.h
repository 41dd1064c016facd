/* Who needs shared memory, and where in it.
 *
 * A ttg.local_alloc keeps a buffer as long as somebody uses it; what another operation keeps there
 * lives for that operation alone. Buffers that do not live at the same time may lie over one
 * another. Those of neighbouring operations are kept apart while that costs no more memory than the
 * function needs anyway (or a few KiB): the second then need not wait until all have read the
 * first.
 *
 * A tile that is rearranged through shared memory goes there as a whole where the function has room
 * for it anyway, for what other operations keep, or where it is small (32 KiB). Otherwise it goes
 * in rounds (layout_exchange.h), as few as bring it down to that, if its layouts allow so many. The
 * buffer's bytes say which: the plan is the one that fits into them. */
#ifndef TEENY_ANALYSIS_SHARED_MEMORY_H
#define TEENY_ANALYSIS_SHARED_MEMORY_H

#include "analysis/shared_lifetime.h"
#include "base/arena.h"

#include "mlir-c/IR.h"

#include <stdbool.h>

struct shared_buffer {
    MlirOperation owner;
    struct lifetime lifetime;
    unsigned number; /* from 0 on, in program order */
    unsigned offset, bytes;
    struct shared_buffer *next; /* in program order */
};

struct shared_memory;

/* The buffers of a tt.func in ttg form. Stale once the function changes. In the arena. */
struct shared_memory *shared_memory_create(arena *arena, MlirOperation function);

/* NULL where the operation needs none. */
const struct shared_buffer *shared_memory_of(const struct shared_memory *shared, MlirOperation op);

/* The buffer that a !ttg.memdesc is a view of; NULL where that cannot be told. */
const struct shared_buffer *shared_memory_behind(
    const struct shared_memory *shared, MlirValue memory);

/* Whether the operation makes a !ttg.memdesc from another: its operand 0. */
bool shared_memory_is_view(MlirOperation op);

/* The points of an operation and of those inside of it, to compare with lifetimes. */
struct lifetime shared_memory_points_of(const struct shared_memory *shared, MlirOperation op);

/* The first of all buffers; NULL where there are none. */
const struct shared_buffer *shared_memory_first(const struct shared_memory *shared);
unsigned shared_memory_count(const struct shared_memory *shared);

/* Of a program. */
unsigned shared_memory_bytes(const struct shared_memory *shared);

/* What a ttg.local_alloc of this type takes. */
unsigned shared_memory_bytes_of_type(MlirType type);

#endif
