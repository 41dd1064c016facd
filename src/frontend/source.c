/* Puts the text of one kernel together; see source.h. */
#define _GNU_SOURCE
#include "frontend/source.h"
#include "frontend/source_segment.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_lexer.h"
#include "base/string_builder.h"
#include "frontend/element.h"

typedef struct assembler {
    arena *arena;
    diagnostics *diagnostics;
    const source_settings *settings;
    teeny_string text;
    source_segment *segments;
    size_t num_segments, capacity;
    bool is_right;
} assembler;

static void add_segment(assembler *assembler, source_slice slice)
{
    if (assembler->num_segments == assembler->capacity) {
        size_t capacity = assembler->capacity ? 2 * assembler->capacity : 16;
        source_segment *larger = arena_array(assembler->arena, source_segment, capacity);
        if (assembler->num_segments)
            memcpy(larger, assembler->segments, sizeof *larger * assembler->num_segments);
        assembler->segments = larger;
        assembler->capacity = capacity;
    }
    assembler->segments[assembler->num_segments++] =
        (source_segment){.begin = assembler->text.length, .slice = slice};
}

static void add_copied(assembler *assembler, source_slice slice)
{
    add_segment(assembler, slice);
    teeny_string_append(&assembler->text, slice.file->text + slice.begin, slice.end - slice.begin);
}

static void add_quoted(teeny_string *text, const char *name)
{
    teeny_string_add(text, "\"");
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            teeny_string_add(text, "\\");
        teeny_string_append(text, name, 1);
    }
    teeny_string_add(text, "\"\n");
}

/* What follows is generated: its places are the macro's. */
static void add_generated(assembler *assembler, const capture *capture)
{
    source_slice start = capture->whole;
    start.end = start.begin;
    add_segment(assembler, start);
}

/* A #line, and the copy at its own column: whoever reads the text again sees the same places. */
static void add_placed(assembler *assembler, source_slice slice)
{
    diagnostic_place place = source_slice_place(slice, slice.begin);
    teeny_string_format(&assembler->text, "\n#line %u ", place.line);
    add_quoted(&assembler->text, place.file);
    for (unsigned i = 1; i < place.column; i++)
        teeny_string_append(&assembler->text, &(char){place.text[i - 1] == '\t' ? '\t' : ' '}, 1);
    add_copied(assembler, slice);
}

/* Reports an error of the table at the begin of a slice. */
#define refuse(assembler, slice, ...)                                                              \
    ((assembler)->is_right = false,                                                                \
        diagnostics_error((assembler)->diagnostics, place_of(slice), __VA_ARGS__))

static diagnostic_place place_of(source_slice slice)
{
    return source_slice_place(slice, slice.begin);
}

static source_setting *find_setting(source_setting *settings, size_t count, source_slice name)
{
    size_t length = name.end - name.begin;
    for (size_t i = 0; i < count; i++)
        if (strlen(settings[i].name) == length &&
            memcmp(settings[i].name, name.file->text + name.begin, length) == 0)
            return &settings[i];
    return NULL;
}

static void check_integer(assembler *assembler, source_slice written, source_setting *setting)
{
    char *end;
    errno = 0;
    strtoll(setting->value, &end, 0);
    setting->is_refused = !*setting->value || *end || errno;
    if (!*setting->value || *end)
        refuse(assembler, written, META_NO_INTEGER, setting->name, setting->value);
    else if (errno)
        refuse(assembler, written, META_TOO_LARGE, setting->name, setting->value);
}

/* C has no literal for the least i64. */
static void add_value(assembler *assembler, const source_setting *setting)
{
    if (strtoll(setting->value, NULL, 0) == INT64_MIN)
        teeny_string_format(&assembler->text, "%lld - 1", (long long)(INT64_MIN + 1));
    else
        teeny_string_add(&assembler->text, setting->value);
}

/* One `NAME = value` of META, the value replaced where a setting names it: an enumeration of its
 * own, for one that is no int would change what the others are. */
static void add_meta(assembler *assembler, source_slice written)
{
    c_lexer lexer = teeny_lexer_start(written.file->text, written.begin, written.end);
    lexer.at_line_start = false;
    c_token token = teeny_lexer_next(&lexer);
    source_slice name = written;
    name.begin = token.begin;
    name.end = token.end;
    c_token equals = teeny_lexer_next(&lexer);
    if (token.kind != C_TOKEN_IDENTIFIER || !teeny_token_is(&lexer, equals, "=")) {
        refuse(assembler, written, META_FORM);
        return;
    }
    source_setting *setting =
        find_setting(assembler->settings->metas, assembler->settings->num_metas, name);
    teeny_string_add(&assembler->text, "__extension__ enum { ");
    if (setting) {
        setting->is_used = true;
        check_integer(assembler, written, setting);
        add_copied(assembler, name);
        teeny_string_add(&assembler->text, " = ");
        add_value(assembler, setting);
    } else {
        add_copied(assembler, written);
    }
    teeny_string_add(&assembler->text, " }; ");
}

