/* The frontend as the driver sees it: from a C file to a module of the tt dialect. */
#ifndef TEENY_FRONTEND_FRONTEND_H
#define TEENY_FRONTEND_FRONTEND_H

#include <mlir-c/IR.h>

#include "frontend/ast.h"
#include "frontend/captures.h"
#include "frontend/source.h"

/* One kernel, read: its text as clang saw it, and its tree. */
typedef struct frontend_kernel {
    source source;
    const ast_function *functions;
    const ast_function *function; /* the kernel's own */
} frontend_kernel;

/* The capture of the kernel `name`; for NULL, of the only kernel there is. NULL after a diagnostic
 * that lists the kernels of the file. */
const capture *frontend_find_kernel(
    const capture *captures, const source_file *file, const char *name, diagnostics *diagnostics);

/* Assembles and parses. False after a diagnostic. */
bool frontend_read_kernel(arena *arena, const capture *captures, const capture *kernel,
    const source_settings *settings, diagnostics *diagnostics, frontend_kernel *out_kernel);

/* The same for the helpers of a file without a kernel: `function` is NULL. */
bool frontend_read_helpers(
    arena *arena, const capture *captures, diagnostics *diagnostics, frontend_kernel *out_helpers);

/* Lowers to tt: null after a diagnostic. The caller destroys the module. */
MlirModule frontend_lower(
    MlirContext context, arena *arena, const frontend_kernel *kernel, diagnostics *diagnostics);

/* One helper alone, from scalars to a scalar: a private tt.func that returns its result. */
MlirModule frontend_lower_helper(MlirContext context, arena *arena, const frontend_kernel *helpers,
    const char *name, diagnostics *diagnostics);

#endif
