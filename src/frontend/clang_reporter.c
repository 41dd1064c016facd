/* See clang_reporter.h. */
#include "frontend/clang_reporter.h"

#include <string.h>

/* The name that clang's message is about. */
static const char *quoted_name(const clang_reporter *reporter, const char *message)
{
    const char *begin = strchr(message, '\'');
    const char *end = begin ? strchr(begin + 1, '\'') : NULL;
    return end ? arena_copy(reporter->arena, begin + 1, (size_t)(end - begin - 1)) : message;
}

/* A name that does not stand in the text, but in what an operation expands to. */
static bool is_of_expansion(const clang_reporter *reporter, ast_place place, const char *name)
{
    return strncmp(reporter->source->text + place, name, strlen(name)) != 0;
}

static void report_unknown_name(
    const clang_reporter *reporter, diagnostic_place place, const clang_diagnostic *said)
{
    static const char lane[] = "teeny_lane_"; /* what pasting makes of an element type */
    diagnostics *diagnostics = reporter->diagnostics;
    const char *name = quoted_name(reporter, said->message);
    const operation_call *call = operation_calls_find_at(reporter->calls, said->place);
    if (strncmp(name, lane, sizeof lane - 1) == 0)
        diagnostics_error(diagnostics, place, UNKNOWN_ELEMENT, name + sizeof lane - 1);
    else if (call && is_of_expansion(reporter, said->place, name))
        diagnostics_error(diagnostics, place, OPERATION_USAGE,
            arena_format(reporter->arena, "usage: %s", call->operation->usage));
    else if (strncmp(name, "tl_", 3) == 0)
        diagnostics_error(diagnostics, place, UNKNOWN_OPERATION, name);
    else
        diagnostics_error(diagnostics, place, UNKNOWN_NAME, name);
}

/* "f32[64]" and "f32[32]": one element, another count. */
static bool have_same_element(const char *const types[2])
{
    size_t length = strcspn(types[0], "[");
    return types[0][length] && strncmp(types[0], types[1], length + 1) == 0;
}

static bool is_tile(const char *type)
{
    return strchr(type, '[') != NULL;
}

static const char *tile_of(const char *const types[2])
{
    return is_tile(types[0]) ? types[0] : types[1];
}

static void report_operands(
    const clang_reporter *reporter, diagnostic_place place, const clang_diagnostic *said)
{
    diagnostics *diagnostics = reporter->diagnostics;
    const char *left = said->types[0], *right = said->types[1];
    if (!*said->written)
        diagnostics_error(diagnostics, place, OPERANDS_DIFFER, left, right);
    else if (have_same_element(said->types))
        diagnostics_error(diagnostics, place, SHAPES_DIFFER, said->written, left, right);
    else if (is_tile(left) && is_tile(right))
        diagnostics_error(diagnostics, place, TILES_CONVERT, said->written, left, right);
    else
        diagnostics_error(diagnostics, place, SCALAR_CHANGES, said->written, left, right);
}

/* "tl_sum(x, axis": what an operation is called with, without the dimensions left and without
 * brackets. */
static const char *call_with_axis(const clang_reporter *reporter, const operation_info *operation)
{
    const char *end = strstr(operation->usage, "[, dimensions");
    char *begin = arena_copy(reporter->arena, operation->usage, (size_t)(end - operation->usage));
    size_t length = 0;
    for (const char *from = begin; *from; from++)
        if (*from != '[')
            begin[length++] = *from;
    begin[length] = '\0';
    return begin;
}

/* Says what clang does not know of operations, in the statement that its error is in. */
static bool report_call(const clang_reporter *reporter, const clang_diagnostic *said)
{
    const operation_call *call = operation_calls_find_miscounted(reporter->calls, said->place);
    if (call) {
        const operation_info *operation = call->operation;
        diagnostics_error(reporter->diagnostics, source_place(reporter->source, call->place),
            ARGUMENT_COUNT, operation->name, operation_call_wanted(reporter->arena, operation),
            call->num_arguments, operation->usage);
        return true;
    }
    const char *wanted = said->types[0], *shape = strchr(wanted, '[');
    bool is_scalar_for_tile =
        said->mistake == CLANG_TILE_CONVERTS && shape && !is_tile(said->types[1]);
    if (is_scalar_for_tile)
        call = operation_calls_find_scalar_reduction(reporter->calls, said->place);
    if (!call)
        return false;
    const char *written = call_with_axis(reporter, call->operation);
    diagnostics_error(reporter->diagnostics, source_place(reporter->source, call->place),
        SCALAR_REDUCTION, written, wanted, written,
        arena_copy(reporter->arena, shape + 1, strlen(shape + 1) - 1));
    return true;
}

