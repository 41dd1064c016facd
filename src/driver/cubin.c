/* See cubin.h. */
#define _GNU_SOURCE
#include "driver/cubin.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/files.h"
#include "base/program_path.h"
#include "base/subprocess.h"
#include "codegen/targets.h"

enum { LONGEST_OUTPUT = 1024 * 1024, LARGEST_CUBIN = 256 * 1024 * 1024 };
static const int64_t time_limit_milliseconds = (int64_t)300 * 1000;

static bool fail(compilation *compilation, const char *what, const char *detail)
{
    diagnostics_report(compilation->diagnostics, DIAGNOSTIC_ERROR, (diagnostic_place){0}, "%s%s%s",
        what, *detail ? ": " : "", detail);
    return false;
}

static const char *find_ptxas(arena *arena)
{
    char *path = teeny_ptxas_path();
    const char *found = path ? arena_copy(arena, path, strlen(path)) : NULL;
    free(path);
    return found;
}

/* Runs ptxas on `ptx` in `directory`; the cubin lies beside it. */
static bool run_ptxas(compilation *compilation, const char *ptxas, const char *directory)
{
    const char *input = arena_format(compilation->arena, "%s/kernel.ptx", directory);
    const char *output = arena_format(compilation->arena, "%s/kernel.cubin", directory);
    const char *target = arena_format(compilation->arena, "-arch=%s", compilation->gpu->name);
    const char *arguments[] = {ptxas, target, "-lineinfo", input, "-o", output, NULL};
    product ptx = compilation->products[STAGE_ptx];
    if (teeny_file_write(AT_FDCWD, input, ptx.data, ptx.size, false) != 0)
        return fail(compilation, "cannot write a temporary file for ptxas", "");

    teeny_process_result result;
    int error = teeny_process_run(arguments, time_limit_milliseconds, LONGEST_OUTPUT, &result);
    bool is_right = error == 0 && result.end == TEENY_PROCESS_EXITED && result.code == 0;
    if (error != 0)
        fail(compilation, "ptxas could not be started", strerror(error));
    else if (!is_right)
        fail(compilation, "ptxas failed", result.errors ? result.errors : "");
    teeny_process_result_free(&result);

    teeny_bytes bytes = {0};
    if (!is_right)
        return false;
    if (teeny_file_read(AT_FDCWD, output, LARGEST_CUBIN, &bytes) != 0)
        return fail(compilation, "ptxas left no cubin", "");
    compilation->products[STAGE_cubin] =
        (product){arena_copy(compilation->arena, bytes.data, bytes.size), bytes.size};
    teeny_bytes_free(&bytes);
    return true;
}

bool cubin_assemble(compilation *compilation)
{
    const char *ptxas = find_ptxas(compilation->arena);
    if (!ptxas)
        return fail(compilation,
            "a cubin needs ptxas, which is neither on PATH nor in /usr/local/cuda/bin", "");
    const char *where = teeny_environment(TEENY_VARIABLE_TMPDIR);
    char *directory = arena_format(compilation->arena, "%s/teenyc-XXXXXX", where ? where : "/tmp");
    if (!mkdtemp(directory))
        return fail(compilation, "cannot make a temporary directory for ptxas", directory);
    bool is_made = run_ptxas(compilation, ptxas, directory);
    teeny_remove_tree(AT_FDCWD, directory);
    return is_made;
}
