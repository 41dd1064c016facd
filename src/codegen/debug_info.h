/* What debuggers and profilers are told: LLVM's debug information for one kernel.
 *
 *     compile unit, of the file that the kernel is in
 *       subprogram of the kernel, with its parameters and variables
 *       subprogram of each helper, which occurs inlined: a place has a chain of calls
 *
 * Places come from MLIR's locations; what has none is code of the compiler's own, line 0. A call
 * site counts as a call where its callee is `fused<"NAME">[...]`, as the frontend writes it; else
 * the innermost place stands alone.
 */
#ifndef TEENY_CODEGEN_DEBUG_INFO_H
#define TEENY_CODEGEN_DEBUG_INFO_H

#include "base/arena.h"
#include "dialect/dialect.h"

#include <llvm-c/Core.h>

enum debug_level {
    DEBUG_NONE,
    DEBUG_LINES, /* .file and .loc directives, and nothing else */
    DEBUG_FULL,  /* DWARF for a debugger: lines, functions, types and variables */
};

struct debug_info;

/* For the kernel `function`, in its LLVM module. NULL where the level is DEBUG_NONE. */
struct debug_info *debug_info_create(
    arena *arena, LLVMModuleRef module, MlirOperation function, enum debug_level level);

/* Completes the module and frees what is not in it; NULL is allowed. Wanted before the module is
 * verified or printed, and before it is disposed of. */
void debug_info_finish(struct debug_info *debug);

/* Says that the LLVM function is the kernel. */
void debug_info_set_function(struct debug_info *debug, LLVMValueRef function);

/* A DILocation. */
LLVMMetadataRef debug_info_place(struct debug_info *debug, MlirLocation location);

/* Something that the user gave a name and that lies in memory, until the function ends. */
struct debug_variable {
    const char *name;
    MlirLocation location;
    MlirType type;        /* a scalar */
    unsigned parameter;   /* its number from 1 on; 0: a local variable */
    LLVMValueRef storage; /* a pointer to it */
};

/* Whether the level has variables; false for NULL. */
bool debug_info_has_variables(const struct debug_info *debug);

/* At the end of `block`. */
void debug_info_declare(
    struct debug_info *debug, const struct debug_variable *variable, LLVMBasicBlockRef block);

#endif
