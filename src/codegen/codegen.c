/* See codegen.h. */
#include "codegen/codegen.h"

#include "base/cpu_image.h"
#include "codegen/cpu/cpu.h"
#include "codegen/cpu/image.h"
#include "codegen/gpu/gpu.h"
#include "codegen/ir_read.h"
#include "codegen/machine.h"

#include <llvm-c/ErrorHandling.h>
#include <llvm-c/IRReader.h>

#include <stdlib.h>
#include <string.h>

struct codegen {
    arena *arena;
    struct codegen_options options;
    struct machine machine;
    LLVMContextRef context;
    LLVMModuleRef module;
    const char *error;
};

/* ---- Making ---------------------------------------------------------------------------------- */

/* What LLVM would print, and end the process for. */
static void keep_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
    struct codegen *codegen = user;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    codegen->error = arena_format(codegen->arena, "LLVM: %s", text);
    LLVMDisposeMessage(text);
}

static bool create_machine(struct codegen *codegen)
{
    struct codegen_options *options = &codegen->options;
    if (options->is_emulated)
        return machine_create_emulated(codegen->arena, options->debug, &codegen->machine);
    if (!options->nvidia)
        return machine_create_host(codegen->arena, options->processor, options->features,
            options->debug, &codegen->machine);
    if (!options->ptx_version)
        options->ptx_version = options->nvidia->ptx_version;
    return machine_create_nvidia(
        codegen->arena, options->nvidia, options->ptx_version, &codegen->machine);
}

struct codegen *codegen_create(arena *arena, const struct codegen_options *options)
{
    struct codegen *codegen = arena_new(arena, struct codegen);
    *codegen = (struct codegen){
        .arena = arena,
        .options = *options,
        .context = LLVMContextCreate(),
    };
    LLVMContextSetDiagnosticHandler(codegen->context, keep_diagnostic, codegen);
    if (!create_machine(codegen))
        codegen->error = codegen->machine.error;
    return codegen;
}

void codegen_destroy(struct codegen *codegen)
{
    if (!codegen)
        return;
    if (codegen->module)
        LLVMDisposeModule(codegen->module);
    LLVMContextDispose(codegen->context);
    machine_destroy(&codegen->machine);
}

const char *codegen_resolved_target(const struct codegen *codegen)
{
    if (codegen->options.nvidia && !codegen->options.is_emulated)
        return codegen->options.nvidia->name;
    return arena_format(
        codegen->arena, "%s %s", codegen->machine.processor, codegen->machine.features);
}

const char *codegen_error(const struct codegen *codegen)
{
    return codegen->error;
}

/* ---- Stages ---------------------------------------------------------------------------------- */

/* What the host's code has to do without. */
static struct device host_device(const struct machine *machine)
{
    return (struct device){
        .soft_half = !machine_has_half(machine),
        .soft_rounding = !machine_has_rounding(machine),
        .soft_fma = !machine_has_fma(machine),
    };
}

/* A GPU's code always says its lines: they cost nothing at run time. */
static enum debug_level debug_level_of(const struct codegen *codegen)
{
    if (codegen->options.nvidia && !codegen->options.is_emulated)
        return DEBUG_LINES;
    return codegen->options.debug ? DEBUG_FULL : DEBUG_NONE;
}

static LLVMModuleRef build_for_cpu(struct codegen *codegen, MlirOperation function)
{
    struct cpu_options options = {
        .contract = !codegen->options.no_contract,
        .debug = debug_level_of(codegen),
        .vector_bytes = machine_vector_bytes(&codegen->machine),
        .vector_registers = machine_vector_registers(&codegen->machine),
        .device = host_device(&codegen->machine),
    };
    return cpu_build_kernel(codegen->context, codegen->arena, function, &options);
}

static LLVMModuleRef build_for_gpu(struct codegen *codegen, MlirOperation function)
{
    struct gpu_options options = {
        .column = NV_PTX,
        .ptx_version = codegen->options.ptx_version,
        .target = codegen->options.nvidia,
        .contract = !codegen->options.no_contract,
        .debug = debug_level_of(codegen),
    };
    if (codegen->options.is_emulated) {
        options.column = NV_EMU;
        options.host = host_device(&codegen->machine);
    }
    return gpu_build_kernel(codegen->context, codegen->arena, function, &options);
}

