/* The text of a kernel file, made whole; see kernel_text.h. What teenyc would read beside the file
 * is taken in here: teenyc is given a copy that lies elsewhere, and the cache's key must cover it.
 */
#include "runtime/kernel_text.h"

#include "base/c_lexer.h"
#include "base/files.h"
#include "runtime/report.h"
#include "runtime/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 256 };

/* ---- Included files -------------------------------------------------------------------------- */

struct includer {
    teeny_string *whole;
    char *seen[MOST_FILES];
    size_t count;
    bool failed; /* out of memory */
};

/* EILSEQ: there is a zero byte in it. */
static int read_file(const char *path, teeny_bytes *out_bytes)
{
    int error = teeny_file_read_named(path, TEENY_LONGEST_KERNEL_FILE, out_bytes);
    if (!error && strlen(out_bytes->data) != out_bytes->size) {
        teeny_bytes_free(out_bytes);
        return EILSEQ;
    }
    return error;
}

/* Where `name`, included by `file`, is looked for. NULL where memory is out. */
static char *beside(const char *file, const char *name, size_t length)
{
    const char *slash = name[0] == '/' ? NULL : strrchr(file, '/');
    teeny_string path = {0};
    if (slash)
        teeny_string_append(&path, file, (size_t)(slash - file + 1));
    teeny_string_append(&path, name, length);
    return teeny_string_take(&path);
}

/* The name in `#include "name"`; false for any other directive. */
static bool is_include(
    const char *text, c_token directive, const char **out_name, size_t *out_length)
{
    c_lexer lexer = teeny_lexer_start(text, directive.begin + 1, directive.end);
    lexer.at_line_start = false;
    c_token word = teeny_lexer_next(&lexer);
    c_token name = teeny_lexer_next(&lexer);
    *out_name = text + name.begin + 1;
    *out_length = name.end - name.begin - 2;
    return teeny_token_is(&lexer, word, "include") && name.kind == C_TOKEN_STRING &&
           name.end - name.begin > 2 && text[name.end - 1] == '"';
}

static bool was_seen(const struct includer *includer, const char *path)
{
    for (size_t i = 0; i < includer->count; i++)
        if (strcmp(includer->seen[i], path) == 0)
            return true;
    return false;
}

static void add_text(struct includer *includer, const char *text, const char *file);

/* Takes over `path`. False: the line stays as it is. */
static bool add_file(struct includer *includer, char *path)
{
    teeny_bytes bytes;
    if (!path) {
        includer->failed = true;
        return false;
    }
    bool is_seen = was_seen(includer, path);
    bool is_taken = !is_seen && includer->count < MOST_FILES;
    int error = is_taken ? read_file(path, &bytes) : 0;
    if (!is_taken || error) {
        includer->failed |= error == ENOMEM;
        free(path);
        return is_seen;
    }
    includer->seen[includer->count++] = path;
    add_text(includer, bytes.data, path);
    teeny_bytes_free(&bytes);
    return true;
}

/* The recursion ends since no file is taken twice. */
static void add_text(struct includer *includer, const char *text, const char *file) // NOLINT
{
    size_t copied = 0, line = 1, counted = 0;
    c_lexer lexer = teeny_lexer_start(text, 0, strlen(text));
    teeny_text_place(includer->whole, 1, file);
    for (c_token token; (token = teeny_lexer_next(&lexer)).kind != C_TOKEN_END;) {
        const char *name;
        size_t length;
        if (token.kind != C_TOKEN_DIRECTIVE || !is_include(text, token, &name, &length))
            continue;
        teeny_string_append(includer->whole, text + copied, token.begin - copied);
        copied = token.begin;
        if (!add_file(includer, beside(file, name, length)))
            continue;
        copied = token.end;
        for (; counted < token.end; counted++)
            line += text[counted] == '\n';
        teeny_string_add(includer->whole, "\n");
        teeny_text_place(includer->whole, line, file);
    }
    teeny_string_add(includer->whole, text + copied);
}

