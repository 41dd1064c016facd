/* See pipelined_loads.h. */
#include "passes/pipelined_loads.h"

#include "analysis/access_width.h"
#include "analysis/element_size.h"
#include "analysis/layout_encoding.h"
#include "analysis/shared_memory.h"
#include "dialect/dialect.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <math.h>

enum { NARROWEST_COPY = 4 };

static MlirAttribute attribute(MlirOperation op, const char *name)
{
    return mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
}

/* ---- The loop -------------------------------------------------------------------------------- */

/* A tile that is made in shared memory is written there alone. */
static MlirWalkResult look_for_writes(MlirOperation op, void *user)
{
    bool *found = user;
    if (mlirOperationGetNumRegions(op) > 0 || op_id_of(op) == OP_TTG_LOCAL_ALLOC)
        return MlirWalkResultAdvance;
    *found |= (ir_effects(op) & (IR_EFFECT_WRITE | IR_EFFECT_UNKNOWN)) != 0;
    return MlirWalkResultAdvance;
}

static bool writes_memory(MlirOperation loop)
{
    bool found = false;
    mlirOperationWalk(loop, look_for_writes, &found, MlirWalkPreOrder);
    return found;
}

/* ---- Slices ---------------------------------------------------------------------------------- */

struct slicing {
    MlirBlock body;
    struct pointer_map *operations, *carried;
};

static bool add_value(struct slicing *slicing, MlirValue value);

static bool add_operation(struct slicing *slicing, MlirOperation op)
{
    if (pointer_map_get(slicing->operations, op.ptr))
        return true;
    if (!ir_is_pure(op) || mlirOperationGetNumRegions(op) > 0)
        return false;
    pointer_map_set(slicing->operations, op.ptr, op.ptr);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        if (!add_value(slicing, mlirOperationGetOperand(op, i)))
            return false;
    return true;
}

/* A carried value needs what the loop hands to its next round. Argument 0 is the counter. */
static bool add_argument(struct slicing *slicing, MlirValue argument)
{
    intptr_t number = mlirBlockArgumentGetArgNumber(argument);
    if (number == 0 || pointer_map_get(slicing->carried, argument.ptr))
        return true;
    pointer_map_set(slicing->carried, argument.ptr, slicing);
    MlirOperation yield = mlirBlockGetTerminator(slicing->body);
    return add_value(slicing, mlirOperationGetOperand(yield, number - 1));
}

static bool add_value(struct slicing *slicing, MlirValue value)
{
    if (mlirValueIsABlockArgument(value))
        return !mlirBlockEqual(mlirBlockArgumentGetOwner(value), slicing->body) ||
               add_argument(slicing, value);
    MlirOperation op = mlirOpResultGetOwner(value);
    return !mlirBlockEqual(mlirOperationGetBlock(op), slicing->body) || add_operation(slicing, op);
}

static bool add_slice(struct slicing *slicing, const struct pipelined_load *load)
{
    return add_value(slicing, load->pointer) &&
           (mlirValueIsNull(load->mask) || add_value(slicing, load->mask));
}

static bool has_slice(arena *arena, MlirBlock body, const struct pipelined_load *load)
{
    struct pointer_map operations, carried;
    pointer_map_init(&operations, arena);
    pointer_map_init(&carried, arena);
    struct slicing slicing = {body, &operations, &carried};
    return add_slice(&slicing, load);
}

/* ---- Loads ----------------------------------------------------------------------------------- */

static bool is_zero(MlirValue value)
{
    MlirOperation op =
        mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
    if (mlirOperationIsNull(op) || op_id_of(op) != OP_ARITH_CONSTANT)
        return false;
    MlirAttribute elements = attribute(op, "value");
    if (!mlirAttributeIsADenseElements(elements) || !mlirDenseElementsAttrIsSplat(elements))
        return false;
    MlirAttribute element = mlirDenseElementsAttrGetSplatValue(elements);
    if (mlirAttributeIsAFloat(element)) {
        double number = mlirFloatAttrGetValueDouble(element);
        return number == 0 && !signbit(number);
    }
    return mlirAttributeIsAInteger(element) && mlirIntegerAttrGetValueInt(element) == 0;
}

static MlirOperation find_staging(MlirOperation load)
{
    for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(load, 0));
        !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        if (op_id_of(user) == OP_TTG_LOCAL_ALLOC &&
            mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(load)))
            return user;
    }
    return (MlirOperation){NULL};
}

static void read_operands(MlirOperation op, struct pipelined_load *load)
{
    MlirAttribute sizes = attribute(op, "operandSegmentSizes");
    intptr_t next = 1;
    load->load = op;
    load->pointer = mlirOperationGetOperand(op, 0);
    if (mlirDenseI32ArrayGetElement(sizes, 1))
        load->mask = mlirOperationGetOperand(op, next++);
    if (mlirDenseI32ArrayGetElement(sizes, 2))
        load->other = mlirOperationGetOperand(op, next);
}

static bool is_volatile(MlirOperation op)
{
    MlirAttribute value = attribute(op, "isVolatile");
    return !mlirAttributeIsNull(value) && mlirBoolAttrGetValue(value);
}

/* The mask of another round only adds what is the same for all elements. */
static bool find_contiguity(const struct axis_info *axes, struct pipelined_load *load)
{
    struct linear_layout layout;
    if (!layout_of_type(mlirValueGetType(load->pointer), &layout))
        return false;
    struct axis_facts pointers = axis_info_get(axes, load->pointer), mask;
    bool is_masked = !mlirValueIsNull(load->mask);
    if (is_masked)
        mask = axis_info_get(axes, load->mask);
    struct access_width width = access_width_of(&pointers, is_masked ? &mask : NULL, &layout);
    load->contiguity = 1u << width.run;
    unsigned bytes = element_size(mlirValueGetType(mlirOperationGetResult(load->load, 0)));
    return bytes * load->contiguity >= NARROWEST_COPY;
}

static bool can_run_ahead(
    arena *arena, const struct axis_info *axes, MlirOperation op, struct pipelined_load *load)
{
    if (op_id_of(op) != OP_TT_LOAD || is_volatile(op) ||
        mlirOperationIsNull(load->staging = find_staging(op)))
        return false;
    load->memory = mlirValueGetType(mlirOperationGetResult(load->staging, 0));
    load->bytes = shared_memory_bytes_of_type(load->memory);
    read_operands(op, load);
    return (mlirValueIsNull(load->other) || is_zero(load->other)) && find_contiguity(axes, load) &&
           has_slice(arena, mlirOperationGetBlock(op), load);
}

static void add_load(struct pipelined_loads *loads, struct pipelined_load *load, MlirBlock body)
{
    struct slicing slicing = {body, &loads->slice, &loads->carried};
    add_slice(&slicing, load);
    if (loads->last)
        loads->last->next = load;
    else
        loads->first = load;
    loads->last = load;
    loads->bytes += load->bytes;
}

struct pipelined_loads pipelined_loads_of(
    arena *arena, const struct axis_info *axes, MlirOperation loop)
{
    struct pipelined_loads loads = {0};
    pointer_map_init(&loads.slice, arena);
    pointer_map_init(&loads.carried, arena);
    if (writes_memory(loop))
        return loads;
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
        op = mlirOperationGetNextInBlock(op)) {
        struct pipelined_load *load = arena_new(arena, struct pipelined_load);
        if (can_run_ahead(arena, axes, op, load))
            add_load(&loads, load, body);
    }
    return loads;
}
