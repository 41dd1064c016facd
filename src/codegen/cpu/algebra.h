/* Arithmetic on i64 and i1 values for address.c, which leaves out what is trivial: NULL is 0 as a
 * number and true as a condition. Private to the CPU path. */
#ifndef TEENY_CODEGEN_CPU_ALGEBRA_H
#define TEENY_CODEGEN_CPU_ALGEBRA_H

#include "codegen/emit.h"

LLVMValueRef algebra_add(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef algebra_subtract(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef algebra_multiply(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b);

/* `number` itself, or 0 as a constant. */
LLVMValueRef algebra_value(const struct emitter *emitter, LLVMValueRef number);

/* i1, or NULL where it is known to hold. */
LLVMValueRef algebra_compare(
    struct emitter *emitter, LLVMIntPredicate predicate, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef algebra_and(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef algebra_or(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b);

#endif
