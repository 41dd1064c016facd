/* A loop whose loads run ahead of it. Private to src/passes/.
 *
 * With n stages each such load has a ring of n tiles in shared memory, and runs n - 1 rounds ahead:
 *
 *     before the loop:   copy the tiles of rounds 0 .. n - 2, a group of copies each
 *     round i:           wait for the group of round i (the n - 2 last ones may be under way)
 *                        copy the tiles of round i + n - 1 over those of round i - 1
 *                        the round itself, which reads its tiles from the ring
 *     after the loop:    wait for all copies
 *
 * What a load's address and mask need is computed n - 1 rounds ahead likewise, from a counter and
 * carried values of its own. Rounds that the loop does not have copy nothing: their masks are
 * false. Whether there is a next round is asked without computing its counter, which may not fit
 * its type.
 */
#ifndef TEENY_PASSES_PIPELINED_LOOP_H
#define TEENY_PASSES_PIPELINED_LOOP_H

#include "passes/pipelined_loads.h"

/* Puts a pipelined loop in place of an scf.for with a signed counter, which is gone then. `loads`
 * are its own, one or more; `stages` is 2 or more. */
void pipelined_loop_build(
    arena *arena, MlirOperation loop, const struct pipelined_loads *loads, unsigned stages);

#endif
