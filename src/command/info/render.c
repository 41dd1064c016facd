/* JSON values as text for people; see info.h.
 *
 *     member       value
 *     member
 *       name       of an array's object: its first member
 *         member   value
 */
#include "command/info/info.h"

#include "command/command.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { STEP = 2, COLUMN = 18 };

static void render_members(const json_t *object, int indent, int first);

/* What is printed, but for the spaces behind it, which only come before something else. */
static void print_padded(const char *text, int length, int indent, int column)
{
    printf("%*s%.*s", indent, "", length, text);
    if (column)
        printf("%*s", indent + length < column ? column - indent - length : 1, "");
}

static bool is_bytes(const char *key)
{
    size_t length = strlen(key);
    return length > 6 && strcmp(key + length - 6, "_bytes") == 0;
}

/* A member's name, with spaces for underscores and without its unit. */
static void print_key(const char *key, int indent, int column)
{
    char text[64];
    snprintf(text, sizeof text, "%s", key);
    if (is_bytes(key))
        text[strlen(text) - strlen("_bytes")] = '\0';
    for (char *at = text; *at; at++)
        if (*at == '_')
            *at = ' ';
    print_padded(text, (int)strlen(text), indent, column);
}

/* Further lines stand below the first. */
static void print_text(const char *text, int column)
{
    for (;;) {
        size_t length = strcspn(text, "\n");
        printf("%.*s\n", (int)length, text);
        if (!text[length])
            return;
        text += length + 1;
        printf("%*s", column, "");
    }
}

/* `key` tells what kind of number it is. */
static void print_scalar(const char *key, const json_t *value, int column)
{
    char size[COMMAND_SIZE_TEXT];
    if (json_is_string(value))
        print_text(json_string_value(value), column);
    else if (json_is_integer(value) && is_bytes(key))
        puts(command_size((uint64_t)json_integer_value(value), size));
    else if (json_is_integer(value))
        printf("%" JSON_INTEGER_FORMAT "\n", json_integer_value(value));
    else
        puts(json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "-");
}

static void render_words(const json_t *array)
{
    size_t index;
    json_t *word;
    json_array_foreach(array, index, word)
    {
        printf("%s%s", index ? " " : "", json_string_value(word));
    }
    putchar('\n');
}

static const char *title_of(const json_t *object)
{
    return json_string_value(json_object_iter_value(json_object_iter((json_t *)object)));
}

/* An object of an array: its first member is its title. A small one is one line: its second member,
 * or, where that is `no`, the reason. */
static void render_element(const json_t *object, int indent, int column)
{
    void *first = json_object_iter((json_t *)object);
    const json_t *second = json_object_iter_value(json_object_iter_next((json_t *)object, first));
    const json_t *reason = json_object_get(object, "reason");
    bool is_small = json_object_size(object) <= 3;
    print_padded(title_of(object), (int)strlen(title_of(object)), indent, is_small ? column : 0);
    if (!is_small) {
        putchar('\n');
        render_members(object, indent + STEP, 1);
    } else if (reason && json_is_false(second)) {
        print_text(json_string_value(reason), column);
    } else {
        print_scalar("", second, column);
    }
}

static void render_array(const json_t *array, int indent)
{
    size_t index;
    json_t *element;
    int column = COLUMN;
    json_array_foreach(array, index, element)
    {
        int width = indent + (int)strlen(title_of(element)) + 1;
        column = width > column ? width : column;
    }
    json_array_foreach(array, index, element)
    {
        render_element(element, indent, column);
    }
}

static void render_value(const char *key, const json_t *value, int indent)
{
    bool has_words = json_is_array(value) && json_is_string(json_array_get(value, 0));
    bool is_line = has_words || !(json_is_array(value) || json_is_object(value));
    print_key(key, indent, is_line ? COLUMN : 0);
    if (!is_line)
        putchar('\n');
    if (has_words)
        render_words(value);
    else if (json_is_array(value))
        render_array(value, indent + STEP);
    else if (json_is_object(value))
        render_members(value, indent + STEP, 0);
    else
        print_scalar(key, value, COLUMN);
}

/* The members from number `first` on; they are nested as deep as the report is. */
static void render_members(
    const json_t *object, int indent, int first) /* NOLINT(misc-no-recursion) */
{
    const char *key;
    json_t *value;
    int number = 0;
    json_object_foreach((json_t *)object, key, value)
    {
        if (number++ >= first)
            render_value(key, value, indent);
    }
}

void info_render(const json_t *report)
{
    render_members(report, 0, 0);
}
