/* See print.h. */
#include "driver/print.h"

#include "base/string_builder.h"
#include "dialect/dialect.h"

static void append(MlirStringRef piece, void *text)
{
    teeny_string_append(text, piece.data, piece.length);
}

product print_module(arena *arena, MlirModule module, unsigned flags)
{
    teeny_string text = {0};
    ir_print(mlirModuleGetOperation(module), flags, append, &text);
    product printed = {arena_copy(arena, teeny_string_text(&text), text.length), text.length};
    teeny_string_free(&text);
    return printed;
}
