/* MLIR's diagnostics, reported as ours. */
#ifndef TEENY_DRIVER_MLIR_DIAGNOSTICS_H
#define TEENY_DRIVER_MLIR_DIAGNOSTICS_H

#include <mlir-c/IR.h>

#include "base/arena.h"
#include "frontend/diagnostics.h"

typedef struct mlir_reporter {
    arena *arena;
    diagnostics *diagnostics;
} mlir_reporter;

/* Everything that the context says goes to the reporter, which must outlive the context. */
void mlir_diagnostics_attach(MlirContext context, mlir_reporter *reporter);

/* The place in the user's file that a location leads to, with the line's text where the file can be
 * read; no place where it leads to none. */
diagnostic_place mlir_location_place(arena *arena, MlirLocation location);

#endif
