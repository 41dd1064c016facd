/* What tt.dot computes in, on every device: i8 is multiplied in i32, f16 and bf16 in f32, f32 and
 * f64 as they are. */
#ifndef TEENY_CODEGEN_DOT_TYPES_H
#define TEENY_CODEGEN_DOT_TYPES_H

#include "codegen/emit.h"

/* The type of products and sums; null where the operation's types are not built. */
MlirType dot_computing_type(MlirOperation op);

/* The element type of operand 0, 1 (factors) or 2 (sums). */
MlirType dot_element_of(MlirOperation op, intptr_t operand);

/* A factor or a sum as a value of `element`: from the narrower type, or rounded to it. */
LLVMValueRef dot_convert(struct emitter *emitter, LLVMValueRef value, MlirType element);

#endif
