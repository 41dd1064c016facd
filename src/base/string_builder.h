/* A string that grows. A failed allocation makes it `failed` and it stays empty from then on, so
 * that a caller checks once, at the end. */
#ifndef TEENY_BASE_STRING_BUILDER_H
#define TEENY_BASE_STRING_BUILDER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts as all zero. `data` is NULL or ends with a zero byte that `length` does not count. */
typedef struct teeny_string {
    char *data;
    size_t length;
    size_t capacity;
    bool failed;
} teeny_string;

void teeny_string_append(teeny_string *string, const void *data, size_t length);
void teeny_string_add(teeny_string *string, const char *text);
void teeny_string_format(teeny_string *string, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void teeny_string_format_list(teeny_string *string, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

/* Takes spaces and newlines off the end. */
void teeny_string_trim(teeny_string *string);

/* The text, for reading: never NULL. */
const char *teeny_string_text(const teeny_string *string);

/* Hands the text over to the caller, who frees it, and empties the string. NULL if it failed. */
char *teeny_string_take(teeny_string *string);

void teeny_string_free(teeny_string *string);

#endif
