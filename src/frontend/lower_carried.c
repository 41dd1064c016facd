/* See lower_carried.h. */
#include "frontend/lower_carried.h"

#include <string.h>

enum { MOST_FLAGS = 4 };

static void add_flag(carried *carried, slot flag)
{
    if (flag == NO_SLOT)
        return;
    carried->variables[carried->count] = NULL;
    carried->slots[carried->count++] = flag;
}

carried carried_of(lowering *lowering, const flow_run *runs, size_t num_runs, unsigned exits)
{
    flow_variables assigned = flow_assigned(lowering->arena, runs, num_runs);
    size_t most = assigned.count + MOST_FLAGS;
    carried carried = {
        .slots = arena_array(lowering->arena, slot, most),
        .variables = arena_array(lowering->arena, const ast_variable *, most),
    };
    for (size_t i = 0; i < assigned.count; i++) {
        carried.variables[carried.count] = assigned.list[i];
        carried.slots[carried.count++] = assigned.list[i]->index;
    }
    if (exits & FLOW_BREAK)
        add_flag(&carried, lowering->broken);
    if (exits & FLOW_CONTINUE)
        add_flag(&carried, lowering->continued);
    if (exits & FLOW_RETURN) {
        add_flag(&carried, lowering->call->returned);
        if (value_is_valid(lowering->variables[lowering->call->result]))
            add_flag(&carried, lowering->call->result);
    }
    return carried;
}

value *carried_values(lowering *lowering, const carried *carried)
{
    value *values = arena_array(lowering->arena, value, carried->count + 1);
    for (size_t i = 0; i < carried->count; i++)
        values[i] = lowering->variables[carried->slots[i]];
    return values;
}

void carried_set(lowering *lowering, const carried *carried, const value *values)
{
    for (size_t i = 0; i < carried->count; i++)
        lowering->variables[carried->slots[i]] = values[i];
}

MlirBlock carried_begin_block(lowering *lowering, const carried *carried, const value *like,
    const MlirType *first, size_t num_first)
{
    size_t count = num_first + carried->count;
    MlirType *types = arena_array(lowering->arena, MlirType, count + 1);
    MlirLocation *locations = arena_array(lowering->arena, MlirLocation, count + 1);
    for (size_t i = 0; i < count; i++) {
        types[i] = i < num_first ? first[i] : value_type(like[i - num_first]);
        locations[i] = lowering->builder.location;
    }
    MlirBlock block = mlirBlockCreate((intptr_t)count, types, locations);
    for (size_t i = 0; i < carried->count; i++) {
        value argument = like[i];
        argument.ssa = mlirBlockGetArgument(block, (intptr_t)(num_first + i));
        lowering->variables[carried->slots[i]] = argument;
    }
    lowering->builder.block = block;
    return block;
}

void carried_end_block(lowering *lowering, const char *name, const MlirValue *first,
    size_t num_first, const value *values, size_t count)
{
    MlirOperationState state =
        mlirOperationStateGet(mlirStringRefCreateFromCString(name), lowering->builder.location);
    mlirOperationStateAddOperands(&state, (intptr_t)num_first, first);
    for (size_t i = 0; i < count; i++)
        mlirOperationStateAddOperands(&state, 1, &values[i].ssa);
    mlirBlockAppendOwnedOperation(lowering->builder.block, mlirOperationCreate(&state));
}

MlirOperation carried_operation(lowering *lowering, const char *name, const MlirValue *operands,
    size_t num_operands, const carried *carried, const value *results, size_t num_results,
    const MlirBlock *blocks, size_t num_blocks)
{
    MlirOperationState state =
        mlirOperationStateGet(mlirStringRefCreateFromCString(name), lowering->builder.location);
    mlirOperationStateAddOperands(&state, (intptr_t)num_operands, operands);
    for (size_t i = 0; i < num_results; i++) {
        MlirType type = value_type(results[i]);
        mlirOperationStateAddResults(&state, 1, &type);
    }
    for (size_t i = 0; i < num_blocks; i++) {
        MlirRegion region = mlirRegionCreate();
        mlirRegionAppendOwnedBlock(region, blocks[i]);
        mlirOperationStateAddOwnedRegions(&state, 1, &region);
    }
    MlirOperation made = mlirOperationCreate(&state);
    mlirBlockAppendOwnedOperation(lowering->builder.block, made);
    for (size_t i = 0; i < carried->count; i++) {
        value result = results[i];
        result.ssa = mlirOperationGetResult(made, (intptr_t)i);
        lowering->variables[carried->slots[i]] = result;
    }
    return made;
}
