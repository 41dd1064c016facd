/* nv-ops-ptx TARGET FILE: writes PTX with a kernel for every operation of base/nv_ops.def. */
#include "nv_op_kernel.h"

#include "codegen/machine.h"

#include <stdio.h>

static bool emit_file(arena *arena, const struct nvidia_target *target, const char *path)
{
    struct machine machine;
    if (!machine_create_nvidia(arena, target, target->ptx_version, &machine)) {
        fprintf(stderr, "%s\n", machine.error);
        return false;
    }
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("operations", context);
    for (unsigned op = 0; op < NV_OP_COUNT; op++)
        nv_op_add_kernel(arena, context, module, NV_PTX, (enum nv_op)op);
    machine_prepare(&machine, module);
    const char *text;
    size_t size;
    bool is_made = machine_optimise(&machine, module) &&
                   machine_emit(&machine, module, LLVMAssemblyFile, &text, &size);
    FILE *file = is_made ? fopen(path, "w") : NULL;
    if (file) {
        fwrite(text, 1, size, file);
        fclose(file);
    } else {
        fprintf(stderr, "%s\n", machine.error ? machine.error : "the file cannot be written");
    }
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    machine_destroy(&machine);
    return file != NULL;
}

int main(int count, char **words)
{
    const struct nvidia_target *target = count == 3 ? nvidia_target_find(words[1]) : NULL;
    if (!target) {
        fputs("nv-ops-ptx TARGET FILE\n", stderr);
        return 2;
    }
    arena *arena = arena_create();
    bool is_made = emit_file(arena, target, words[2]);
    arena_destroy(arena);
    return !is_made;
}
