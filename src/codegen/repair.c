/* See repair.h. */
#include "codegen/repair.h"

#include <stdbool.h>
#include <string.h>

static unsigned intrinsic(const char *name)
{
    return LLVMLookupIntrinsicID(name, strlen(name));
}

static bool is_extreme_of_scalars(LLVMValueRef instruction)
{
    if (!LLVMIsACallInst(instruction) ||
        LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMVectorTypeKind)
        return false;
    LLVMValueRef called = LLVMGetCalledValue(instruction);
    unsigned id = LLVMIsAFunction(called) ? LLVMGetIntrinsicID(called) : 0;
    return id == intrinsic("llvm.maximumnum") || id == intrinsic("llvm.minimumnum");
}

/* A fence hides where a value comes from. Constants stay: their instructions are right, and better.
 */
static void hide_operand(LLVMBuilderRef builder, LLVMValueRef call, unsigned index)
{
    LLVMValueRef operand = LLVMGetOperand(call, index);
    LLVMTypeRef type = LLVMTypeOf(operand);
    if (LLVMIsConstant(operand))
        return;
    LLVMValueRef fence = LLVMGetIntrinsicDeclaration(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))),
        intrinsic("llvm.arithmetic.fence"), &type, 1);
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetOperand(call, index,
        LLVMBuildCall2(builder, LLVMGlobalGetValueType(fence), fence, &operand, 1, ""));
}

static void repair_block(LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each;
        each = LLVMGetNextInstruction(each)) {
        if (!is_extreme_of_scalars(each))
            continue;
        hide_operand(builder, each, 0);
        hide_operand(builder, each, 1);
    }
}

void repair_extremes(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef each = LLVMGetFirstFunction(module); each; each = LLVMGetNextFunction(each))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(each); block;
            block = LLVMGetNextBasicBlock(block))
            repair_block(builder, block);
    LLVMDisposeBuilder(builder);
}
