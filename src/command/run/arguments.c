/* Reads NAME=VALUE words; see arguments.h. */
#include "command/run/arguments.h"

#include "command/command.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t most_bytes = INT64_C(1) << 40;

bool argument_refuse(const char *word, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    command_usage("run", "'%s': %s", word, text);
    return false;
}

/* Integers are exact: strtold takes their digits as well, and hexadecimal. */
bool number_read(const char *text, long double *out_number)
{
    char *end;
    if (!*text || isspace((unsigned char)*text))
        return false;
    *out_number = strtold(text, &end);
    return end != text && !*end;
}

/* ---- Buffers: TYPE[SHAPE;STRIDE]:FILL -------------------------------------------------------- */

/* Numbers between commas, up to one of `ends`, where `*at` then is. */
static bool read_list(const argument *argument, const char **at, const char *ends,
    int64_t *out_numbers, int *out_count)
{
    for (*out_count = 0;; (*at)++) {
        char *end;
        errno = 0;
        long long number = strtoll(*at, &end, 10);
        if (!isdigit((unsigned char)**at) || errno)
            return argument_refuse(argument->word, "a dimension is a number, not '%s'", *at);
        if (*out_count == MOST_DIMENSIONS)
            return argument_refuse(argument->word, "more than %d dimensions", MOST_DIMENSIONS);
        out_numbers[(*out_count)++] = number;
        *at = end;
        if (**at && strchr(ends, **at))
            return true;
        if (**at != ',')
            return argument_refuse(argument->word, "a `]` is missing: '%s'", *at);
    }
}

static void set_row_major(argument *argument)
{
    int64_t stride = 1;
    for (int i = argument->rank; i-- > 0;) {
        argument->stride[i] = stride;
        if (__builtin_mul_overflow(stride, argument->shape[i], &stride))
            stride = INT64_MAX;
    }
}

/* From the first element to the last. */
static bool set_count(argument *argument)
{
    int64_t last = 0, step;
    bool is_empty = false, is_too_large = false;
    for (int i = 0; i < argument->rank; i++) {
        is_empty |= argument->shape[i] == 0;
        if (argument->shape[i] == 0)
            continue;
        is_too_large |=
            __builtin_mul_overflow(argument->shape[i] - 1, argument->stride[i], &step) ||
            __builtin_add_overflow(last, step, &last);
    }
    is_too_large |= last >= most_bytes / (int64_t)argument->element->bytes;
    if (is_too_large && !is_empty)
        return argument_refuse(argument->word, "a buffer has at most 2^40 bytes");
    argument->count = is_empty ? 0 : (size_t)last + 1;
    return true;
}

/* Behind the `[`; `*at` is behind the `]` then. */
static bool read_shape(argument *argument, const char **at)
{
    if (!read_list(argument, at, ";]", argument->shape, &argument->rank))
        return false;
    set_row_major(argument);
    if (**at == ';') {
        int strides;
        (*at)++;
        if (!read_list(argument, at, "]", argument->stride, &strides))
            return false;
        if (strides != argument->rank)
            return argument_refuse(
                argument->word, "%d dimensions and %d strides", argument->rank, strides);
    }
    (*at)++;
    return set_count(argument);
}

/* ---- Fills ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    fill_kind kind;
    int most;               /* how many numbers may follow */
    long double numbers[2]; /* those that are not given; for random see below */
} fills[] = {
    {"zero", FILL_CONSTANT, 0, {0, 0}},
    {"arange", FILL_ARANGE, 2, {0, 1}},
    {"random", FILL_RANDOM, 2, {0, 0}},
};

static void set_random_range(const element *element, fill *fill)
{
    static const long double ranges[][2] = {
        [ELEMENT_BOOLEAN] = {0, 1},
        [ELEMENT_SIGNED] = {-100, 100},
        [ELEMENT_UNSIGNED] = {0, 100},
        [ELEMENT_FLOATING] = {-1, 1},
    };
    memcpy(fill->numbers, ranges[element->class], sizeof fill->numbers);
}

static bool check_number(const argument *argument, const char *text, long double number)
{
    if (argument->element->class == ELEMENT_FLOATING || element_fits(argument->element, number))
        return true;
    return argument_refuse(argument->word, "%s is no %s", text, argument->element->name);
}

