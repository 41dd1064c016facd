/* See combination.h. */
#include "codegen/combination.h"

static bool lower_straight(struct lowering *lowering, MlirBlock block, combination_function *lower)
{
    MlirOperation end = mlirBlockGetTerminator(block);
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationEqual(op, end);
        op = mlirOperationGetNextInBlock(op))
        if (!lower(lowering, op))
            return false;
    return true;
}

static unsigned one_register(struct lowering *lowering, MlirType type)
{
    (void)lowering;
    (void)type;
    return 1;
}

/* The blocks of a region with branches. Its only tt.reduce.return ends none: what comes after the
 * combination goes on there. */
static bool lower_region(struct lowering *lowering, MlirOperation reduce,
    combination_function *lower, MlirOperation *out_end)
{
    struct emitter *emitter = &lowering->emitter;
    LLVMBasicBlockRef before = emit_current_block(emitter), after = NULL;
    size_t count;
    MlirBlock *blocks = ir_blocks_in_order(reduce, emitter->arena, &count);
    if (!lowering_make_blocks(lowering, blocks, count, one_register))
        return false;
    emit_at_end_of(emitter, before);
    LLVMBuildBr(emitter->builder, pointer_map_get(&lowering->blocks, blocks[0].ptr));
    for (size_t i = 0; i < count; i++) {
        MlirOperation end = mlirBlockGetTerminator(blocks[i]);
        emit_at_end_of(emitter, pointer_map_get(&lowering->blocks, blocks[i].ptr));
        if (!lower_straight(lowering, blocks[i], lower))
            return false;
        if (op_id_of(end) != OP_TT_REDUCE_RETURN) {
            if (!lowering_branch(lowering, end))
                return false;
            continue;
        }
        if (after)
            return ir_error_not_built(end, "twice in a region");
        after = emit_current_block(emitter);
        *out_end = end;
    }
    if (!after)
        return ir_error_not_built(reduce, "with a region that does not end");
    emit_at_end_of(emitter, after);
    return true;
}

bool combination_emit(struct lowering *lowering, MlirOperation reduce, combination_function *lower,
    const LLVMValueRef *left, const LLVMValueRef *right, LLVMValueRef *out)
{
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(reduce, 0));
    intptr_t count = mlirOperationGetNumOperands(reduce);
    for (intptr_t i = 0; i < count; i++) {
        lowering_set_scalar(lowering, mlirBlockGetArgument(body, i), left[i]);
        lowering_set_scalar(lowering, mlirBlockGetArgument(body, count + i), right[i]);
    }
    MlirOperation end = mlirBlockGetTerminator(body);
    bool done = op_id_of(end) == OP_TT_REDUCE_RETURN ? lower_straight(lowering, body, lower)
                                                     : lower_region(lowering, reduce, lower, &end);
    for (intptr_t i = 0; done && i < count; i++)
        out[i] = lowering_get_scalar(lowering, mlirOperationGetOperand(end, i));
    return done;
}
