/* See parameters.h. Every scalar is aligned to its size, which is C's rule on every host that teeny
 * knows. */
#include "codegen/parameters.h"

#include "mlir-c/BuiltinTypes.h"

static unsigned round_up(unsigned value, unsigned alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

bool parameters_read(
    const struct emitter *emitter, MlirOperation function, struct parameters *out_parameters)
{
    MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
    unsigned count = (unsigned)mlirBlockGetNumArguments(entry), end = 0, alignment = 1;
    struct parameter *list = arena_array(emitter->arena, struct parameter, count);
    for (unsigned i = 0; i < count; i++) {
        MlirType type = mlirValueGetType(mlirBlockGetArgument(entry, i));
        if (ir_is_tile(type) || !emit_memory_type(emitter, type))
            return ir_error(function, "parameter %u has a type that a kernel cannot be passed", i);
        unsigned size = emit_memory_size(type);
        list[i] = (struct parameter){type, round_up(end, size), size};
        end = list[i].offset + size;
        if (size > alignment)
            alignment = size;
    }
    *out_parameters = (struct parameters){count, list, round_up(end, alignment)};
    return true;
}
