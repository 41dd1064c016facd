/* See mlir_diagnostics.h. */
#include "driver/mlir_diagnostics.h"

#include <mlir-c/Diagnostics.h>

#include <string.h>

#include "codegen/ir_read.h"
#include "frontend/captures.h"

static const char *line_of(const source_file *file, unsigned line)
{
    const char *at = file->text;
    for (unsigned i = 1; i < line && at; i++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return at;
}

diagnostic_place mlir_location_place(arena *arena, MlirLocation location)
{
    struct ir_user_place found = ir_user_place(location);
    if (!found.file.data)
        return (diagnostic_place){0};
    diagnostic_place place = {
        .file = arena_copy(arena, found.file.data, found.file.length),
        .line = found.line,
        .column = found.column,
    };
    const source_file *file = source_file_find(arena, place.file);
    place.text = file ? line_of(file, place.line) : NULL;
    return place;
}

typedef struct text {
    arena *arena;
    char *data;
} text;

static void append(MlirStringRef piece, void *opaque)
{
    text *text = opaque;
    text->data = arena_format(text->arena, "%s%.*s", text->data, (int)piece.length, piece.data);
}

static diagnostic_severity severity_of(MlirDiagnostic diagnostic)
{
    switch (mlirDiagnosticGetSeverity(diagnostic)) {
    case MlirDiagnosticError:
        return DIAGNOSTIC_ERROR;
    case MlirDiagnosticWarning:
        return DIAGNOSTIC_WARNING;
    default:
        return DIAGNOSTIC_NOTE;
    }
}

/* MLIR's print of the whole operation, behind each of its errors: the user's line says more. */
static bool is_dump(const char *text)
{
    static const char dump[] = "see current operation";
    return strncmp(text, dump, sizeof dump - 1) == 0;
}

static MlirLogicalResult report(MlirDiagnostic diagnostic, void *opaque)
{
    mlir_reporter *reporter = opaque;
    text text = {.arena = reporter->arena, .data = arena_copy(reporter->arena, "", 0)};
    mlirDiagnosticPrint(diagnostic, append, &text);
    if (is_dump(text.data))
        return mlirLogicalResultSuccess();
    diagnostics_report(reporter->diagnostics, severity_of(diagnostic),
        mlir_location_place(reporter->arena, mlirDiagnosticGetLocation(diagnostic)), "%s",
        text.data);
    for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); i++)
        report(mlirDiagnosticGetNote(diagnostic, i), opaque);
    return mlirLogicalResultSuccess();
}

void mlir_diagnostics_attach(MlirContext context, mlir_reporter *reporter)
{
    mlirContextAttachDiagnosticHandler(context, report, reporter, NULL);
}
