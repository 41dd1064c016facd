/* See list.h. */
#include "driver/list.h"

#include <stdio.h>
#include <string.h>

#include "codegen/targets.h"
#include "driver/compilation.h"
#include "frontend/captures.h"
#include "frontend/operations.h"
#include "passes/passes.h"

/* On one line, however it is written. */
static void print_slice(source_slice slice)
{
    bool was_space = false;
    for (size_t i = slice.begin; i < slice.end; i++) {
        char c = slice.file->text[i];
        bool is_space = strchr(" \t\r\n\v\f", c) != NULL;
        if (!is_space)
            putchar(c);
        else if (!was_space)
            putchar(' ');
        was_space = is_space;
    }
}

static int list_kernels(arena *arena, const driver_options *options)
{
    if (!options->input) {
        fputs("teenyc: --list kernels needs a file\n", stderr);
        return COMPILE_USAGE;
    }
    diagnostics diagnostics = {.out = stderr};
    const char *error;
    const source_file *file = source_file_read(arena, options->input, &error);
    if (!file) {
        fprintf(stderr, "teenyc: error: cannot read %s: %s\n", options->input, error);
        return COMPILE_WRONG;
    }
    const capture *captures;
    if (!captures_read(arena, file, &diagnostics, &captures))
        return COMPILE_WRONG;
    for (const capture *each = captures; each; each = each->next) {
        if (each->kind != CAPTURE_KERNEL)
            continue;
        printf("%s ", each->name);
        print_slice(each->parameters);
        fputs(" META(", stdout);
        print_slice(each->meta);
        puts(")");
    }
    return COMPILE_RIGHT;
}

static const char *phase_name(enum pass_phase phase)
{
    static const char *const names[] = {
        [PASS_PHASE_TT] = "ttir", [PASS_PHASE_TTG] = "ttgir", [PASS_PHASE_CODEGEN] = "llir"};
    return names[phase];
}

static int list_passes(arena *arena, const driver_options *options)
{
    (void)arena, (void)options;
    for (size_t i = 0; i < pass_pipeline_length; i++)
        printf("%-6s %-28s %s\n", phase_name(pass_pipeline[i].phase), pass_pipeline[i].name,
            pass_pipeline[i].summary);
    return COMPILE_RIGHT;
}

static int list_ops(arena *arena, const driver_options *options)
{
    (void)arena, (void)options;
    for (size_t i = 0; i < num_operations; i++)
        printf("%-10s %-46s %s\n", operations[i].group, operations[i].usage, operations[i].summary);
    return COMPILE_RIGHT;
}

static int list_targets(arena *arena, const driver_options *options)
{
    (void)arena, (void)options;
    for (size_t i = 0; i < nvidia_target_count; i++) {
        const struct nvidia_target *target = &nvidia_targets[i];
        printf("%-9s PTX %u.%u, shared memory %3u KiB  %s\n", target->name,
            target->ptx_version / 10, target->ptx_version % 10, target->max_shared_bytes / 1024,
            target->notes);
    }
    puts("cpu       native code for the processor that teenyc runs on");
    for (size_t i = 0; i < host_target_count; i++)
        if (host_targets[i].name)
            printf("%-9s native code for processors %s\n", host_targets[i].name,
                host_targets[i].notes);
    puts("emu       the code for " NVIDIA_EMULATED_TARGET
         ", run and checked on the host, for tests");
    return COMPILE_RIGHT;
}

static int list_stages(arena *arena, const driver_options *options)
{
    (void)arena, (void)options;
    static const char *const targets[] = {
        [STAGE_ANY] = "",
        [STAGE_GPU] = " (GPU targets, emu)",
        [STAGE_CUDA] = " (GPU targets)",
        [STAGE_HOST] = " (cpu, emu)",
    };
    for (int i = 0; i < STAGE_COUNT; i++)
        printf("%-9s %s%s\n", stages[i].name, stages[i].summary, targets[stages[i].targets]);
    return COMPILE_RIGHT;
}

static int list_options(arena *arena, const driver_options *options)
{
    (void)arena, (void)options;
    options_print(stdout);
    return COMPILE_RIGHT;
}

static const struct {
    const char *name;
    int (*print)(arena *arena, const driver_options *options);
} lists[] = {
    {"kernels", list_kernels},
    {"passes", list_passes},
    {"ops", list_ops},
    {"targets", list_targets},
    {"stages", list_stages},
    {"options", list_options},
};

int list_print(arena *arena, const driver_options *options)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(lists[i].name, options->list) == 0)
            return lists[i].print(arena, options);
    fprintf(stderr,
        "teenyc: --list takes kernels, passes, ops, targets, stages or options, not "
        "'%s'\n",
        options->list);
    return COMPILE_USAGE;
}
