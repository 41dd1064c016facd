/* The order of a compilation's stages; see compilation.h. */
#include "driver/compilation.h"

#include <string.h>

#include "codegen/ir_read.h"
#include "codegen/targets.h"
#include "dialect/dialect.h"
#include "driver/backend.h"
#include "driver/embed.h"
#include "driver/faults.h"
#include "driver/input.h"
#include "driver/metadata.h"
#include "driver/output.h"
#include "driver/print.h"
#include "driver/remarks.h"
#include "driver/shared_limit.h"
#include "driver/specialise.h"
#include "passes/passes.h"

/* ---- Passes ---------------------------------------------------------------------------------- */

static void before_pass(void *user, const struct pass *pass)
{
    (void)user;
    faults_activity(arena_format(((compilation *)user)->arena, "pass '%s'", pass->name));
}

static void after_pass(void *user, const struct pass *pass, MlirModule module, double milliseconds)
{
    compilation *compilation = user;
    const char *shown = compilation->options->print_after;
    stopwatch_part(compilation->stopwatch, pass->name, milliseconds);
    if (shown && (strcmp(shown, "all") == 0 || strcmp(shown, pass->name) == 0)) {
        product text = print_module(compilation->arena, module, IR_PRINT_NAMES);
        fprintf(stderr, "// after %s\n%s\n", pass->name, text.data);
    }
    const char *fault = compilation->options->test_fault;
    if (fault && strcmp(fault, pass->name) == 0)
        __builtin_trap();
}

static bool run_phase(compilation *compilation, enum pass_phase phase)
{
    const struct nvidia_target *gpu = compilation->gpu;
    struct pass_options options = {.num_warps = compilation->options->num_warps,
        .num_stages = compilation->options->num_stages,
        .compute_capability = gpu ? gpu->compute_capability : 0,
        .shared_bytes = gpu ? gpu->max_shared_bytes : 0,
        .has_math_instructions = gpu != NULL};
    struct pass_observer observer = {
        .user = compilation, .before = before_pass, .after = after_pass};
    if (!pipeline_run(compilation->module, phase, &options, &observer))
        return false;
    stopwatch_lap(compilation->stopwatch, "passes");
    return true;
}

/* ---- Stages ---------------------------------------------------------------------------------- */

/* The module as text, kept only where somebody asked for it. */
static void keep_module(compilation *compilation, stage stage)
{
    if (!compilation->options->emits[stage])
        return;
    compilation->products[stage] =
        print_module(compilation->arena, compilation->module, IR_PRINT_LOCATIONS | IR_PRINT_NAMES);
    stopwatch_lap(compilation->stopwatch, stages[stage].name);
}

/* A module with layouts has settled it. */
static unsigned num_warps_of(const compilation *compilation)
{
    if (!compilation->gpu)
        return 1;
    MlirOperation module = mlirModuleGetOperation(compilation->module);
    return (unsigned)ir_integer_attribute(module, "ttg.num-warps", compilation->options->num_warps);
}

static void keep_metadata(compilation *compilation)
{
    if (!compilation->options->emits[STAGE_metadata])
        return;
    metadata_facts facts = {
        .function = ir_find_kernel(compilation->module, compilation->options->kernel),
        .target = compilation->options->target,
        .resolved = backend_resolved_target(compilation),
        .num_warps = num_warps_of(compilation),
        .shared_bytes = compilation->shared_bytes,
        .specialised = compilation->options->specialise,
        .tree = compilation->kernel.function,
        .settings = &compilation->options->settings,
    };
    const char *text = metadata_text(compilation->arena, &facts);
    compilation->products[STAGE_metadata] = (product){text, strlen(text)};
}

/* Whether a stage after this one was asked for. */
static bool goes_on(const compilation *compilation, stage stage)
{
    for (int i = stage + 1; i < STAGE_metadata; i++)
        if (compilation->options->emits[i])
            return true;
    return false;
}

