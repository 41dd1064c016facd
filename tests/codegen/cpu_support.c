/* See cpu_support.h. */
#include "cpu_support.h"

#include "codegen/codegen.h"
#include "dialect/dialect.h"
#include "passes/passes.h"

#include "mlir-c/Diagnostics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

static void print_piece(MlirStringRef piece, void *user)
{
    fwrite(piece.data, 1, piece.length, user);
}

static MlirLogicalResult print_diagnostic(MlirDiagnostic diagnostic, void *user)
{
    (void)user;
    mlirDiagnosticPrint(diagnostic, print_piece, stderr);
    fputc('\n', stderr);
    return mlirLogicalResultSuccess();
}

/* Maps a copy of the image at an address that the linker never saw. */
static void map_image(const struct codegen_text *image, struct compiled *out)
{
    const struct cpu_image_header *header = (const void *)image->data;
    void *mapping =
        mmap(NULL, image->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
        return;
    memcpy(mapping, image->data, image->size);
    mprotect(mapping, image->size, PROT_READ | PROT_EXEC);
    out->mapping = mapping;
    out->size = image->size;
    out->scratch = aligned_alloc(64, (header->scratch_bytes + 127) / 64 * 64);
    out->entry = (cpu_entry *)((char *)mapping + header->entry_offset);
}

static void generate(arena *arena, MlirModule module, struct compiled *out)
{
    struct codegen_options options = {.processor = getenv("CPU_PROCESSOR")};
    struct codegen *codegen = codegen_create(arena, &options);
    struct codegen_text image;
    if (codegen_lower(codegen, module) && codegen_optimise(codegen) &&
        codegen_emit(codegen, CODEGEN_IMAGE, &image))
        map_image(&image, out);
    else if (codegen_error(codegen))
        fprintf(stderr, "%s\n", codegen_error(codegen));
    codegen_destroy(codegen);
}

struct compiled cpu_compile(const char *text)
{
    struct compiled result = {0};
    struct pass_options options = {0};
    arena *arena = arena_create();
    MlirContext context = dialect_context_create();
    mlirContextAttachDiagnosticHandler(context, print_diagnostic, NULL, NULL);
    MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
    if (!mlirModuleIsNull(module)) {
        if (pipeline_run(module, PASS_PHASE_TT, &options, NULL) &&
            pipeline_run(module, PASS_PHASE_CODEGEN, &options, NULL))
            generate(arena, module, &result);
        mlirModuleDestroy(module);
    }
    mlirContextDestroy(context);
    arena_destroy(arena);
    return result;
}

struct compiled cpu_must_compile(const char *text)
{
    struct compiled kernel = cpu_compile(text);
    assert_non_null(kernel.entry);
    return kernel;
}

void cpu_release(struct compiled *kernel)
{
    if (kernel->mapping)
        munmap(kernel->mapping, kernel->size);
    free(kernel->scratch);
    *kernel = (struct compiled){0};
}

void cpu_run(
    const struct compiled *kernel, const void *arguments, uint32_t x, uint32_t y, uint32_t z)
{
    cpu_call call = {arguments, {x, y, z}, kernel->scratch};
    kernel->entry(&call, 0, (uint64_t)x * y * z);
}

char *text_replace(const char *text, const char *name, const char *by)
{
    size_t count = 0, length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length)
        count++;
    char *result = malloc(strlen(text) + count * strlen(by) + 1), *to = result;
    for (const char *at = text; result;) {
        const char *found = strstr(at, name);
        size_t before = found ? (size_t)(found - at) : strlen(at);
        memcpy(to, at, before);
        to += before;
        if (!found)
            break;
        memcpy(to, by, strlen(by));
        to += strlen(by);
        at = found + length;
    }
    *to = '\0';
    return result;
}

char *cpu_read_text(const char *path)
{
    char full[512];
    snprintf(full, sizeof full, "%s/%s", TEENY_TEST_DIRECTORY, path);
    FILE *file = fopen(full, "r");
    if (!file)
        fail_msg("cannot read %s", full);
    enum { LARGEST = 1 << 20 };
    char *text = malloc(LARGEST);
    size_t length = fread(text, 1, LARGEST - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

char *cpu_kernel_text(const char *name, ...)
{
    char path[128];
    snprintf(path, sizeof path, "codegen/kernels/%s.ttir", name);
    char *text = cpu_read_text(path);
    va_list list;
    va_start(list, name);
    for (const char *word; (word = va_arg(list, const char *));) {
        char number[16];
        snprintf(number, sizeof number, "%d", va_arg(list, int));
        char *next = text_replace(text, word, number);
        free(text);
        text = next;
    }
    va_end(list);
    return text;
}

struct compiled cpu_must_compile_text(char *text)
{
    struct compiled kernel = cpu_must_compile(text);
    free(text);
    return kernel;
}
