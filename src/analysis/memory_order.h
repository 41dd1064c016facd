/* Where program order needs a barrier.
 *
 * A program's accesses to memory happen in program order for every element, but the elements of a
 * tile lie in many threads. So between two accesses that may touch the same place, one of them a
 * write, every thread must have made the first before any makes the second.
 *
 * Of global memory this analysis knows nothing yet: any two accesses may meet. Of shared memory it
 * knows who keeps what where. An operation that keeps something for itself writes it, meets a
 * barrier of its own, and reads it, perhaps in several rounds with barriers between; so before it
 * all must have read what lies there, and after it nothing older is open. Tiles of ttg.local_alloc
 * are one place each, however many tiles they hold.
 *
 * An asynchronous copy writes some time between its beginning and a wait of its thread. In between
 * nobody may touch what it writes, with or without a barrier, so accesses there are to other tiles
 * of the same buffer and need none. With the wait it becomes a write like any other.
 *
 * Wants blocks and branches (after scf-to-cf).
 */
#ifndef TEENY_ANALYSIS_MEMORY_ORDER_H
#define TEENY_ANALYSIS_MEMORY_ORDER_H

#include "analysis/shared_memory.h"
#include "base/arena.h"

#include "mlir-c/IR.h"

#include <stdbool.h>

struct memory_order;

/* The analysis of a tt.func. Stale once the function changes. In the arena. */
struct memory_order *memory_order_create(
    arena *arena, MlirOperation function, const struct shared_memory *shared);

/* Whether all threads must meet right before the operation. */
bool memory_order_needs_barrier(const struct memory_order *order, MlirOperation op);

#endif