/* What only says something of an operation's arguments; elsewhere clang's words will do. */
static bool is_about_call(clang_mistake mistake)
{
    return mistake == CLANG_NO_POINTER || mistake == CLANG_NO_STRUCT || mistake == CLANG_NO_TILE;
}

static void report_error(
    const clang_reporter *reporter, diagnostic_place place, const clang_diagnostic *said)
{
    if (report_call(reporter, said))
        return;
    diagnostics *diagnostics = reporter->diagnostics;
    if (is_about_call(said->mistake) && !operation_calls_find_at(reporter->calls, said->place)) {
        diagnostics_error(diagnostics, place, NOT_C, said->message);
        return;
    }
    switch (said->mistake) {
    case CLANG_OTHER_MISTAKE:
        diagnostics_error(diagnostics, place, NOT_C, said->message);
        break;
    case CLANG_UNKNOWN_NAME:
        report_unknown_name(reporter, place, said);
        break;
    case CLANG_FAILED_ASSERTION:
        diagnostics_error(diagnostics, place, OPERATION_USAGE, said->message);
        break;
    case CLANG_NO_POINTER:
        diagnostics_error(diagnostics, place, POINTER_WANTED, said->types[0]);
        break;
    case CLANG_NO_STRUCT:
        diagnostics_error(diagnostics, place, TENSOR_WANTED, said->types[0]);
        break;
    case CLANG_NO_TILE:
        diagnostics_error(diagnostics, place, TILE_WANTED, "a scalar");
        break;
    case CLANG_ENUMERATOR_TOO_LARGE:
        diagnostics_error(diagnostics, place, ENUMERATOR_TOO_LARGE);
        break;
    case CLANG_TILE_DIMENSIONS:
        diagnostics_error(diagnostics, place, TILE_DIMENSIONS);
        break;
    case CLANG_TILE_SIZE:
        diagnostics_error(diagnostics, place, TILE_SIZE);
        break;
    case CLANG_TILE_ELEMENT:
        diagnostics_error(diagnostics, place, TILE_ELEMENT);
        break;
    case CLANG_DIMENSION_NOT_CONSTANT:
        diagnostics_error(diagnostics, place, DIMENSION_NOT_CONSTANT);
        break;
    case CLANG_ARGUMENT_NOT_CONSTANT:
        diagnostics_error(diagnostics, place, ARGUMENT_NOT_CONSTANT);
        break;
    case CLANG_TILE_CONDITION:
        diagnostics_error(diagnostics, place, TILE_CONDITION, said->types[0]);
        break;
    case CLANG_TILE_LOGICAL:
        diagnostics_error(diagnostics, place, TILE_LOGICAL, said->written, tile_of(said->types));
        break;
    case CLANG_TILE_OPERATOR:
        diagnostics_error(
            diagnostics, place, NO_SUCH_OPERATOR, said->written, tile_of(said->types));
        break;
    case CLANG_TILES_DIFFER:
        report_operands(reporter, place, said);
        break;
    case CLANG_TILE_CONVERTS:
        diagnostics_error(diagnostics, place, TILE_CONVERTS, said->message);
        break;
    }
}

/* Whether clang would not say it, had the statement not the error that we have words for. */
static bool is_consequence(const clang_reporter *reporter, const clang_diagnostic *said)
{
    bool can_follow = said->mistake == CLANG_OTHER_MISTAKE ||
                      said->mistake == CLANG_TILE_CONVERTS || said->mistake == CLANG_NO_TILE ||
                      (said->mistake == CLANG_UNKNOWN_NAME &&
                          operation_calls_find_at(reporter->calls, said->place));
    return can_follow && reporter->has_worded &&
           operation_calls_share_statement(reporter->calls, reporter->worded, said->place);
}

static void report_new_error(
    clang_reporter *reporter, diagnostic_place place, const clang_diagnostic *said)
{
    reporter->is_shown = said->mistake == CLANG_OTHER_MISTAKE;
    if (!reporter->is_shown) {
        reporter->has_worded = true;
        reporter->worded = said->place;
    }
    report_error(reporter, place, said);
}

void clang_reporter_report(void *context, const clang_diagnostic *said)
{
    clang_reporter *reporter = context;
    diagnostic_place place = source_place(reporter->source, said->place);
    if (said->severity == CLANG_NOTE) {
        if (reporter->is_shown && place.file) /* others point into the environment's headers */
            diagnostics_report(reporter->diagnostics, DIAGNOSTIC_NOTE, place, "%s", said->message);
        return;
    }
    if (!reporter->calls)
        reporter->calls = operation_calls_read(reporter->arena, reporter->source->text);
    reporter->is_shown = false;
    if (!is_consequence(reporter, said))
        report_new_error(reporter, place, said);
}
