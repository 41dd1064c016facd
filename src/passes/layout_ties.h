/* How an operation ties the layouts of its operands and results together, for those that compute in
 * whatever layout they are given. Private to src/passes/. */
#ifndef TEENY_PASSES_LAYOUT_TIES_H
#define TEENY_PASSES_LAYOUT_TIES_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/* Ranges, splats, constants: they make a tile in any layout for nothing. */
bool layout_is_source(MlirOperation op);

/* Whether the operation computes in any layout: its tile operands' layouts follow from its
 * results', or the other way around. Its results agree, and so do its operands. Sources are among
 * them. */
bool layout_is_free(MlirOperation op);

/* What a free operation's tile operands have where its results have `layout`; null where no layout
 * of the operands gives that. */
MlirAttribute layout_of_operands(MlirOperation op, MlirAttribute layout);

/* What its results have where its operands have `layout`; null where none fits. */
MlirAttribute layout_of_results(MlirOperation op, MlirAttribute layout);

#endif