static bool check_range(const argument *argument, int count)
{
    const fill *fill = &argument->fill;
    if (fill->kind != FILL_RANDOM || (count != 1 && fill->numbers[0] <= fill->numbers[1]))
        return true;
    return argument_refuse(
        argument->word, "random takes two numbers, the smaller one first, or none");
}

/* `:NUMBER`, as often as there are, into a fill whose numbers are the defaults. */
static bool read_numbers(argument *argument, const char *name, const char *at, int most)
{
    int count = 0;
    for (size_t length; *at; at += 1 + length) {
        char text[64];
        length = strcspn(at + 1, ":");
        snprintf(text, sizeof text, "%.*s", (int)length, at + 1);
        if (count == most || count == 2)
            return argument_refuse(
                argument->word, "%s takes %s numbers", name, most ? "two" : "no");
        if (!number_read(text, &argument->fill.numbers[count]))
            return argument_refuse(argument->word, "'%s' is no number", text);
        if (!check_number(argument, text, argument->fill.numbers[count++]))
            return false;
    }
    return check_range(argument, count);
}

/* Behind the `:`. */
static bool read_fill(argument *argument, const char *text)
{
    size_t length = strcspn(text, ":");
    for (size_t i = 0; i < sizeof fills / sizeof fills[0]; i++) {
        if (strlen(fills[i].name) != length || strncmp(text, fills[i].name, length) != 0)
            continue;
        argument->fill.kind = fills[i].kind;
        memcpy(argument->fill.numbers, fills[i].numbers, sizeof fills[i].numbers);
        if (fills[i].kind == FILL_RANDOM)
            set_random_range(argument->element, &argument->fill);
        return read_numbers(argument, fills[i].name, text + length, fills[i].most);
    }
    if (strncmp(text, "file:", 5) == 0 && text[5]) {
        argument->fill = (fill){.kind = FILL_FILE, .path = text + 5};
        return true;
    }
    if (!number_read(text, &argument->fill.numbers[0]))
        return argument_refuse(argument->word,
            "a buffer is filled with zero, arange, random, file:PATH or a number, not '%s'", text);
    return check_number(argument, text, argument->fill.numbers[0]);
}

/* ---- Words ----------------------------------------------------------------------------------- */

static bool read_value(argument *argument, const char *value)
{
    size_t length = strcspn(value, "[");
    if (!value[length]) {
        argument->scalar = value;
        return true;
    }
    argument->element = element_find(value, length);
    if (!argument->element)
        return argument_refuse(argument->word, "there is no element type '%.*s': there are %s",
            (int)length, value, element_names());
    const char *at = value + length + 1;
    if (!read_shape(argument, &at))
        return false;
    if (*at == ':')
        return read_fill(argument, at + 1);
    return !*at || argument_refuse(argument->word, "'%s' follows the `]`: a `:` is missing", at);
}

static bool read_word(const char *word, arguments *arguments)
{
    const char *equals = strchr(word, '=');
    if (!equals || equals == word || !equals[1])
        return argument_refuse(word, "an argument is NAME=VALUE");
    argument *argument = &arguments->list[arguments->count];
    argument->word = word;
    argument->name = strndup(word, (size_t)(equals - word));
    if (!argument->name)
        return argument_refuse(word, "out of memory");
    if (arguments_find(arguments, argument->name)) {
        free(argument->name);
        return argument_refuse(word, "the argument is given twice");
    }
    arguments->count++;
    return read_value(argument, equals + 1);
}

bool arguments_read(char **words, int count, arguments *out_arguments)
{
    *out_arguments = (arguments){0};
    if (count > MOST_ARGUMENTS)
        return argument_refuse(words[MOST_ARGUMENTS], "more than %d arguments", MOST_ARGUMENTS);
    out_arguments->list = calloc((size_t)count + 1, sizeof *out_arguments->list);
    if (!out_arguments->list)
        return argument_refuse("", "out of memory");
    for (int i = 0; i < count; i++)
        if (!read_word(words[i], out_arguments))
            return false;
    return true;
}

void arguments_free(arguments *arguments)
{
    for (int i = 0; i < arguments->count; i++)
        free(arguments->list[i].name);
    free(arguments->list);
}

argument *arguments_find(const arguments *arguments, const char *name)
{
    for (int i = 0; i < arguments->count; i++)
        if (strcmp(arguments->list[i].name, name) == 0)
            return &arguments->list[i];
    return NULL;
}
