/* What the passes share: registration with MLIR, and making operations. Private to src/passes/. */
#ifndef TEENY_PASSES_PASS_SUPPORT_H
#define TEENY_PASSES_PASS_SUPPORT_H

#include "passes/passes.h"

/* False: the input is wrong, and a diagnostic says so. */
typedef bool pass_function(MlirOperation module, const struct pass_options *options);

/* A pass over whole modules that runs `function`. Each pass hands in its own `identity`, a static
 * object. `options` are copied. */
MlirPass pass_create(const void *identity, const char *name, const char *summary,
    pass_function *function, const struct pass_options *options);

MlirAttribute pass_i32_attribute(MlirContext context, int64_t value);

/* ttg.convert_layout of `value` to `encoding`, before `place`; the value itself where it has that
 * layout already, and what it was converted from where that had it. */
MlirValue pass_convert_layout_before(MlirOperation place, MlirValue value, MlirAttribute encoding);

/* The same, a conversion in any case: where the value's own layout is about to change. */
MlirValue pass_make_convert_layout(MlirOperation place, MlirValue value, MlirAttribute encoding);

/* The operand, converted before the operation. */
void pass_convert_operand(MlirOperation op, intptr_t index, MlirAttribute encoding);

/* The result has another layout from now on; its users get the one they were promised, from a
 * conversion right after the operation. Nothing for a result that is no tile. */
void pass_convert_result(MlirOperation op, intptr_t index, MlirAttribute encoding);

/* A ranked tensor type with another encoding, all else equal. */
MlirType pass_type_with_encoding(MlirType type, MlirAttribute encoding);

/* The encoding of a tile's type; a null attribute for any other type. */
MlirAttribute pass_encoding_of(MlirType type);

/* Gives a constant tile another type of the same shape. */
void pass_constant_set_type(MlirOperation constant, MlirType type);

#endif
