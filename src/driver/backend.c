/* See backend.h. */
#include "driver/backend.h"

#include <string.h>

#include "codegen/codegen.h"
#include "driver/cubin.h"
#include "driver/faults.h"
#include "driver/input.h"

/* What codegen emits for each stage. */
static const struct {
    stage stage;
    enum codegen_product product;
} emitted[] = {
    {STAGE_llir, CODEGEN_LLVM_IR},
    {STAGE_ptx, CODEGEN_ASSEMBLY},
    {STAGE_asm, CODEGEN_ASSEMBLY},
    {STAGE_obj, CODEGEN_OBJECT},
    {STAGE_image, CODEGEN_IMAGE},
};

static struct codegen_options codegen_options_of(const compilation *compilation)
{
    return (struct codegen_options){
        .nvidia = compilation->gpu,
        .is_emulated = compilation->is_emulated,
        .ptx_version = compilation->options->ptx_version,
        .processor = compilation->cpu ? compilation->cpu->processor : NULL,
        .features = compilation->cpu ? compilation->cpu->features : NULL,
        .kernel = compilation->options->kernel,
        .debug = compilation->options->debug,
    };
}

/* What codegen could not do for a reason of its own; what is wrong with the input was said before.
 */
static bool fail(compilation *compilation, const struct codegen *codegen)
{
    const char *error = codegen_error(codegen);
    if (error)
        diagnostics_report(
            compilation->diagnostics, DIAGNOSTIC_ERROR, (diagnostic_place){0}, "%s", error);
    return false;
}

/* LLVM IR, built and optimised, or read from the file that replaces it. */
static bool make_llvm_ir(compilation *compilation, struct codegen *codegen)
{
    const char *override = compilation->options->overrides[STAGE_llir];
    if (override) {
        product *text = &compilation->products[STAGE_llir];
        return input_product(compilation, override, STAGE_llir) &&
               codegen_read_llvm_ir(codegen, text->data, text->size);
    }
    faults_activity("codegen: LLVM IR");
    if (!codegen_lower(codegen, compilation->module))
        return false;
    stopwatch_lap(compilation->stopwatch, "llvm ir");
    faults_activity("codegen: LLVM's passes");
    if (!codegen_optimise(codegen))
        return false;
    stopwatch_lap(compilation->stopwatch, "llvm passes");
    return true;
}

/* Whether a stage must be made: it was asked for, or ptxas wants it. */
static bool is_needed(const compilation *compilation, stage stage)
{
    const driver_options *options = compilation->options;
    return options->emits[stage] || (stage == STAGE_ptx && options->emits[STAGE_cubin]);
}

static bool emit(compilation *compilation, struct codegen *codegen)
{
    for (size_t i = 0; i < sizeof emitted / sizeof *emitted; i++) {
        if (!is_needed(compilation, emitted[i].stage))
            continue;
        faults_activity(
            arena_format(compilation->arena, "codegen: %s", stages[emitted[i].stage].name));
        struct codegen_text text;
        if (!codegen_emit(codegen, emitted[i].product, &text))
            return false;
        compilation->products[emitted[i].stage] = (product){text.data, text.size};
        stopwatch_lap(compilation->stopwatch, stages[emitted[i].stage].name);
    }
    return true;
}

static bool make_cubin(compilation *compilation)
{
    const char *override = compilation->options->overrides[STAGE_ptx];
    if (override && !input_product(compilation, override, STAGE_ptx))
        return false;
    if (!compilation->options->emits[STAGE_cubin])
        return true;
    bool is_made = cubin_assemble(compilation);
    stopwatch_lap(compilation->stopwatch, "ptxas");
    return is_made;
}

bool backend_run(compilation *compilation)
{
    struct codegen_options options = codegen_options_of(compilation);
    struct codegen *codegen = codegen_create(compilation->arena, &options);
    bool is_right = make_llvm_ir(compilation, codegen) && emit(compilation, codegen);
    if (is_right)
        compilation->shared_bytes = codegen_shared_bytes(codegen);
    else
        fail(compilation, codegen);
    codegen_destroy(codegen);
    return is_right && make_cubin(compilation);
}

bool backend_accepts(compilation *compilation)
{
    struct codegen_options options = codegen_options_of(compilation);
    struct codegen *codegen = codegen_create(compilation->arena, &options);
    bool is_right = codegen_lower(codegen, compilation->module);
    codegen_destroy(codegen);
    return is_right;
}

const char *backend_resolved_target(compilation *compilation)
{
    struct codegen_options options = codegen_options_of(compilation);
    struct codegen *codegen = codegen_create(compilation->arena, &options);
    const char *resolved = codegen_resolved_target(codegen);
    codegen_destroy(codegen);
    return resolved;
}
