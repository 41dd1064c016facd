/* The passes of the compiler, and the order in which they run.
 *
 * A pass is one file; pipeline.c holds the table of all of them. A pass changes the module and says
 * what is wrong with the input through MLIR's diagnostics; printing, verifying and timing are the
 * runner's business (pipeline_run). Not safe for two threads on one context.
 */
#ifndef TEENY_PASSES_PASSES_H
#define TEENY_PASSES_PASSES_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#include <stdbool.h>
#include <stddef.h>

/* A phase takes the module from one form to the next. */
enum pass_phase {
    PASS_PHASE_TT,      /* tt, cleaned up: the .ttir artifact */
    PASS_PHASE_TTG,     /* tiles get layouts, GPU targets only: the .ttgir artifact */
    PASS_PHASE_CODEGEN, /* math and structured control flow in plain operations: what codegen takes
                         */
    PASS_PHASE_COUNT,
};

/* What passes may know about the compilation. */
struct pass_options {
    unsigned num_warps;          /* a power of two */
    unsigned num_stages;         /* of pipelined loops; 1: none are */
    unsigned compute_capability; /* 90 for sm_90 and sm_90a */
    unsigned shared_bytes;       /* that a program of the target can have */
    bool has_math_instructions;  /* those that math/functions.def says INSTRUCTION for */
};

struct pass {
    const char *name; /* as in --print-after; a pass may stand in the pipeline more than once */
    const char *summary;
    enum pass_phase phase;
    MlirPass (*create)(const struct pass_options *options);
};

/* Every pass in the order of running. */
extern const struct pass pass_pipeline[];
extern const size_t pass_pipeline_length;

/* What happens around each pass; each function may be NULL. */
struct pass_observer {
    void *user;
    void (*before)(void *user, const struct pass *pass);
    void (*after)(void *user, const struct pass *pass, MlirModule module, double milliseconds);
};

/* Runs one phase, verifying after each pass. False where a pass failed; it has said why through
 * MLIR's diagnostics. `observer` may be NULL. */
bool pipeline_run(MlirModule module, enum pass_phase phase, const struct pass_options *options,
    const struct pass_observer *observer);

/* ---- The project's own passes ---------------------------------------------------------------- */

MlirPass pass_create_choose_dot_layouts(const struct pass_options *options);
MlirPass pass_create_coalesce(const struct pass_options *options);
MlirPass pass_create_convert_tt_to_ttg(const struct pass_options *options);
MlirPass pass_create_expand_math(const struct pass_options *options);
MlirPass pass_create_pipeline_loops(const struct pass_options *options);
MlirPass pass_create_remove_layout_conversions(const struct pass_options *options);
MlirPass pass_create_spread_ranges(const struct pass_options *options);
MlirPass pass_create_stage_dot_operands(const struct pass_options *options);

#endif