static bool has_kernel(compilation *compilation)
{
    MlirOperation kernel = ir_find_kernel(compilation->module, compilation->options->kernel);
    return !mlirOperationIsNull(kernel);
}

static bool make_ttir(compilation *compilation, input_kind kind)
{
    const char *override = compilation->options->overrides[STAGE_ttir];
    bool is_read = kind == INPUT_C ? input_lower(compilation)
                                   : input_parse(compilation, compilation->options->input);
    if (!is_read || (override && !input_parse(compilation, override)) || !has_kernel(compilation) ||
        !specialise(compilation))
        return false;
    if (!run_phase(compilation, PASS_PHASE_TT))
        return false;
    keep_module(compilation, STAGE_ttir);
    return true;
}

static bool make_ttgir(compilation *compilation, input_kind kind)
{
    const char *override = compilation->options->overrides[STAGE_ttgir];
    if (kind == INPUT_TTGIR) {
        if (!input_parse(compilation, compilation->options->input) || !has_kernel(compilation))
            return false;
    } else if (!run_phase(compilation, PASS_PHASE_TTG)) {
        return false;
    }
    if (override && (!input_parse(compilation, override) || !has_kernel(compilation)))
        return false;
    if (compilation->options->remarks)
        remarks_report(compilation);
    keep_module(compilation, STAGE_ttgir);
    return true;
}

/* The metadata of a GPU's kernel say how much shared memory its code needs. */
static bool make_code(compilation *compilation)
{
    bool is_described = compilation->gpu && compilation->options->emits[STAGE_metadata];
    if (!goes_on(compilation, STAGE_ttgir) && !is_described)
        return true;
    if (run_phase(compilation, PASS_PHASE_CODEGEN) && backend_run(compilation))
        return true;
    shared_limit_explain(compilation);
    return false;
}

