/* Divisors that were made safe.
 *
 * The frontend divides by 1 where C says nothing of the result, or where hardware would trap:
 *
 *     %d = arith.select (n == 0), 1, n              %q = arith.divsi a, %e
 *     %e = arith.select (a == MIN and n == -1), 1, %d
 *
 * Of such a divisor all is known that is known of n. If n is 0 the quotient is unspecified, and
 * facts may say anything. If it is -1, what is known of n is true of -1: no power of two divides
 * it, and a range that holds -1 tells nothing about quotients.
 *
 * This is what a division may go by. The choice itself is not as constant as n: its condition is
 * about a, too.
 */
#ifndef TEENY_ANALYSIS_DIVISOR_GUARD_H
#define TEENY_ANALYSIS_DIVISOR_GUARD_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/* Whether the arith.select is such a choice between 1 and its last operand, and is used as a
 * divisor alone. */
bool divisor_guard_is(MlirOperation select);

#endif