void teeny_kernel_text_include(const char *text, const char *file, teeny_string *out_whole)
{
    struct includer includer = {.whole = out_whole};
    *out_whole = (teeny_string){0};
    includer.seen[0] = strdup(file);
    includer.count = includer.seen[0] != NULL;
    includer.failed = !includer.count;
    if (!includer.failed)
        add_text(&includer, text, file);
    for (size_t i = 0; i < includer.count; i++)
        free(includer.seen[i]);
    if (!includer.failed)
        return;
    teeny_string_free(out_whole);
    out_whole->failed = true;
}

teeny_status teeny_kernel_text_read(const char *path, teeny_string *out_text)
{
    teeny_bytes bytes;
    int error = read_file(path, &bytes);
    if (error == ENOMEM)
        return teeny_fail_memory();
    if (error == EILSEQ)
        return teeny_fail(TEENY_IO_FAILED, "%s: it holds a zero byte: it is no text", path);
    if (error == EFBIG)
        return teeny_fail(TEENY_IO_FAILED, "%s: it has more than %d bytes: it is no kernel's file",
            path, TEENY_LONGEST_KERNEL_FILE);
    if (error)
        return teeny_fail(TEENY_IO_FAILED, "%s: %s", path, teeny_file_problem(error));
    *out_text =
        (teeny_string){.data = bytes.data, .length = bytes.size, .capacity = bytes.size + 1};
    return TEENY_OK;
}

/* ---- Kernels --------------------------------------------------------------------------------- */

/* What was found of them. */
struct kernels {
    teeny_string list; /* for messages */
    size_t count;
    char *chosen; /* the one that was asked for, or the last */
};

static void add_kernel(
    struct kernels *kernels, const char *begin, size_t length, const char *wanted)
{
    teeny_string_format(&kernels->list, "%s%.*s", kernels->count ? ", " : "", (int)length, begin);
    kernels->count++;
    bool is_wanted = !wanted || (strlen(wanted) == length && memcmp(wanted, begin, length) == 0);
    if (!is_wanted)
        return;
    free(kernels->chosen);
    kernels->chosen = strndup(begin, length);
    kernels->list.failed |= !kernels->chosen;
}

/* TEENY_KERNEL ( NAME */
static void find_kernels(const char *text, const char *wanted, struct kernels *kernels)
{
    c_lexer lexer = teeny_lexer_start(text, 0, strlen(text));
    int matched = 0;
    for (c_token token; (token = teeny_lexer_next(&lexer)).kind != C_TOKEN_END;) {
        if (matched == 2 && token.kind == C_TOKEN_IDENTIFIER)
            add_kernel(kernels, text + token.begin, token.end - token.begin, wanted);
        if (matched == 1 && teeny_token_is(&lexer, token, "("))
            matched = 2;
        else
            matched =
                token.kind == C_TOKEN_IDENTIFIER && teeny_token_is(&lexer, token, "TEENY_KERNEL");
    }
}

static teeny_status judge(const struct kernels *kernels, const char *file, const char *name)
{
    if (kernels->list.failed)
        return teeny_fail_memory();
    if (kernels->count == 0)
        return teeny_fail(TEENY_KERNEL_INVALID, "%s: error: no TEENY_KERNEL in this file", file);
    if (!kernels->chosen)
        return teeny_fail(TEENY_KERNEL_INVALID,
            "%s: error: there is no kernel named '%s' here, but: %s", file, name,
            kernels->list.data);
    if (!name && kernels->count > 1)
        return teeny_fail(
            TEENY_KERNEL_INVALID, "%s: error: which kernel? It has: %s", file, kernels->list.data);
    return TEENY_OK;
}

teeny_status teeny_kernel_text_choose(
    const char *text, const char *file, const char *name, char **out_name)
{
    struct kernels kernels = {0};
    find_kernels(text, name, &kernels);
    teeny_status status = judge(&kernels, file, name);
    if (status == TEENY_OK)
        *out_name = kernels.chosen;
    else
        free(kernels.chosen);
    teeny_string_free(&kernels.list);
    return status;
}
