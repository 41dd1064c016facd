/* Code generation: from a tt or ttg module to LLVM IR, assembly, objects and loadable images.
 *
 *     struct codegen *codegen = codegen_create(arena, &options);
 *     codegen_lower(codegen, module) && codegen_optimise(codegen) &&
 *         codegen_emit(codegen, CODEGEN_ASSEMBLY, &text);
 *     codegen_destroy(codegen);
 *
 * Errors in the input come through MLIR's diagnostics, at the operation. Everything else that can
 * go wrong is a fault of the compiler: codegen_error() has its text. Not safe for two threads at
 * once.
 */
#ifndef TEENY_CODEGEN_CODEGEN_H
#define TEENY_CODEGEN_CODEGEN_H

#include "base/arena.h"
#include "codegen/targets.h"

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>

struct codegen_options {
    const struct nvidia_target *nvidia; /* NULL: this host's CPU */
    bool is_emulated;                   /* the NVIDIA target's code as an image for this host */
    const char *processor;              /* LLVM's name; NULL: the host's own. For the host's code */
    const char *features;               /* LLVM's, of that processor; may be NULL */
    unsigned ptx_version;               /* 0: the target's own */
    const char *kernel;                 /* NULL: the module's only public function */
    bool no_contract;                   /* products and sums do not fuse */
    bool debug; /* the host's code is for a debugger: not optimised, with DWARF */
};

enum codegen_product {
    CODEGEN_LLVM_IR,  /* text */
    CODEGEN_ASSEMBLY, /* text: PTX, or the host's */
    CODEGEN_OBJECT,   /* relocatable; host only */
    CODEGEN_IMAGE,    /* what libteeny maps, base/cpu_image.h or emu_image.h; host only */
};

/* In the arena, followed by a zero byte that `size` does not count. */
struct codegen_text {
    const char *data;
    size_t size;
};

struct codegen;

/* Starts the compilation of one kernel for one target. Never NULL: where LLVM cannot make the
 * target, codegen_lower() fails and codegen_error() says why. */
struct codegen *codegen_create(arena *arena, const struct codegen_options *options);
void codegen_destroy(struct codegen *codegen);

/* "sm_90a", or the host's CPU and features: "znver4 +avx512f,...". In the arena. */
const char *codegen_resolved_target(const struct codegen *codegen);

/* Builds LLVM IR: from ttg for an NVIDIA target, from tt for the host; structured control flow must
 * be gone (PASS_PHASE_CODEGEN). False after an error. */
bool codegen_lower(struct codegen *codegen, MlirModule module);

/* Takes LLVM IR as text, as codegen_emit() gave it, in place of codegen_lower(). */
bool codegen_read_llvm_ir(struct codegen *codegen, const char *text, size_t size);

/* Runs LLVM's passes. Wants codegen_lower() or codegen_read_llvm_ir() before it. */
bool codegen_optimise(struct codegen *codegen);

/* May be called several times. */
bool codegen_emit(
    struct codegen *codegen, enum codegen_product product, struct codegen_text *out_text);

/* Shared memory of a program, in bytes; 0 on the host. Wants codegen_lower() or
 * codegen_read_llvm_ir() before it. */
unsigned codegen_shared_bytes(const struct codegen *codegen);

/* Why the last call failed; NULL where it has said so through MLIR's diagnostics. */
const char *codegen_error(const struct codegen *codegen);

/* What LLVM calls, in this process, in place of ending it, when it cannot go on. The handler does
 * not return. */
void codegen_install_fatal_error_handler(void (*handler)(const char *reason));

#endif