static bool run_stages(compilation *compilation)
{
    input_kind kind = input_kind_of(compilation->options->input);
    if (kind != INPUT_TTGIR && !make_ttir(compilation, kind))
        return false;
    const driver_options *options = compilation->options;
    bool needs_layouts =
        compilation->gpu &&
        (goes_on(compilation, STAGE_ttir) || options->emits[STAGE_metadata] || options->remarks);
    if ((needs_layouts || kind == INPUT_TTGIR) && !make_ttgir(compilation, kind))
        return false;
    if (!make_code(compilation))
        return false;
    keep_metadata(compilation);
    return true;
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* The stem of output files: the kernel's name. */
static const char *stem(const compilation *compilation)
{
    if (compilation->options->kernel)
        return compilation->options->kernel;
    MlirOperation function = ir_find_kernel(compilation->module, NULL);
    MlirStringRef name = ir_function_name(function);
    return arena_copy(compilation->arena, name.data, name.length);
}

static bool write_products(compilation *compilation)
{
    const driver_options *options = compilation->options;
    for (int i = 0; i < STAGE_COUNT; i++) {
        if (!options->emits[i])
            continue;
        const char *path = options->output;
        if (options->num_emits > 1)
            path = arena_format(
                compilation->arena, "%s/%s.%s", options->output, stem(compilation), stages[i].name);
        product product = compilation->products[i];
        if (!output_write(compilation->arena, path, product.data, product.size))
            return false;
    }
    return true;
}

int compile_usage(const char *format, const char *what)
{
    fputs("teenyc: ", stderr);
    fprintf(stderr, format, what);
    fputc('\n', stderr);
    return COMPILE_USAGE;
}

/* ---- The command line ------------------------------------------------------------------------ */

static int find_target(compilation *compilation)
{
    const char *target = compilation->options->target;
    if (!target)
        return compile_usage("--target is missing%s (teenyc --list targets)", "");
    compilation->cpu = host_target_find(target);
    if (compilation->cpu || strcmp(target, "cpu") == 0)
        return COMPILE_RIGHT;
    compilation->is_emulated = strcmp(target, "emu") == 0;
    compilation->gpu =
        nvidia_target_find(compilation->is_emulated ? NVIDIA_EMULATED_TARGET : target);
    if (compilation->gpu)
        return COMPILE_RIGHT;
    compile_usage("there is no target '%s' (teenyc --list targets)", target);
    return COMPILE_UNKNOWN_TARGET;
}

/* What is emitted where nothing was said: the target's assembly. */
static driver_options with_defaults(const driver_options *given)
{
    driver_options options = *given;
    if (options.num_emits == 0 && !options.check) {
        options.emits[STAGE_asm] = true;
        options.num_emits = 1;
    }
    return options;
}

static bool is_pass(const char *name)
{
    for (size_t i = 0; i < pass_pipeline_length; i++)
        if (strcmp(pass_pipeline[i].name, name) == 0)
            return true;
    return false;
}

static stage_targets kind_of_target(const compilation *compilation)
{
    if (!compilation->gpu)
        return STAGE_CPU;
    return compilation->is_emulated ? STAGE_EMU : STAGE_CUDA;
}

static int check_stages(const compilation *compilation, input_kind kind)
{
    const driver_options *options = compilation->options;
    for (int i = 0; i < STAGE_COUNT; i++) {
        bool is_asked = options->emits[i] || options->overrides[i];
        bool is_foreign = !(stages[i].targets & kind_of_target(compilation));
        if (is_asked && is_foreign)
            return compile_usage("the stage '%s' is none of this target's", stages[i].name);
        if (options->emits[i] && kind != INPUT_C && i == STAGE_source)
            return compile_usage("the input has no C source%s", "");
        if (is_asked && kind == INPUT_TTGIR && i == STAGE_ttir)
            return compile_usage("the input is behind the stage '%s'", stages[i].name);
    }
    if (options->num_emits > 1 && strcmp(options->output, "-") == 0)
        return compile_usage("several stages need a directory: -o DIRECTORY%s", "");
    if (kind == INPUT_TTGIR && !compilation->gpu)
        return compile_usage("the target 'cpu' starts from tt: '%s' has layouts", options->input);
    return COMPILE_RIGHT;
}

/* --check stands alone: nothing is emitted, whatever the target is. */
static int check_check(compilation *compilation, input_kind kind)
{
    const driver_options *options = compilation->options;
    if (kind != INPUT_C)
        return compile_usage("--check reads C, not '%s'", options->input);
    if (options->num_emits > 0)
        return compile_usage("--check emits nothing%s", "");
    return options->target ? find_target(compilation) : COMPILE_RIGHT;
}

static int check_ptx_version(const compilation *compilation)
{
    const driver_options *options = compilation->options;
    unsigned version = options->ptx_version, newest = NVIDIA_NEWEST_PTX;
    if (!compilation->gpu || !version)
        return COMPILE_RIGHT;
    unsigned least = compilation->gpu->ptx_version;
    if (version >= least && version <= newest)
        return COMPILE_RIGHT;
    return compile_usage("--ptx-version %s",
        arena_format(compilation->arena, "%u.%u: the target '%s' takes %u.%u to %u.%u",
            version / 10, version % 10, options->target, least / 10, least % 10, newest / 10,
            newest % 10));
}

static int check_options(compilation *compilation, input_kind kind)
{
    const driver_options *options = compilation->options;
    if (!options->input)
        return compile_usage("there is no input%s; see teenyc --help", "");
    if (kind == INPUT_UNKNOWN)
        return compile_usage("'%s' is no .c, .ttir or .ttgir file", options->input);
    if (kind != INPUT_C && (options->settings.num_metas || options->settings.num_types))
        return compile_usage(
            "-D and --type are settled before MLIR: '%s' takes none", options->input);
    if (options->depfile && strcmp(options->output, "-") == 0)
        return compile_usage("--depfile '%s' is for what --output names", options->depfile);
    if (options->num_specialises > 1)
        return compile_usage(
            "--specialise '%s' is a second, which only --emit c takes", options->specialises[1]);
    if (kind == INPUT_TTGIR && options->specialise)
        return compile_usage("--specialise comes before layouts: '%s' has them", options->input);
    const char *shown = options->print_after;
    if (shown && strcmp(shown, "all") != 0 && !is_pass(shown))
        return compile_usage("there is no pass '%s' (teenyc --list passes)", shown);
    if (options->test_fault && !is_pass(options->test_fault))
        return compile_usage("there is no pass '%s' (teenyc --list passes)", options->test_fault);
    if (options->check)
        return check_check(compilation, kind);
    int status = find_target(compilation);
    if (status != COMPILE_RIGHT)
        return status;
    status = check_ptx_version(compilation);
    return status == COMPILE_RIGHT ? check_stages(compilation, kind) : status;
}

/* Runs the stages, and hands what they made to `finish`, which may be NULL. */
static bool run(compilation *compilation, bool (*finish)(struct compilation *compilation))
{
    compilation->reporter = (mlir_reporter){compilation->arena, compilation->diagnostics};
    compilation->context = dialect_context_create();
    mlir_diagnostics_attach(compilation->context, &compilation->reporter);
    stopwatch_lap(compilation->stopwatch, "start");
    bool is_right = compilation->options->check
                        ? input_check(compilation)
                        : run_stages(compilation) && (!finish || finish(compilation));
    if (!mlirModuleIsNull(compilation->module))
        mlirModuleDestroy(compilation->module);
    mlirContextDestroy(compilation->context);
    return is_right && compilation->diagnostics->num_errors == 0;
}

static int compile_one(arena *arena, const driver_options *options,
    bool (*finish)(struct compilation *compilation), compilation *out_compilation)
{
    diagnostics diagnostics = {.out = stderr, .limit = 20};
    stopwatch stopwatch = {0};
    stopwatch_start(&stopwatch);
    *out_compilation = (compilation){.arena = arena,
        .options = options,
        .diagnostics = &diagnostics,
        .stopwatch = &stopwatch,
        .specialised = ""};
    input_kind kind = options->input ? input_kind_of(options->input) : INPUT_UNKNOWN;
    int status = check_options(out_compilation, kind);
    if (status != COMPILE_RIGHT)
        return status;
    bool is_right = run(out_compilation, finish);
    bool is_usage =
        out_compilation->option_is_refused || source_settings_are_refused(&options->settings);
    status = is_right ? COMPILE_RIGHT : is_usage ? COMPILE_USAGE : COMPILE_WRONG;
    if (options->time)
        stopwatch_print(&stopwatch, stderr);
    out_compilation->diagnostics = NULL;
    out_compilation->stopwatch = NULL;
    return status;
}

bool compile_again(const compilation *first, const driver_options *options,
    bool (*finish)(compilation *again), compilation *out_again)
{
    diagnostics silent = {.out = stderr, .is_silent = true};
    stopwatch unread = {0};
    *out_again = (compilation){.arena = first->arena,
        .options = options,
        .diagnostics = &silent,
        .stopwatch = &unread,
        .captures = first->captures,
        .capture = first->capture,
        .gpu = first->gpu,
        .cpu = first->cpu,
        .is_emulated = first->is_emulated,
        .specialised = ""};
    bool is_right = run(out_again, finish);
    out_again->diagnostics = NULL;
    out_again->stopwatch = NULL;
    return is_right;
}

bool compile_is_accepted(compilation *compilation)
{
    return run_phase(compilation, PASS_PHASE_CODEGEN) && backend_accepts(compilation);
}

int compile_in_memory(arena *arena, const driver_options *options, compilation *out_compilation)
{
    return compile_one(arena, options, NULL, out_compilation);
}

int compile(arena *arena, const driver_options *given)
{
    driver_options options = with_defaults(given);
    compilation compilation;
    if (options.emits[STAGE_c])
        return embed(arena, &options);
    return compile_one(arena, &options, write_products, &compilation);
}
