/* The length of basic blocks: what LLVM does to a block often takes the square of its length. */
#ifndef TEENY_CODEGEN_BLOCK_LENGTH_H
#define TEENY_CODEGEN_BLOCK_LENGTH_H

#include <llvm-c/Core.h>

/* Cuts the blocks of the module's functions into pieces of a few hundred instructions, one
 * branching to the next. Only right before passes that do not join such blocks again. */
void block_length_limit(LLVMModuleRef module);

#endif
