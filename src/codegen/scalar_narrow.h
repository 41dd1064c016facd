/* Floats narrower than f32 made of, and into, f32 by integer arithmetic: exact, and to nearest
 * even. */
#ifndef TEENY_CODEGEN_SCALAR_NARROW_H
#define TEENY_CODEGEN_SCALAR_NARROW_H

#include "codegen/emit.h"

struct scalar_narrow {
    unsigned width, fraction_bits, bias;
    uint32_t largest; /* the bits of the largest number; larger magnitudes are infinity and NaN */
};

/* The bits of an f32 that is the narrow magnitude. */
uint32_t scalar_narrow_as_f32(const struct scalar_narrow *format, uint32_t magnitude);

/* `value` is an integer of the format's width. */
LLVMValueRef scalar_narrow_to_f32(
    struct emitter *emitter, const struct scalar_narrow *format, LLVMValueRef value);

/* The magnitude, in an i32, of the positive f32 with the bits `size`, to nearest even; of one
 * beyond the format's exponents it is of no use. */
LLVMValueRef scalar_narrow_round(
    struct emitter *emitter, const struct scalar_narrow *format, LLVMValueRef size);

#endif
