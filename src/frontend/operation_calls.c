/* See operation_calls.h. */
#include "frontend/operation_calls.h"

#include <limits.h>
#include <string.h>

#include "base/c_lexer.h"

/* ---- How many an operation takes ------------------------------------------------------------- */

typedef struct argument_limits {
    unsigned least, most;
} argument_limits;

/* From how the operation is shown: "tl_load(pointer, offsets[, mask[, other[, flags]]])". What
 * stands in brackets may be left out, "..." at the end goes on, "(i, ...)" is one argument. */
static argument_limits limits_of(const operation_info *operation)
{
    argument_limits limits = {1, 1};
    int parentheses = 0, brackets = 0;
    for (const char *at = strchr(operation->usage, '('); *at; at++) {
        parentheses += (*at == '(') - (*at == ')');
        brackets += (*at == '[') - (*at == ']');
        if (parentheses != 1)
            continue;
        if (strncmp(at, "...", 3) == 0)
            limits.most = UINT_MAX;
        if (*at != ',' || limits.most == UINT_MAX)
            continue;
        limits.most++;
        limits.least += brackets == 0;
    }
    return limits;
}

const char *operation_call_wanted(arena *arena, const operation_info *operation)
{
    argument_limits limits = limits_of(operation);
    const char *plural = limits.least == 1 ? "" : "s";
    if (limits.most == UINT_MAX)
        return arena_format(arena, "%u argument%s or more", limits.least, plural);
    if (limits.least == limits.most)
        return arena_format(arena, "%u argument%s", limits.least, plural);
    return arena_format(arena, "%u to %u arguments", limits.least, limits.most);
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* An open parenthesis. */
typedef struct opened {
    struct opened *around;
    operation_call *call; /* NULL: not an operation's */
    bool is_empty;        /* nothing stands in it so far */
} opened;

typedef struct reader {
    arena *arena;
    c_lexer lexer;
    opened *innermost;
    operation_call *first, **end;
    operation_call **statement; /* where the calls of this statement begin */
    size_t statement_begin;
} reader;

static const operation_info *find_operation(const reader *reader, c_token name)
{
    static const char prefix[] = "tl_";
    const char *text = reader->lexer.text + name.begin;
    size_t length = name.end - name.begin, before = sizeof prefix - 1;
    if (name.kind != C_TOKEN_IDENTIFIER || length < before || strncmp(text, prefix, before) != 0)
        return NULL;
    for (size_t i = 0; i < num_operations; i++)
        if (strlen(operations[i].name) == length - before &&
            memcmp(operations[i].name, text + before, length - before) == 0)
            return &operations[i];
    return NULL;
}

static void open_parenthesis(reader *reader, c_token before)
{
    opened *opened = arena_new(reader->arena, struct opened);
    *opened = (struct opened){.around = reader->innermost, .is_empty = true};
    const operation_info *operation = find_operation(reader, before);
    if (operation) {
        opened->call = arena_new(reader->arena, operation_call);
        *opened->call = (operation_call){.operation = operation, .place = before.begin};
    }
    reader->innermost = opened;
}

static void close_parenthesis(reader *reader)
{
    opened *closed = reader->innermost;
    if (!closed)
        return;
    reader->innermost = closed->around;
    if (!closed->call)
        return;
    closed->call->num_arguments += !closed->is_empty;
    *reader->end = closed->call;
    reader->end = &closed->call->next;
}

static void end_statement(reader *reader, size_t end)
{
    for (operation_call *call = *reader->statement; call; call = call->next) {
        call->begin = reader->statement_begin;
        call->end = end;
    }
    reader->statement = reader->end;
    reader->statement_begin = end;
}

static void read_punctuator(reader *reader, c_token token, c_token before)
{
    char c = reader->lexer.text[token.begin];
    opened *around = reader->innermost;
    bool is_argument_of_operation = around && around->call;
    if (around && c != ')')
        around->is_empty = false;
    if (c == '(')
        open_parenthesis(reader, before);
    else if (c == ')')
        close_parenthesis(reader);
    else if (c == ',' && is_argument_of_operation)
        around->call->num_arguments++;
    else if (strchr(";{}", c) && !is_argument_of_operation)
        end_statement(reader, token.end);
}

const operation_call *operation_calls_read(arena *arena, const char *text)
{
    size_t length = strlen(text);
    reader reader = {.arena = arena, .lexer = teeny_lexer_start(text, 0, length)};
    reader.statement = reader.end = &reader.first;
    c_token before = {C_TOKEN_END, 0, 0};
    for (c_token token; (token = teeny_lexer_next(&reader.lexer)).kind != C_TOKEN_END;
        before = token) {
        opened *around = reader.innermost;
        if (token.kind == C_TOKEN_PUNCTUATOR)
            read_punctuator(&reader, token, before);
        else if (around && token.kind != C_TOKEN_DIRECTIVE)
            around->is_empty = false;
        else if (around && around->call)
            around->call->is_unsure = true;
    }
    end_statement(&reader, length);
    return reader.first;
}

/* ---- Finding --------------------------------------------------------------------------------- */

static bool is_miscounted(const operation_call *call)
{
    argument_limits limits = limits_of(call->operation);
    return call->num_arguments < limits.least || call->num_arguments > limits.most;
}

static bool is_scalar_reduction(const operation_call *call)
{
    return strcmp(call->operation->group, "reduce") == 0 &&
           call->num_arguments == limits_of(call->operation).least + 1;
}

static bool is_beside(const operation_call *call, size_t offset)
{
    return call->begin <= offset && offset < call->end;
}

static const operation_call *find(
    const operation_call *call, size_t offset, bool (*is_wanted)(const operation_call *call))
{
    while (call && (!is_beside(call, offset) || call->is_unsure || !is_wanted(call)))
        call = call->next;
    return call;
}

const operation_call *operation_calls_find_miscounted(const operation_call *calls, size_t offset)
{
    return find(calls, offset, is_miscounted);
}

const operation_call *operation_calls_find_scalar_reduction(
    const operation_call *calls, size_t offset)
{
    return find(calls, offset, is_scalar_reduction);
}

const operation_call *operation_calls_find_at(const operation_call *call, size_t place)
{
    while (call && call->place != place)
        call = call->next;
    return call;
}

bool operation_calls_share_statement(const operation_call *call, size_t one, size_t other)
{
    while (call && !(is_beside(call, one) && is_beside(call, other)))
        call = call->next;
    return call != NULL;
}