/* META's list, split at the commas that nothing encloses. */
static void add_metas(assembler *assembler, source_slice meta)
{
    c_lexer lexer = teeny_lexer_start(meta.file->text, meta.begin, meta.end);
    lexer.at_line_start = false;
    source_slice each = meta;
    for (int depth = 0;;) {
        c_token token = teeny_lexer_next(&lexer);
        char c = token.kind == C_TOKEN_PUNCTUATOR ? meta.file->text[token.begin] : '\0';
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        if (token.kind != C_TOKEN_END && !(c == ',' && depth == 0))
            continue;
        each.end = token.kind == C_TOKEN_END ? meta.end : token.begin;
        if (each.begin < each.end)
            add_meta(assembler, each);
        each.begin = token.end;
        if (token.kind == C_TOKEN_END)
            return;
    }
}

static void add_kernel(assembler *assembler, const capture *kernel)
{
    add_generated(assembler, kernel);
    teeny_string_format(&assembler->text, "\nvoid %s", kernel->name);
    add_placed(assembler, kernel->parameters);
    teeny_string_add(&assembler->text, " {\n");
    add_metas(assembler, kernel->meta);
    teeny_string_add(&assembler->text, "enum { teeny_meta_ };");
    add_placed(assembler, kernel->body);
    teeny_string_add(&assembler->text, "\n}\n");
}

static void add_device(assembler *assembler, const capture *device)
{
    add_generated(assembler, device);
    teeny_string_add(&assembler->text, "\nstatic inline");
    add_placed(assembler, device->result);
    teeny_string_format(&assembler->text, " %s", device->name);
    add_placed(assembler, device->parameters);
    add_placed(assembler, device->body);
    teeny_string_add(&assembler->text, "\n");
}

static void add_type(assembler *assembler, const capture *type)
{
    source_slice name = type->whole;
    const char *text = type->body.file->text + type->body.begin;
    const char *element = arena_copy(assembler->arena, text, type->body.end - type->body.begin);
    for (size_t i = 0; i < assembler->settings->num_types; i++) {
        source_setting *setting = &assembler->settings->types[i];
        if (strcmp(setting->name, type->name) != 0)
            continue;
        setting->is_used = true;
        element = setting->value;
        setting->is_refused = element_find(element) == ELEMENT_NONE;
    }
    if (element_find(element) == ELEMENT_NONE)
        refuse(assembler, name, UNKNOWN_ELEMENT, element);
    add_generated(assembler, type);
    teeny_string_format(&assembler->text, "\nTEENY_TYPE(%s, %s);\n", type->name, element);
}

static void add_piece(assembler *assembler, const capture *piece, const capture *kernel)
{
    switch (piece->kind) {
    case CAPTURE_KERNEL:
        if (piece == kernel)
            add_kernel(assembler, piece);
        break;
    case CAPTURE_DEVICE:
        add_device(assembler, piece);
        break;
    case CAPTURE_DECL:
        add_placed(assembler, piece->body);
        teeny_string_add(&assembler->text, "\n");
        break;
    case CAPTURE_TYPE:
        add_type(assembler, piece);
        break;
    }
}

/* A setting that is none of this kernel's would be ignored without a word. */
static void check_used(assembler *assembler, const capture *kernel)
{
    const source_settings *settings = assembler->settings;
    for (size_t i = 0; i < settings->num_metas; i++) {
        source_setting *meta = &settings->metas[i];
        meta->is_refused |= !meta->is_used;
        if (!meta->is_used)
            refuse(assembler, kernel->whole, UNKNOWN_META, meta->name);
    }
    for (size_t i = 0; i < settings->num_types; i++) {
        source_setting *type = &settings->types[i];
        type->is_refused |= !type->is_used;
        if (!type->is_used)
            refuse(assembler, kernel->whole, UNKNOWN_TYPE_PARAMETER, type->name);
    }
}

static bool has_refused(const source_setting *settings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (settings[i].is_refused)
            return true;
    return false;
}

bool source_settings_are_refused(const source_settings *settings)
{
    return has_refused(settings->metas, settings->num_metas) ||
           has_refused(settings->types, settings->num_types);
}

/* The structs behind tl_tensor cost parsing time: only texts that want them get them. */
static bool mentions_tensor(const capture *captures)
{
    static const char word[] = "tl_tensor";
    for (const capture *each = captures; each; each = each->next)
        if (memmem(each->whole.file->text + each->whole.begin, each->whole.end - each->whole.begin,
                word, sizeof word - 1))
            return true;
    return false;
}

bool source_assemble(arena *arena, const capture *captures, const capture *kernel,
    const source_settings *settings, diagnostics *diagnostics, source *out_source)
{
    assembler assembler = {
        .arena = arena, .diagnostics = diagnostics, .settings = settings, .is_right = true};
    teeny_string_add(&assembler.text, "/* teeny source 1 */\n");
    if (mentions_tensor(captures))
        teeny_string_add(&assembler.text, "#define TEENYC_TENSORS\n");
    teeny_string_add(&assembler.text, "#include <teeny/kernel.h>\n");
    for (const capture *each = captures; each; each = each->next)
        add_piece(&assembler, each, kernel);
    check_used(&assembler, kernel);
    out_source->text = arena_copy(arena, teeny_string_text(&assembler.text), assembler.text.length);
    out_source->segments = assembler.segments;
    out_source->num_segments = assembler.num_segments;
    assembler.is_right &= !assembler.text.failed;
    teeny_string_free(&assembler.text);
    return assembler.is_right;
}
