/* The C text of `--emit c`; see embed.h.
 *
 * Written for people: PTX and metadata as strings, a line a line, so that a change can be read in a
 * diff; binary code as numbers. The same kernels give the same text, whatever the machine.
 */
#include "driver/embed.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/string_builder.h"
#include "driver/version.h"

enum { WIDTH = 98, CONTINUED = 7, NUMBERS_WIDTH = 96 };

static product take(arena *arena, teeny_string *text)
{
    product taken = {arena_copy(arena, teeny_string_text(text), text->length), text->length};
    teeny_string_free(text);
    return taken;
}

/* ---- Parameters ------------------------------------------------------------------------------ */

static void add_type(teeny_string *text, const ast_type *type)
{
    if (type->kind == AST_TYPE_POINTER) {
        const ast_type *target = type->target;
        teeny_string_format(text, "%s%s *", target->is_const ? "const " : "",
            element_describe(target->element)->name);
    } else if (type->kind == AST_TYPE_TENSOR) {
        teeny_string_format(text, "%stl_tensor(%s, %d) ", type->is_const ? "const " : "",
            element_describe(type->element)->name, (int)type->lanes);
    } else {
        teeny_string_format(text, "%s ", element_describe(type->element)->name);
    }
}

static void add_parameter(
    teeny_string *text, const ast_function *tree, size_t parameter, const char *name)
{
    teeny_string_add(text, parameter ? ", " : "");
    add_type(text, tree->parameters[parameter]->type);
    teeny_string_add(text, name);
}

/* "f32 *out, i32 n", as libteeny's types have it: a TEENY_TYPE is what it stands for. */
static void add_parameters(teeny_string *text, const embedded_kernel *kernel)
{
    for (size_t i = 0; i < kernel->tree->num_parameters; i++)
        add_parameter(text, kernel->tree, i, kernel->c_parameters[i]);
}

/* By the kernel's own names. */
static void add_own_parameters(teeny_string *text, const ast_function *tree)
{
    for (size_t i = 0; i < tree->num_parameters; i++)
        add_parameter(text, tree, i, tree->parameters[i]->name);
}

static void add_metas(teeny_string *text, const ast_function *tree)
{
    for (size_t i = 0; i < tree->num_metas; i++)
        teeny_string_format(text, "%s%s = %lld", i ? ", " : "", tree->metas[i].name,
            (long long)tree->metas[i].value);
}

/* ---- The header ------------------------------------------------------------------------------ */

/* Each target and stage once: those for any arguments. */
static void add_targets(teeny_string *text, const embedded_kernel *kernel)
{
    const char *between = "";
    for (const embedded_image *image = kernel->images; image; image = image->next) {
        if (*image->specialised)
            continue;
        teeny_string_format(
            text, "%s%s%s", between, image->target, image->stage == STAGE_cubin ? " (cubin)" : "");
        between = ", ";
    }
}

/* INT64_MIN has no literal in C. */
static void add_wide_constant(
    teeny_string *text, const embedded_kernel *kernel, const ast_constant *meta)
{
    teeny_string_format(text, "#define %s_%s ", kernel->c_name, meta->name);
    if (meta->value == INT64_MIN)
        teeny_string_format(text, "(-INT64_C(%lld) - 1)\n", (long long)INT64_MAX);
    else
        teeny_string_format(text, "INT64_C(%lld)\n", (long long)meta->value);
}

/* A constant of an enum is an int. */
static void add_meta_constants(teeny_string *text, const embedded_kernel *kernel)
{
    for (size_t i = 0; i < kernel->tree->num_metas; i++) {
        const ast_constant *meta = &kernel->tree->metas[i];
        if (meta->value >= INT_MIN && meta->value <= INT_MAX)
            teeny_string_format(text, "enum { %s_%s = %lld };\n", kernel->c_name, meta->name,
                (long long)meta->value);
        else
            add_wide_constant(text, kernel, meta);
    }
}

/* A statement, broken behind commas where it is too long for a line. */
static void add_wrapped(teeny_string *text, teeny_string *statement)
{
    size_t column = 0;
    for (const char *at = teeny_string_text(statement); *at;) {
        size_t length = strcspn(at, ",");
        length += at[length] == ',';
        if (column && column + length > WIDTH) {
            teeny_string_add(text, "\n       ");
            column = CONTINUED;
        }
        teeny_string_append(text, at, length);
        column += length;
        at += length;
    }
    teeny_string_free(statement);
}

static void add_note(teeny_string *text, const embedded_kernel *kernel)
{
    teeny_string note = {0};
    teeny_string_add(&note, "\n/* For ");
    add_targets(&note, kernel);
    teeny_string_add(&note, ". */\n");
    add_wrapped(text, &note);
}

static void add_declaration(teeny_string *text, const embedded_kernel *kernel)
{
    teeny_string declaration = {0};
    teeny_string_format(&declaration, "TEENY_KERNEL_DECLARE(%s, (", kernel->c_name);
    add_parameters(&declaration, kernel);
    teeny_string_add(&declaration, "), META(");
    add_metas(&declaration, kernel->tree);
    teeny_string_add(&declaration, "));\n");
    add_wrapped(text, &declaration);
}

