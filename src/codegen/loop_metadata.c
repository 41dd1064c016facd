/* See loop_metadata.h. */
#include "codegen/loop_metadata.h"

#include <llvm-c/DebugInfo.h>

#include <string.h>

unsigned metadata_kind(LLVMContextRef context, const char *name)
{
    return LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
}

LLVMMetadataRef loop_property(LLVMContextRef context, const char *name, LLVMValueRef value)
{
    LLVMMetadataRef property[] = {LLVMMDStringInContext2(context, name, strlen(name)), NULL};
    if (value)
        property[1] = LLVMValueAsMetadata(value);
    return LLVMMDNodeInContext2(context, property, value ? 2 : 1);
}

/* In a node whose first operand is itself: that is how LLVM tells loops apart. */
void loop_set_properties(
    LLVMContextRef context, LLVMValueRef branch, const LLVMMetadataRef *properties, unsigned count)
{
    enum { MOST = 3 };
    LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0), operands[1 + MOST] = {self};
    memcpy(operands + 1, properties, count * sizeof *properties);
    LLVMMetadataRef loop = LLVMMDNodeInContext2(context, operands, count + 1);
    LLVMMetadataReplaceAllUsesWith(self, loop);
    LLVMSetMetadata(
        branch, metadata_kind(context, "llvm.loop"), LLVMMetadataAsValue(context, loop));
}
