/* Giving values the layouts of the memory accesses and products that they meet. Private to
 * src/passes/. */
#ifndef TEENY_PASSES_LAYOUT_PROPAGATION_H
#define TEENY_PASSES_LAYOUT_PROPAGATION_H

#include "mlir-c/IR.h"

/* Gives every tile below `root` one layout. Loads, stores, products and all other operations that
 * do not compute in any layout (layout_ties.h) keep theirs, but for factors of multiply-adds, which
 * may come in any. What is computed from their results follows the results, and what is left
 * follows the operands that they want, through loops too, whose carried tiles change along. Where
 * the two sides of a use still differ, a ttg.convert_layout goes between. */
void layout_propagate(MlirOperation root);

#endif
