/* See machine.h. */
#include "codegen/machine.h"

#include "codegen/block_length.h"
#include "codegen/repair.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <string.h>

/* ---- Making ---------------------------------------------------------------------------------- */

/* Takes LLVM's string over into the arena. */
static char *take_message(arena *arena, char *message)
{
    char *copy = arena_copy(arena, message ? message : "", message ? strlen(message) : 0);
    LLVMDisposeMessage(message);
    return copy;
}

static bool fail(struct machine *machine, const char *what, char *message)
{
    machine->error =
        arena_format(machine->arena, "%s: %s", what, take_message(machine->arena, message));
    return false;
}

static bool create(struct machine *machine, LLVMRelocMode relocation, LLVMCodeModel model)
{
    LLVMTargetRef target;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(machine->triple, &target, &message))
        return fail(machine, machine->triple, message);
    machine->target = LLVMCreateTargetMachine(target, machine->triple, machine->processor,
        machine->features, machine->level, relocation, model);
    return machine->target || fail(machine, machine->triple, NULL);
}

/* Shared memory has 32-bit addresses; LLVM uses them where this option is set, in the whole
 * process.
 */
static void use_short_pointers(void)
{
    static bool is_set;
    static const char *const options[] = {"teenyc", "--nvptx-short-ptr"};
    if (!is_set)
        LLVMParseCommandLineOptions(2, options, "");
    is_set = true;
}

bool machine_create_nvidia(
    arena *arena, const struct nvidia_target *target, unsigned ptx_version, struct machine *out)
{
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    use_short_pointers();
    *out = (struct machine){
        .arena = arena,
        .triple = arena_format(arena, "nvptx64-nvidia-cuda"),
        .processor = arena_format(arena, "%s", target->name),
        .features = arena_format(arena, "+ptx%u", ptx_version),
        .passes = "default<O3>",
        .level = LLVMCodeGenLevelAggressive,
    };
    return create(out, LLVMRelocDefault, LLVMCodeModelDefault);
}

/* A NULL `processor` is the host's own. */
static void describe_host(arena *arena, const char *processor, const char *features,
    const char *passes, LLVMCodeGenOptLevel level, struct machine *out)
{
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    *out = (struct machine){
        .arena = arena,
        .triple = take_message(arena, LLVMGetDefaultTargetTriple()),
        .passes = passes,
        .level = level,
    };
    if (processor) {
        out->processor = arena_format(arena, "%s", processor);
        out->features = arena_format(arena, "%s", features ? features : "");
    } else {
        out->processor = take_message(arena, LLVMGetHostCPUName());
        out->features = take_message(arena, LLVMGetHostCPUFeatures());
    }
}

bool machine_create_host(arena *arena, const char *processor, const char *features,
    bool for_debugger, struct machine *out)
{
    /* O3 only adds copies of loops for conditions in them. For a debugger not None: it reloads
     * registers where a block starts, which no line is said of, and gdb would stop in every turn of
     * a line's loop. */
    if (for_debugger)
        describe_host(arena, processor, features, "default<O0>", LLVMCodeGenLevelLess, out);
    else
        describe_host(arena, processor, features, "default<O2>", LLVMCodeGenLevelAggressive, out);
    return create(out, LLVMRelocPIC, LLVMCodeModelSmall);
}

bool machine_create_emulated(arena *arena, bool for_debugger, struct machine *out)
{
    static const char some[] =
        "function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)";
    describe_host(
        arena, NULL, NULL, for_debugger ? "default<O0>" : some, LLVMCodeGenLevelNone, out);
    return create(out, LLVMRelocPIC, LLVMCodeModelSmall);
}

void machine_destroy(struct machine *machine)
{
    if (machine->target)
        LLVMDisposeTargetMachine(machine->target);
    machine->target = NULL;
}

/* ---- Features -------------------------------------------------------------------------------- */

static bool has_feature(const struct machine *machine, const char *feature)
{
    return strstr(machine->features, feature) != NULL;
}

unsigned machine_vector_bytes(const struct machine *machine)
{
    if (has_feature(machine, "+avx512f"))
        return 64;
    return has_feature(machine, "+avx") ? 32 : 16;
}

static bool is_x86(const struct machine *machine)
{
    static const char name[] = "x86_64";
    return strncmp(machine->triple, name, sizeof name - 1) == 0;
}

unsigned machine_vector_registers(const struct machine *machine)
{
    return is_x86(machine) && !has_feature(machine, "+avx512f") ? 16 : 32;
}

bool machine_has_half(const struct machine *machine)
{
    return !is_x86(machine) || has_feature(machine, "+f16c");
}

bool machine_has_rounding(const struct machine *machine)
{
    return !is_x86(machine) || has_feature(machine, "+sse4.1");
}

bool machine_has_fma(const struct machine *machine)
{
    return !is_x86(machine) || has_feature(machine, "+fma");
}

/* ---- Using ----------------------------------------------------------------------------------- */

void machine_prepare(const struct machine *machine, LLVMModuleRef module)
{
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine->target);
    LLVMSetModuleDataLayout(module, layout);
    LLVMDisposeTargetData(layout);
    LLVMSetTarget(module, machine->triple);
}

bool machine_optimise(struct machine *machine, LLVMModuleRef module)
{
    char *message = NULL;
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
        return fail(machine, "the LLVM IR is not valid", message);
    LLVMDisposeMessage(message);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, machine->passes, machine->target, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error && is_x86(machine))
        repair_extremes(module);
    if (!error)
        return true;
    char *text = LLVMGetErrorMessage(error);
    machine->error = arena_format(machine->arena, "LLVM's passes: %s", text);
    LLVMDisposeErrorMessage(text);
    return false;
}

bool machine_emit(struct machine *machine, LLVMModuleRef module, LLVMCodeGenFileType type,
    const char **out_data, size_t *out_size)
{
    char *message = NULL;
    LLVMMemoryBufferRef buffer;
    if (machine->level == LLVMCodeGenLevelNone) /* others join the blocks again */
        block_length_limit(module);
    if (LLVMTargetMachineEmitToMemoryBuffer(machine->target, module, type, &message, &buffer))
        return fail(machine, "LLVM's code generator", message);
    *out_size = LLVMGetBufferSize(buffer);
    *out_data = arena_copy(machine->arena, LLVMGetBufferStart(buffer), *out_size);
    LLVMDisposeMemoryBuffer(buffer);
    return true;
}
