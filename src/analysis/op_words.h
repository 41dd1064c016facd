/* The one table of what a C programmer wrote for an operation of MLIR: what messages call it. */
#ifndef TEENY_ANALYSIS_OP_WORDS_H
#define TEENY_ANALYSIS_OP_WORDS_H

#include "base/arena.h"

#include "mlir-c/IR.h"

/* "tl_dot", "'+'", "a comparison". NULL for what no kernel's text says: what the compiler puts in,
 * and what only modules of other compilers hold. A string literal. */
const char *op_words(MlirOperation op);

/* A tile or a scalar as the language says it: "f32[128,64]"; pointers are addresses. In the arena.
 */
const char *op_words_of_type(arena *arena, MlirType type);

#endif
