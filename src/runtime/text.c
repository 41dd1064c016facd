/* From a captured kernel to the one C file that teenyc reads; see text.h.
 *
 * Reach: the identifiers of the kernel's text, and of every piece reached so far. A name is looked
 * up in the translation unit of the piece that uses it, where the host compiler saw it declared,
 * and only helpers and types also in the rest of the module.
 */
#include "runtime/text.h"

#include "runtime/kernel_file.h"
#include "runtime/report.h"
#include "runtime/text_index.h"

#include <stdlib.h>
#include <string.h>

/* The pieces reached so far; the kernel is the first. */
struct reach {
    const teeny_text **pieces;
    size_t count, capacity;
    teeny_text_index index;
    const teeny_text *clash[2]; /* two texts of one name, once found */
    bool failed;                /* out of memory */
};

static bool same_text(const teeny_text *a, const teeny_text *b)
{
    return a->kind == b->kind && strcmp(a->name, b->name) == 0 &&
           strcmp(a->result, b->result) == 0 && strcmp(a->parameters, b->parameters) == 0 &&
           strcmp(a->body, b->body) == 0;
}

static void reach_piece(struct reach *reach, const teeny_text *piece)
{
    for (size_t i = 0; i < reach->count; i++) {
        const teeny_text *other = reach->pieces[i];
        if (other == piece || same_text(other, piece))
            return;
        if (piece->name[0] && strcmp(other->name, piece->name) == 0) {
            reach->clash[0] = other;
            reach->clash[1] = piece;
            return;
        }
    }
    if (reach->count == reach->capacity) {
        size_t capacity = reach->capacity ? 2 * reach->capacity : 16;
        const teeny_text **grown = realloc(reach->pieces, capacity * sizeof *grown);
        if (!grown) {
            reach->failed = true;
            return;
        }
        reach->pieces = grown;
        reach->capacity = capacity;
    }
    reach->pieces[reach->count++] = piece;
}

static void reach_name(struct reach *reach, teeny_name name, const teeny_text *user)
{
    const teeny_provision *first;
    size_t count = teeny_text_index_find(&reach->index, name, &first);
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        if (first[i].piece->unit != user->unit)
            continue;
        reach_piece(reach, first[i].piece);
        found = true;
    }
    for (size_t i = 0; i < count && !found; i++)
        if (first[i].piece->kind != TEENY_TEXT_DECL)
            reach_piece(reach, first[i].piece);
}

static void reach_names_of(struct reach *reach, const char *text, const teeny_text *user)
{
    c_lexer lexer = teeny_lexer_start(text, 0, strlen(text));
    for (c_token token; (token = teeny_lexer_next(&lexer)).kind != C_TOKEN_END;)
        if (token.kind == C_TOKEN_IDENTIFIER)
            reach_name(reach, teeny_token_name(&lexer, token), user);
}

/* Pieces are added while the list is walked, so its end is where nothing new is reached. */
static void reach_all(struct reach *reach, const teeny_text *kernel)
{
    teeny_text_index_build(kernel, &reach->index);
    reach->failed = reach->index.failed;
    if (!reach->failed)
        reach_piece(reach, kernel);
    for (size_t i = 0; i < reach->count && !reach->failed && !reach->clash[0]; i++) {
        const teeny_text *piece = reach->pieces[i];
        reach_names_of(reach, piece->result, piece);
        reach_names_of(reach, piece->parameters, piece);
        reach_names_of(reach, piece->meta, piece);
        reach_names_of(reach, piece->body, piece);
    }
}

/* Other units first, in the order of their addresses, then the kernel's own; within a unit in
 * source order. */
