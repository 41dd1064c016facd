/* The whole order of passes, and the runner. */
#include "passes/passes.h"

#include "dialect/dialect.h"

#include "mlir-c/Transforms.h"

#include <time.h>

/* MLIR's own passes take no options here. */
#define UPSTREAM(function, constructor)                                                            \
    static MlirPass function(const struct pass_options *options)                                   \
    {                                                                                              \
        (void)options;                                                                             \
        return constructor();                                                                      \
    }
UPSTREAM(inline_calls, ir_create_inline_pass)
UPSTREAM(canonicalize, ir_create_canonicalize_pass)
UPSTREAM(cse, mlirCreateTransformsCSE)
UPSTREAM(hoist, mlirCreateTransformsLoopInvariantCodeMotion)
UPSTREAM(scf_to_cf, ir_create_scf_to_cf_pass)
#undef UPSTREAM

const struct pass pass_pipeline[] = {
    {"inline", "puts the bodies of helpers in place of their calls", PASS_PHASE_TT, inline_calls},
    {"canonicalize", "folds constants and rewrites to simpler forms", PASS_PHASE_TT, canonicalize},
    {"cse", "computes equal values once", PASS_PHASE_TT, cse},
    {"loop-invariant-code-motion", "takes out of loops what does not change in them", PASS_PHASE_TT,
        hoist},

    {"spread-ranges", "makes ranges in the shape in which they are used", PASS_PHASE_TTG,
        pass_create_spread_ranges},
    {"convert-tt-to-ttg", "gives every tile a layout", PASS_PHASE_TTG,
        pass_create_convert_tt_to_ttg},
    {"coalesce", "gives accesses layouts in which threads touch neighbouring memory",
        PASS_PHASE_TTG, pass_create_coalesce},
    {"choose-dot-layouts", "gives products the layout of tensor cores, or one that saves reads",
        PASS_PHASE_TTG, pass_create_choose_dot_layouts},
    {"remove-layout-conversions", "computes values in the layout that their user wants",
        PASS_PHASE_TTG, pass_create_remove_layout_conversions},
    {"canonicalize", "folds constants and rewrites to simpler forms", PASS_PHASE_TTG, canonicalize},
    {"cse", "computes equal values once", PASS_PHASE_TTG, cse},
    {"loop-invariant-code-motion", "takes out of loops what does not change in them",
        PASS_PHASE_TTG, hoist},
    {"stage-dot-operands", "brings factors to tensor cores through swizzled shared memory",
        PASS_PHASE_TTG, pass_create_stage_dot_operands},
    {"pipeline-loops", "begins loads that feed products some rounds ahead", PASS_PHASE_TTG,
        pass_create_pipeline_loops},
    {"canonicalize", "folds constants and rewrites to simpler forms", PASS_PHASE_TTG, canonicalize},
    {"cse", "computes equal values once", PASS_PHASE_TTG, cse},
    {"loop-invariant-code-motion", "takes out of loops what does not change in them",
        PASS_PHASE_TTG, hoist},

    {"expand-math", "puts the math functions of teenyc in place of math operations",
        PASS_PHASE_CODEGEN, pass_create_expand_math},
    {"convert-scf-to-cf", "turns loops and conditions into branches", PASS_PHASE_CODEGEN,
        scf_to_cf},
};
const size_t pass_pipeline_length = sizeof pass_pipeline / sizeof *pass_pipeline;

static double milliseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static bool run_one(MlirModule module, const struct pass *pass, const struct pass_options *options)
{
    MlirOperation op = mlirModuleGetOperation(module);
    MlirPassManager manager = mlirPassManagerCreate(mlirOperationGetContext(op));
    mlirPassManagerAddOwnedPass(manager, pass->create(options));
    MlirLogicalResult result = mlirPassManagerRunOnOp(manager, op);
    mlirPassManagerDestroy(manager);
    return mlirLogicalResultIsSuccess(result);
}

bool pipeline_run(MlirModule module, enum pass_phase phase, const struct pass_options *options,
    const struct pass_observer *observer)
{
    static const struct pass_observer nobody;
    if (!observer)
        observer = &nobody;
    for (size_t i = 0; i < pass_pipeline_length; i++) {
        const struct pass *pass = &pass_pipeline[i];
        if (pass->phase != phase)
            continue;
        if (observer->before)
            observer->before(observer->user, pass);
        double start = milliseconds_now();
        if (!run_one(module, pass, options))
            return false;
        if (observer->after)
            observer->after(observer->user, pass, module, milliseconds_now() - start);
    }
    return true;
}
