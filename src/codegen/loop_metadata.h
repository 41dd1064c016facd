/* What LLVM is told about a loop, at the branch back to its head. */
#ifndef TEENY_CODEGEN_LOOP_METADATA_H
#define TEENY_CODEGEN_LOOP_METADATA_H

#include <llvm-c/Core.h>

unsigned metadata_kind(LLVMContextRef context, const char *name);

/* { "name", value }, such as "llvm.loop.unroll.disable"; NULL: without a value. */
LLVMMetadataRef loop_property(LLVMContextRef context, const char *name, LLVMValueRef value);

/* Gives the loop of the branch these properties, 3 at most. */
void loop_set_properties(
    LLVMContextRef context, LLVMValueRef branch, const LLVMMetadataRef *properties, unsigned count);

#endif
