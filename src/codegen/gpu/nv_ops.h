/* Emitting NVIDIA operations: the rows of base/nv_ops.def, as PTX or as calls of the emu device.
 *
 *     LLVMValueRef operands[] = {pointer};
 *     LLVMValueRef words = nv_emit(emitter, column, NV_LOAD_V2, ".global", operands);
 *     LLVMValueRef second = LLVMBuildExtractValue(builder, words, 1, "");
 */
#ifndef TEENY_CODEGEN_GPU_NV_OPS_H
#define TEENY_CODEGEN_GPU_NV_OPS_H

#include "codegen/emit.h"

#include <stdint.h>

#include "base/emu_image.h"

enum nv_column { NV_PTX, NV_EMU };

/* Emits the operation, in the column of the module's target. `modifiers` replaces %m: NULL for
 * operations without. The result is NULL where there is none, and a struct where there are several.
 *
 * For emu, the function's first parameter is its emu_thread, and the emitter's location is what
 * reports name. */
LLVMValueRef nv_emit(struct emitter *emitter, enum nv_column column, enum nv_op op,
    const char *modifiers, LLVMValueRef *operands);

#endif
