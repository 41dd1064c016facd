/* See block_length.h. */
#include "codegen/block_length.h"

#include <stdbool.h>
#include <stddef.h>

enum { MOST_INSTRUCTIONS = 512 };

/* Whether more than MOST_INSTRUCTIONS stand before the block's end. */
static bool is_long(LLVMBasicBlockRef block)
{
    LLVMValueRef instruction = LLVMGetFirstInstruction(block);
    for (unsigned i = 0; instruction && i <= MOST_INSTRUCTIONS; i++)
        instruction = LLVMGetNextInstruction(instruction);
    return instruction != NULL;
}

static void move_to_end(LLVMBuilderRef builder, LLVMValueRef instruction)
{
    LLVMInstructionRemoveFromParent(instruction);
    LLVMInsertIntoBuilder(builder, instruction);
}

/* All branches to `from` lead to `to`. Phis say where they come from by their blocks, and see none
 * of it. */
static void redirect(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    for (LLVMUseRef use; (use = LLVMGetFirstUse(LLVMBasicBlockAsValue(from)));) {
        LLVMValueRef branch = LLVMGetUser(use);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++)
            if (LLVMGetSuccessor(branch, i) == from)
                LLVMSetSuccessor(branch, i, to);
    }
}

/* The first instructions of `block` go to a new block in front of it, to which all branches to it
 * lead from then on. What follows `block` still follows it, so that the phis there need no change.
 * A phi may not stand behind other instructions: all of them are moved. */
static void cut_head(LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(LLVMGetBasicBlockParent(block)));
    LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(context, block, "");
    redirect(block, head);
    LLVMPositionBuilderAtEnd(builder, head);
    for (unsigned i = 0; i < MOST_INSTRUCTIONS || LLVMIsAPHINode(LLVMGetFirstInstruction(block));
        i++)
        move_to_end(builder, LLVMGetFirstInstruction(block));
    LLVMBuildBr(builder, block);
}

static void limit_function(LLVMBuilderRef builder, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
        block = LLVMGetNextBasicBlock(block))
        while (is_long(block))
            cut_head(builder, block);
}

void block_length_limit(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef each = LLVMGetFirstFunction(module); each; each = LLVMGetNextFunction(each))
        limit_function(builder, each);
    LLVMDisposeBuilder(builder);
}
