/* The region of tt.reduce, emitted in place once for each pair of elements, on every device. */
#ifndef TEENY_CODEGEN_COMBINATION_H
#define TEENY_CODEGEN_COMBINATION_H

#include "codegen/lowering.h"

/* Lowers one operation on scalars. False after an error. */
typedef bool combination_function(struct lowering *lowering, MlirOperation op);

/* out = combine(left, right), one value a reduced tile. `out` may be one of the others. The region
 * may have branches: what comes after goes on in a new block then. False after an error. */
bool combination_emit(struct lowering *lowering, MlirOperation reduce, combination_function *lower,
    const LLVMValueRef *left, const LLVMValueRef *right, LLVMValueRef *out);

#endif
