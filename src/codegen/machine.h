/* LLVM's side of a target: optimising a module for it and writing its assembly or objects. */
#ifndef TEENY_CODEGEN_MACHINE_H
#define TEENY_CODEGEN_MACHINE_H

#include "base/arena.h"
#include "codegen/targets.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include <stdbool.h>

struct machine {
    arena *arena;
    LLVMTargetMachineRef target;
    char *triple, *processor, *features;
    const char *passes; /* LLVM's, as its opt names them */
    LLVMCodeGenOptLevel level;
    const char *error; /* of the last call that failed; in the arena */
};

/* False where LLVM does not know the target; `error` says why. */
bool machine_create_nvidia(
    arena *arena, const struct nvidia_target *target, unsigned ptx_version, struct machine *out);
/* A NULL `processor` is the one that this process runs on, with all it has; `features` are those of
 * a named one, and may be NULL. Code for a debugger is not optimised: line follows line, and every
 * variable is where it is said to be. */
bool machine_create_host(arena *arena, const char *processor, const char *features,
    bool for_debugger, struct machine *out);
/* The same for the code of emu, which spends its time in libteeny: little is optimised. */
bool machine_create_emulated(arena *arena, bool for_debugger, struct machine *out);
void machine_destroy(struct machine *machine);

/* Whether LLVM has instructions for conversions of f16, rounding to integers, and fused products
 * and sums; else it would call a library. */
bool machine_has_half(const struct machine *machine);
bool machine_has_rounding(const struct machine *machine);
bool machine_has_fma(const struct machine *machine);

/* The vectors that the processor computes on: how many bytes, and how many registers of them. */
unsigned machine_vector_bytes(const struct machine *machine);
unsigned machine_vector_registers(const struct machine *machine);

/* Sets triple and data layout; passes without them take wrong decisions. */
void machine_prepare(const struct machine *machine, LLVMModuleRef module);

/* LLVM's verifier, then its passes. */
bool machine_optimise(struct machine *machine, LLVMModuleRef module);

/* In the arena, followed by a zero byte. */
bool machine_emit(struct machine *machine, LLVMModuleRef module, LLVMCodeGenFileType type,
    const char **out_data, size_t *out_size);

#endif
