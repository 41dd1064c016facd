/* The 8-bit floats, of which a device knows the bits alone: as f32 and back. */
#ifndef TEENY_CODEGEN_SCALAR_F8_H
#define TEENY_CODEGEN_SCALAR_F8_H

#include "codegen/emit.h"

bool scalar_is_f8(MlirType element);

/* Exact. `value` has the bits of an `element`. */
LLVMValueRef scalar_f8_to_f32(struct emitter *emitter, MlirType element, LLVMValueRef value);

/* To nearest even; what is larger than every number, infinity too, gives the largest of its sign,
 * and NaN gives 0x7f, as NVIDIA's cvt.rn.satfinite does. */
LLVMValueRef scalar_f32_to_f8(struct emitter *emitter, MlirType element, LLVMValueRef value);

#endif
