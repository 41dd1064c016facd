/* Floating-point operations made of simpler ones, for machines where LLVM would call a library:
 * x86-64 without SSE4.1, F16C or FMA. Exact, as the operations are, except where it says so. */
#ifndef TEENY_CODEGEN_SCALAR_SOFT_H
#define TEENY_CODEGEN_SCALAR_SOFT_H

#include "codegen/emit.h"

/* f16 to f32, and f32 to f16 to nearest even. */
LLVMValueRef scalar_soft_from_half(struct emitter *emitter, LLVMValueRef half);
LLVMValueRef scalar_soft_to_half(struct emitter *emitter, LLVMValueRef value);

/* llvm.floor, llvm.ceil, llvm.trunc, llvm.roundeven of f32 or f64; NULL for another name. */
LLVMValueRef scalar_soft_round(struct emitter *emitter, const char *intrinsic, LLVMValueRef value);

/* a b + c, rounded once, of f32 or f64. For f64 only where the product lies between 2^-960 and
 * 2^1020, and both factors below 2^990, in size; else it may be rounded twice. */
LLVMValueRef scalar_soft_fma(
    struct emitter *emitter, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);

#endif