bool codegen_lower(struct codegen *codegen, MlirModule module)
{
    if (codegen->error)
        return false;
    MlirOperation function = ir_find_kernel(module, codegen->options.kernel);
    if (mlirOperationIsNull(function))
        return false;
    codegen->module = codegen->options.nvidia ? build_for_gpu(codegen, function)
                                              : build_for_cpu(codegen, function);
    return codegen->module != NULL;
}

bool codegen_read_llvm_ir(struct codegen *codegen, const char *text, size_t size)
{
    if (codegen->error)
        return false;
    char *message = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, size, "llir");
    bool failed = LLVMParseIRInContext2(codegen->context, buffer, &codegen->module, &message);
    LLVMDisposeMemoryBuffer(buffer);
    if (!failed)
        return true;
    codegen->error = arena_format(codegen->arena, "LLVM IR: %s", message);
    LLVMDisposeMessage(message);
    codegen->module = NULL;
    return false;
}

bool codegen_optimise(struct codegen *codegen)
{
    machine_prepare(&codegen->machine, codegen->module);
    if (!machine_optimise(&codegen->machine, codegen->module))
        codegen->error = codegen->machine.error;
    return !codegen->error;
}

/* ---- Products -------------------------------------------------------------------------------- */

static bool print_llvm_ir(struct codegen *codegen, struct codegen_text *out_text)
{
    char *text = LLVMPrintModuleToString(codegen->module);
    out_text->size = strlen(text);
    out_text->data = arena_copy(codegen->arena, text, out_text->size);
    LLVMDisposeMessage(text);
    return true;
}

static bool emit_code(
    struct codegen *codegen, LLVMCodeGenFileType type, struct codegen_text *out_text)
{
    if (!machine_emit(&codegen->machine, codegen->module, type, &out_text->data, &out_text->size))
        codegen->error = codegen->machine.error;
    return !codegen->error;
}

/* The first function with the attribute, and its value; NULL where there is none. */
static LLVMValueRef find_attribute(
    const struct codegen *codegen, const char *name, unsigned long long *out_value)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(codegen->module); function;
        function = LLVMGetNextFunction(function)) {
        LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
            function, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
        if (!attribute)
            continue;
        unsigned length;
        const char *value = LLVMGetStringAttributeValue(attribute, &length);
        *out_value = strtoull(arena_copy(codegen->arena, value, length), NULL, 10);
        return function;
    }
    return NULL;
}

unsigned codegen_shared_bytes(const struct codegen *codegen)
{
    unsigned long long bytes = 0;
    find_attribute(codegen, GPU_SHARED_ATTRIBUTE, &bytes);
    return (unsigned)bytes;
}

/* The entry: the one function with the attribute that says how much scratch memory it needs. */
static bool find_entry(const struct codegen *codegen, struct image_request *request)
{
    unsigned long long scratch_bytes = 0;
    LLVMValueRef entry = find_attribute(codegen, IMAGE_SCRATCH_ATTRIBUTE, &scratch_bytes);
    if (!entry)
        return false;
    size_t length;
    request->scratch_bytes = scratch_bytes;
    request->entry = LLVMGetValueName2(entry, &length);
    return true;
}

static bool link_image(struct codegen *codegen, struct codegen_text *out_text)
{
    struct codegen_text object;
    struct image_request request = {
        .magic = codegen->options.is_emulated ? EMU_IMAGE_MAGIC : CPU_IMAGE_MAGIC,
    };
    if (!find_entry(codegen, &request)) {
        codegen->error = "the LLVM IR has no function with \"" IMAGE_SCRATCH_ATTRIBUTE "\"";
        return false;
    }
    if (!emit_code(codegen, LLVMObjectFile, &object))
        return false;
    request.is_debugged = codegen->options.debug;
    request.object = object.data;
    request.object_size = object.size;
    out_text->data = image_link(codegen->arena, &request, &out_text->size, &codegen->error);
    return out_text->data != NULL;
}

bool codegen_emit(
    struct codegen *codegen, enum codegen_product product, struct codegen_text *out_text)
{
    switch (product) {
    case CODEGEN_LLVM_IR:
        return print_llvm_ir(codegen, out_text);
    case CODEGEN_ASSEMBLY:
        return emit_code(codegen, LLVMAssemblyFile, out_text);
    case CODEGEN_OBJECT:
        return emit_code(codegen, LLVMObjectFile, out_text);
    case CODEGEN_IMAGE:
        return link_image(codegen, out_text);
    }
    return false;
}

void codegen_install_fatal_error_handler(void (*handler)(const char *reason))
{
    LLVMInstallFatalErrorHandler(handler);
}