/* `call` is the launch. */
static void add_launch(teeny_string *text, const embedded_kernel *kernel, teeny_string *call)
{
    const ast_function *tree = kernel->tree;
    teeny_string head = {0};
    teeny_string_format(&head,
        "static inline teeny_status %s_launch(teeny_stream *stream, teeny_grid grid%s",
        kernel->c_name, tree->num_parameters ? ", " : "");
    add_parameters(&head, kernel);
    teeny_string_add(&head, ")\n");
    add_wrapped(text, &head);
    teeny_string_add(text, "{\n");
    add_wrapped(text, call);
    teeny_string_add(text, "}\n");
}

/* A struct of no parameters is none in ISO C. */
static void declare_bare_kernel(teeny_string *text, const embedded_kernel *kernel)
{
    teeny_string call = {0};
    teeny_string_format(text,
        "TEENY_BEGIN_C\nextern const teeny_kernel teeny_kernel_%s;\nTEENY_END_C\n", kernel->c_name);
    add_meta_constants(text, kernel);
    teeny_string_format(&call,
        "    return teeny_launch(stream, TEENY_KERNEL_OF(%s), grid, NULL, 0);\n", kernel->c_name);
    add_launch(text, kernel, &call);
}

static void declare_kernel(teeny_string *text, const embedded_kernel *kernel)
{
    const ast_function *tree = kernel->tree;
    add_note(text, kernel);
    if (tree->num_parameters == 0) {
        declare_bare_kernel(text, kernel);
        return;
    }
    add_declaration(text, kernel);
    add_meta_constants(text, kernel);
    teeny_string call = {0};
    teeny_string_format(&call, "    return TEENY_LAUNCH(%s, stream, grid", kernel->c_name);
    for (size_t i = 0; i < tree->num_parameters; i++)
        teeny_string_format(&call, ", %s", kernel->c_parameters[i]);
    teeny_string_add(&call, ");\n");
    add_launch(text, kernel, &call);
}

/* FNV-1a. */
static uint32_t hash_text(teeny_string *text)
{
    uint32_t hash = 2166136261;
    for (const char *at = teeny_string_text(text); *at; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619;
    return hash;
}

/* Headers of one name in several directories hold other kernels: the guard knows which. */
static const char *guard_of(arena *arena, const char *header_name, teeny_string *declarations)
{
    char *guard =
        arena_format(arena, "TEENY_EMBEDDED_%s_%08" PRIX32, header_name, hash_text(declarations));
    for (char *at = guard; *at; at++)
        *at = (char)(isalnum((unsigned char)*at) ? toupper((unsigned char)*at) : '_');
    return guard;
}

product embed_header(
    arena *arena, const embedded_kernel *kernels, const char *header_name, const char *source_name)
{
    teeny_string text = {0}, declarations = {0};
    for (const embedded_kernel *kernel = kernels; kernel; kernel = kernel->next)
        declare_kernel(&declarations, kernel);
    const char *guard = guard_of(arena, header_name, &declarations);
    teeny_string_format(&text,
        "/* Kernels of %s, compiled ahead: made by teenyc %s --emit c; see <teeny/embedded.h>.\n"
        " *\n"
        " * NAME_launch(stream, grid, arguments...) starts a kernel, as TEENY_LAUNCH(NAME, ...) "
        "does, "
        "and\n"
        " * NAME_META is the value that a name of its META has. */\n"
        "#ifndef %s\n#define %s\n\n#include <teeny/teeny.h>\n%s\n#endif\n",
        source_name, TEENYC_VERSION, guard, guard, teeny_string_text(&declarations));
    teeny_string_free(&declarations);
    return take(arena, &text);
}

/* ---- The C file ------------------------------------------------------------------------------ */

static void add_character(teeny_string *text, char c)
{
    switch (c) {
    case '"':
    case '\\':
    case '?': /* of a trigraph */
        teeny_string_format(text, "\\%c", c);
        break;
    case '\t':
        teeny_string_add(text, "\\t");
        break;
    default:
        if (c >= ' ' && c <= '~')
            teeny_string_append(text, &c, 1);
        else
            teeny_string_format(text, "\\%03o", (unsigned char)c);
    }
}

static void add_quoted(teeny_string *text, const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        add_character(text, data[i]);
}

/* A string, a literal a line. */
static void add_lines(teeny_string *text, const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char *end = memchr(data + i, '\n', size - i);
        size_t length = end ? (size_t)(end - data) - i : size - i;
        teeny_string_add(text, "\n    \"");
        add_quoted(text, data + i, length);
        teeny_string_add(text, end ? "\\n\"" : "\"");
        i += length;
    }
}

static void add_numbers(teeny_string *text, const char *data, size_t size)
{
    size_t line = text->length;
    for (size_t i = 0; i < size; i++) {
        if (i == 0 || text->length - line > NUMBERS_WIDTH) {
            teeny_string_add(text, "\n    ");
            line = text->length;
        }
        teeny_string_format(text, "%u,", (unsigned char)data[i]);
    }
}