struct place {
    const teeny_text *piece;
    bool own_unit;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *left = a, *right = b;
    const teeny_text *x = left->piece, *y = right->piece;
    if (left->own_unit != right->own_unit)
        return left->own_unit ? 1 : -1;
    if (x->unit != y->unit)
        return (uintptr_t)x->unit < (uintptr_t)y->unit ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

void teeny_text_place(teeny_string *source, size_t line, const char *file)
{
    teeny_string_format(source, "#line %zu \"", line ? line : 1);
    for (const char *at = file; *at; at++) {
        if (*at == '"' || *at == '\\')
            teeny_string_add(source, "\\");
        teeny_string_append(source, *at == '\n' ? "?" : at, 1);
    }
    teeny_string_add(source, "\"\n");
}

static void write_piece(teeny_string *source, const teeny_text *piece)
{
    teeny_text_place(source, piece->line, piece->file);
    switch (piece->kind) {
    case TEENY_TEXT_KERNEL:
        teeny_string_format(source, "TEENY_KERNEL(%s, %s, META(%s), %s);\n", piece->name,
            piece->parameters, piece->meta, piece->body);
        break;
    case TEENY_TEXT_DEVICE:
        teeny_string_format(source, "TEENY_DEVICE(%s, %s, %s, %s);\n", piece->result, piece->name,
            piece->parameters, piece->body);
        break;
    case TEENY_TEXT_DECL:
        teeny_string_format(source, "TEENY_DECL(%s);\n", piece->body);
        break;
    case TEENY_TEXT_TYPE:
        teeny_string_format(source, "TEENY_TYPE(%s, %s);\n", piece->name, piece->body);
        break;
    default: /* no other kind is ever reached */
        break;
    }
}

static teeny_status write_source(const struct reach *reach, teeny_string *source)
{
    struct place *places = malloc(reach->count * sizeof *places);
    if (!places)
        return teeny_fail_memory();
    const teeny_text *kernel = reach->pieces[0];
    for (size_t i = 0; i < reach->count; i++) {
        const teeny_text *piece = reach->pieces[i];
        places[i] = (struct place){piece, piece->unit == kernel->unit};
    }
    qsort(places, reach->count, sizeof *places, compare_places);
    teeny_string_add(source, "/* teeny source 1 */\n#include <teeny/kernel.h>\n");
    for (size_t i = 0; i < reach->count; i++)
        write_piece(source, places[i].piece);
    free(places);
    if (!source->failed)
        return TEENY_OK;
    teeny_string_free(source);
    return teeny_fail_memory();
}

static teeny_status report_clash(const struct reach *reach)
{
    const teeny_text *a = reach->clash[0], *b = reach->clash[1];
    return teeny_fail(TEENY_KERNEL_INVALID,
        "%s:%u: error: kernel `%s` reaches two different texts of `%s`\n%s:%u: note: the other one",
        b->file, b->line, reach->pieces[0]->name, b->name, a->file, a->line);
}

static teeny_status gather(struct reach *reach, const teeny_text *kernel, teeny_string *out_source)
{
    reach_all(reach, kernel);
    if (reach->failed)
        return teeny_fail_memory();
    if (reach->clash[0])
        return report_clash(reach);
    return write_source(reach, out_source);
}

teeny_status teeny_text_check(const teeny_kernel *kernel)
{
    const teeny_text *text = &kernel->text;
    if (text->version != TEENY_DESCRIPTOR_VERSION)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "this kernel was built with version %u of <teeny/descriptor.h>, libteeny with %u",
            text->version, (unsigned)TEENY_DESCRIPTOR_VERSION);
    bool is_kernel = text->kind == TEENY_TEXT_KERNEL || teeny_kernel_is_file(kernel);
    if (!is_kernel || !text->name || !text->name[0])
        return teeny_fail(TEENY_INVALID_ARGUMENT, "this is no TEENY_KERNEL");
    return TEENY_OK;
}

teeny_status teeny_text_gather(const teeny_kernel *kernel, teeny_string *out_source)
{
    struct reach reach = {0};
    if (teeny_kernel_is_file(kernel)) {
        teeny_string_add(out_source, kernel->text.body);
        return out_source->failed ? teeny_fail_memory() : TEENY_OK;
    }
    teeny_status status = gather(&reach, &kernel->text, out_source);
    teeny_text_index_free(&reach.index);
    free(reach.pieces);
    return status;
}
