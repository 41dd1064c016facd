/* Which captured pieces provide which names; see text_index.h. */
#include "runtime/text_index.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Names that no TEENY_DECL declares, however often they occur in it. Sorted. */
static const char *const known[] = {"_Alignas", "_Alignof", "_Bool", "_Generic", "_Static_assert",
    "__attribute__", "__typeof__", "alignas", "auto", "bf16", "bool", "break", "case", "char",
    "const", "continue", "default", "do", "double", "else", "enum", "extern", "f16", "f32", "f64",
    "f8e4m3", "f8e5m2", "false", "float", "for", "goto", "i16", "i32", "i64", "i8", "if", "inline",
    "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static",
    "struct", "switch", "tl_tensor", "tl_tile", "true", "typedef", "typeof", "u16", "u32", "u64",
    "u8", "union", "unsigned", "void", "volatile", "while"};

static int compare_names(teeny_name a, teeny_name b)
{
    int order = memcmp(a.begin, b.begin, a.length < b.length ? a.length : b.length);
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static teeny_name name_of(const char *text)
{
    return (teeny_name){text, strlen(text)};
}

static bool is_known(teeny_name name)
{
    size_t low = 0, high = sizeof known / sizeof known[0];
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare_names(name_of(known[middle]), name);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

teeny_name teeny_token_name(const c_lexer *lexer, c_token token)
{
    return (teeny_name){lexer->text + token.begin, token.end - token.begin};
}

static void add(teeny_text_index *index, teeny_name name, const teeny_text *piece)
{
    if (index->failed)
        return;
    if (index->count == index->capacity) {
        size_t capacity = index->capacity ? 2 * index->capacity : 64;
        teeny_provision *grown = realloc(index->provisions, capacity * sizeof *grown);
        if (!grown) {
            index->failed = true;
            return;
        }
        index->provisions = grown;
        index->capacity = capacity;
    }
    index->provisions[index->count++] = (teeny_provision){name, piece};
}

static void add_declaration(teeny_text_index *index, const teeny_text *piece)
{
    c_lexer lexer = teeny_lexer_start(piece->body, 0, strlen(piece->body));
    for (c_token token; (token = teeny_lexer_next(&lexer)).kind != C_TOKEN_END;) {
        teeny_name name = teeny_token_name(&lexer, token);
        if (token.kind == C_TOKEN_IDENTIFIER && !is_known(name))
            add(index, name, piece);
    }
}

static void add_piece(teeny_text_index *index, const teeny_text *piece)
{
    if (piece->version != TEENY_DESCRIPTOR_VERSION)
        return;
    if (piece->kind == TEENY_TEXT_DEVICE || piece->kind == TEENY_TEXT_TYPE)
        add(index, name_of(piece->name), piece);
    else if (piece->kind == TEENY_TEXT_DECL)
        add_declaration(index, piece);
}

static int compare_provisions(const void *a, const void *b)
{
    const teeny_provision *left = a, *right = b;
    int order = compare_names(left->name, right->name);
    if (order)
        return order;
    uintptr_t first = (uintptr_t)left->piece, second = (uintptr_t)right->piece;
    return (first > second) - (first < second);
}

void teeny_text_index_build(const teeny_text *kernel, teeny_text_index *out_index)
{
    *out_index = (teeny_text_index){0};
    const teeny_text *const *end = kernel->module_end;
    for (const teeny_text *const *at = kernel->module_begin; at && at < end; at++)
        if (*at) /* linkers may pad the section */
            add_piece(out_index, *at);
    if (out_index->count)
        qsort(out_index->provisions, out_index->count, sizeof(teeny_provision), compare_provisions);
}

void teeny_text_index_free(teeny_text_index *index)
{
    free(index->provisions);
    *index = (teeny_text_index){0};
}

size_t teeny_text_index_find(
    const teeny_text_index *index, teeny_name name, const teeny_provision **out_first)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare_names(index->provisions[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    size_t end = low;
    while (end < index->count && compare_names(index->provisions[end].name, name) == 0)
        end++;
    *out_first = index->provisions + low;
    return end - low;
}
