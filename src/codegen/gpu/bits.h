/* Elements as the bits that registers and memory carry. */
#ifndef TEENY_CODEGEN_GPU_BITS_H
#define TEENY_CODEGEN_GPU_BITS_H

#include "codegen/emit.h"

/* An element as an integer of its size in memory (8 to 64 bits), and back. */
LLVMValueRef gpu_element_to_bits(struct emitter *emitter, MlirType element, LLVMValueRef value);
LLVMValueRef gpu_element_from_bits(struct emitter *emitter, MlirType element, LLVMValueRef bits);

/* `count` elements, a power of two, as one integer, the first in the lowest bits; and back. Above
 * 64 bits it is a vector of i32. */
LLVMValueRef gpu_pack(
    struct emitter *emitter, MlirType element, const LLVMValueRef *values, unsigned count);
void gpu_unpack(struct emitter *emitter, MlirType element, LLVMValueRef packed,
    LLVMValueRef *out_values, unsigned count);

/* The type of gpu_pack()'s value. */
LLVMTypeRef gpu_packed_type(const struct emitter *emitter, unsigned bytes);

#endif
