/* What LLVM's code generators get wrong, put into a form in optimised IR that they get right. */
#ifndef TEENY_CODEGEN_REPAIR_H
#define TEENY_CODEGEN_REPAIR_H

#include <llvm-c/Core.h>

/* LLVM 22 on x86 with AVX-512 DQ: llvm.maximumnum and llvm.minimumnum of scalars give the NaN where
 * one operand is known to be none, as a converted integer is. Here the operands become unknown, at
 * no cost in instructions. */
void repair_extremes(LLVMModuleRef module);

#endif
