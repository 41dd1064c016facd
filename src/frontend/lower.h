/* From the C tree to a module of the tt dialect. */
#ifndef TEENY_FRONTEND_LOWER_H
#define TEENY_FRONTEND_LOWER_H

#include <mlir-c/IR.h>

#include "base/arena.h"
#include "frontend/ast.h"
#include "frontend/diagnostics.h"
#include "frontend/source.h"

/* A module that holds `kernel` as one public tt.func, helpers inlined. Null after a diagnostic: the
 * module is never half right. The caller destroys it. */
MlirModule lower_kernel(MlirContext context, arena *arena, const source *source,
    const ast_function *functions, const char *kernel, diagnostics *diagnostics);

/* The same for a helper from scalars to a scalar, as one private tt.func that returns its result.
 */
MlirModule lower_helper(MlirContext context, arena *arena, const source *source,
    const ast_function *functions, const char *helper, diagnostics *diagnostics);

#endif