/* An image of the compilation that the one before is of, too, shares its metadata. */
static bool starts_compilation(const embedded_kernel *kernel, const embedded_image *image)
{
    const embedded_image *before = kernel->images;
    while (before != image && before->next != image)
        before = before->next;
    return before == image || before->metadata != image->metadata;
}

static void define_metadata(
    teeny_string *text, const char *name, const embedded_image *image, size_t number)
{
    teeny_string_format(text, "\nstatic const char teeny_metadata_%s_%zu[] =", name, number);
    add_lines(text, image->metadata, strlen(image->metadata));
    teeny_string_add(text, ";\n");
}

static void define_code(
    teeny_string *text, const embedded_kernel *kernel, const embedded_image *image, size_t number)
{
    if (image->stage == STAGE_ptx) {
        teeny_string_format(
            text, "static const char teeny_code_%s_%zu[] =", kernel->c_name, number);
        add_lines(text, image->code.data, image->code.size);
        teeny_string_add(text, ";\n");
        return;
    }
    teeny_string_format(
        text, "static const unsigned char teeny_code_%s_%zu[] = {", kernel->c_name, number);
    add_numbers(text, image->code.data, image->code.size);
    teeny_string_add(text, "\n};\n");
}

/* The size of PTX leaves its zero byte out. */
static void list_image(teeny_string *text, const char *name, const embedded_image *image,
    size_t metadata, size_t number)
{
    teeny_string_format(text, "    {\"%s\", \"%s\", \"%s\", teeny_metadata_%s_%zu,\n",
        image->target, image->specialised, stages[image->stage].name, name, metadata);
    teeny_string_format(text, "        teeny_code_%s_%zu, sizeof teeny_code_%s_%zu%s},\n", name,
        number, name, number, image->stage == STAGE_ptx ? " - 1" : "");
}

static void define_record(
    teeny_string *text, const embedded_kernel *kernel, const char *source_name)
{
    const char *name = kernel->c_name;
    bool is_bare = kernel->tree->num_parameters == 0;
    if (!is_bare)
        teeny_string_format(text,
            "_Static_assert(sizeof(TEENY_ARGUMENTS(%s)) == %zu, \"the arguments that teenyc "
            "packs\");\n",
            name, kernel->arguments_bytes);
    teeny_string_format(text,
        "const teeny_kernel teeny_kernel_%s = {\n"
        "    .text = {.version = TEENY_DESCRIPTOR_VERSION,\n"
        "        .kind = TEENY_TEXT_KERNEL,\n"
        "        .line = %u,\n"
        "        .file = \"",
        name, kernel->place.line);
    add_quoted(text, source_name, strlen(source_name));
    teeny_string_format(text,
        "\",\n        .name = \"%s\",\n        .result = \"\",\n        .parameters = \"(",
        kernel->name);
    add_own_parameters(text, kernel->tree);
    teeny_string_add(text, ")\",\n        .meta = \"");
    add_metas(text, kernel->tree);
    teeny_string_format(text,
        "\",\n        .body = \"\"},\n    .arguments_size = %zu,\n    .embedded = "
        "&teeny_list_%s,\n};\n",
        kernel->arguments_bytes, name);
}

static void define_kernel(
    teeny_string *text, const embedded_kernel *kernel, const char *source_name)
{
    const char *name = kernel->c_name;
    size_t number = 0, metadata = 0;
    teeny_string list = {0};
    teeny_string_format(text, "\n/* ---- %s ---- */\n", name);
    for (const embedded_image *image = kernel->images; image; image = image->next) {
        if (starts_compilation(kernel, image))
            define_metadata(text, name, image, metadata = number);
        define_code(text, kernel, image, number);
        list_image(&list, name, image, metadata, number++);
    }
    teeny_string_format(text,
        "\n/* The target, what is known of the arguments, what the code is. */\n"
        "static const teeny_embedded_image teeny_images_%s[] = {\n%s};\n"
        "static const teeny_embedded teeny_list_%s = {teeny_images_%s, %zu};\n\n",
        name, teeny_string_text(&list), name, name, number);
    teeny_string_free(&list);
    define_record(text, kernel, source_name);
}

product embed_source(
    arena *arena, const embedded_kernel *kernels, const char *header_name, const char *source_name)
{
    teeny_string text = {0};
    teeny_string_format(&text,
        "/* Kernels of %s, compiled ahead: made by teenyc %s --emit c. A program that links this "
        "file "
        "needs\n"
        " * libteeny and no compiler; libteeny picks the image that suits the device (see\n"
        " * <teeny/embedded.h>). */\n"
        "#include \"%s\"\n\n"
        "#pragma GCC diagnostic ignored \"-Woverlength-strings\" /* PTX is long */\n",
        source_name, TEENYC_VERSION, header_name);
    for (const embedded_kernel *kernel = kernels; kernel; kernel = kernel->next)
        define_kernel(&text, kernel, source_name);
    return take(arena, &text);
}
