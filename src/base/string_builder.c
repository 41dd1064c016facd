/* A string that grows; see string_builder.h. */
#include "base/string_builder.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(teeny_string *string)
{
    free(string->data);
    *string = (teeny_string){.failed = true};
}

/* Makes room for `more` bytes and the zero byte behind them. */
static bool reserve(teeny_string *string, size_t more)
{
    if (string->failed)
        return false;
    if (more > SIZE_MAX / 2 - string->length - 1) {
        fail(string);
        return false;
    }
    size_t needed = string->length + more + 1;
    if (needed <= string->capacity)
        return true;
    size_t capacity = string->capacity ? string->capacity : 64;
    while (capacity < needed)
        capacity *= 2;
    char *data = realloc(string->data, capacity);
    if (!data) {
        fail(string);
        return false;
    }
    string->data = data;
    string->capacity = capacity;
    return true;
}

void teeny_string_append(teeny_string *string, const void *data, size_t length)
{
    if (!reserve(string, length))
        return;
    if (length)
        memcpy(string->data + string->length, data, length);
    string->length += length;
    string->data[string->length] = '\0';
}

void teeny_string_add(teeny_string *string, const char *text)
{
    teeny_string_append(string, text, strlen(text));
}

void teeny_string_format_list(teeny_string *string, const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    if (length < 0)
        fail(string);
    else if (reserve(string, (size_t)length)) {
        vsnprintf(string->data + string->length, (size_t)length + 1, format, again);
        string->length += (size_t)length;
    }
    va_end(again);
}

void teeny_string_format(teeny_string *string, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    teeny_string_format_list(string, format, list);
    va_end(list);
}

void teeny_string_trim(teeny_string *string)
{
    while (string->length && isspace((unsigned char)string->data[string->length - 1]))
        string->data[--string->length] = '\0';
}

const char *teeny_string_text(const teeny_string *string)
{
    return string->data ? string->data : "";
}

char *teeny_string_take(teeny_string *string)
{
    if (!reserve(string, 0))
        return NULL;
    string->data[string->length] = '\0';
    char *data = string->data;
    *string = (teeny_string){0};
    return data;
}

void teeny_string_free(teeny_string *string)
{
    free(string->data);
    *string = (teeny_string){0};
}
