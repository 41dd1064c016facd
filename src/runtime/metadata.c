/* What teenyc says about the code that it made; see metadata.h. */
#include "runtime/metadata.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "teeny metadata 1"

typedef bool read_value(char *value, void *field);

static bool read_string(char *value, void *field)
{
    *(const char **)field = value;
    return value[0] != '\0';
}

static bool read_unsigned(const char *text, unsigned long long limit, unsigned long long *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0 && *out <= limit;
}

static bool read_u32(char *value, void *field)
{
    unsigned long long number;
    if (!read_unsigned(value, UINT32_MAX, &number))
        return false;
    *(uint32_t *)field = (uint32_t)number;
    return true;
}

static bool read_size(char *value, void *field)
{
    unsigned long long number;
    if (!read_unsigned(value, SIZE_MAX, &number))
        return false;
    *(size_t *)field = (size_t)number;
    return true;
}

const char teeny_metadata_no_memory[] = "memory is out";

static bool add_parameter(teeny_metadata *metadata, teeny_parameter parameter)
{
    size_t count = metadata->parameter_count + 1;
    teeny_parameter *grown = realloc(metadata->parameters, count * sizeof *metadata->parameters);
    metadata->out_of_memory |= !grown;
    if (!grown)
        return false;
    metadata->parameters = grown;
    metadata->parameters[metadata->parameter_count++] = parameter;
    return true;
}

/* Cuts the first word off, at its space; what is left is "" at the end. */
static char *cut_word(char **rest)
{
    char *word = *rest;
    *rest += strcspn(word, " ");
    if (**rest)
        *(*rest)++ = '\0';
    return word;
}

/* "OFFSET BYTES KIND NAME [ELEMENT]" */
static bool read_parameter(char *value, void *field)
{
    teeny_metadata *metadata =
        (teeny_metadata *)((char *)field - offsetof(teeny_metadata, parameters_end));
    char *rest, *end;
    unsigned long long offset = strtoull(value, &rest, 10);
    unsigned long long bytes = strtoull(rest, &end, 10);
    if (rest == value || end == rest || offset > UINT32_MAX || bytes > UINT32_MAX)
        return false;
    if (offset < metadata->parameters_end || *end != ' ')
        return false;
    metadata->parameters_end = (size_t)(offset + bytes);
    end++;
    const char *kind = cut_word(&end), *name = cut_word(&end), *element = cut_word(&end);
    return add_parameter(
        metadata, (teeny_parameter){name, kind, element, (size_t)offset, (size_t)bytes});
}

/* "NAME VALUE" */
static bool read_meta(char *value, void *field)
{
    teeny_metadata *metadata = (teeny_metadata *)((char *)field - offsetof(teeny_metadata, metas));
    char *space = strchr(value, ' '), *end;
    if (!space || space == value)
        return false;
    *space = '\0';
    errno = 0;
    int64_t number = strtoll(space + 1, &end, 10);
    if (end == space + 1 || *end || errno)
        return false;
    teeny_meta_value *grown =
        realloc(metadata->metas, (metadata->meta_count + 1) * sizeof *metadata->metas);
    metadata->out_of_memory |= !grown;
    if (!grown)
        return false;
    metadata->metas = grown;
    metadata->metas[metadata->meta_count++] = (teeny_meta_value){value, number};
    return true;
}

static const struct {
    const char *key;
    read_value *read;
    size_t field;
    bool required;
} rows[] = {
    {"kernel", read_string, offsetof(teeny_metadata, kernel), true},
    {"target", read_string, offsetof(teeny_metadata, target), true},
    {"resolved", read_string, offsetof(teeny_metadata, resolved), false},
    {"entry", read_string, offsetof(teeny_metadata, entry), true},
    {"num-warps", read_u32, offsetof(teeny_metadata, num_warps), true},
    {"shared-bytes", read_u32, offsetof(teeny_metadata, shared_bytes), true},
    {"arguments-bytes", read_size, offsetof(teeny_metadata, arguments_bytes), true},
    {"parameter", read_parameter, offsetof(teeny_metadata, parameters_end), false},
    {"meta", read_meta, offsetof(teeny_metadata, metas), false},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

/* Notes in `seen` which row the line was of. */
static bool read_line(char *line, teeny_metadata *metadata, unsigned *seen)
{
    char *equals = strstr(line, " = ");
    if (!equals)
        return false;
    *equals = '\0';
    for (unsigned i = 0; i < ROW_COUNT; i++) {
        if (strcmp(rows[i].key, line) != 0)
            continue;
        *seen |= 1U << i;
        return rows[i].read(equals + 3, (char *)metadata + rows[i].field);
    }
    return true;
}

static const char *read_lines(teeny_metadata *metadata)
{
    size_t length = strlen(metadata->storage);
    if (length == 0 || metadata->storage[length - 1] != '\n')
        return "its last line does not end";
    unsigned seen = 0;
    char *rest = NULL;
    char *line = strtok_r(metadata->storage, "\n", &rest);
    if (!line || strcmp(line, FIRST_LINE) != 0)
        return "its first line is not `" FIRST_LINE "`";
    while ((line = strtok_r(NULL, "\n", &rest)))
        if (!read_line(line, metadata, &seen))
            return metadata->out_of_memory ? teeny_metadata_no_memory : "a line of it is malformed";
    for (unsigned i = 0; i < ROW_COUNT; i++)
        if (rows[i].required && !(seen & 1U << i))
            return "a line is missing in it";
    if (metadata->num_warps > 64)
        return "it has a wrong number of warps";
    if (metadata->parameters_end > metadata->arguments_bytes)
        return "its parameters do not fit its arguments";
    return NULL;
}

bool teeny_metadata_parse(
    const char *text, size_t size, teeny_metadata *out_metadata, const char **out_problem)
{
    teeny_metadata metadata = {.resolved = "", .storage = strndup(text, size)};
    *out_problem = metadata.storage ? read_lines(&metadata) : teeny_metadata_no_memory;
    if (*out_problem) {
        teeny_metadata_free(&metadata);
        return false;
    }
    *out_metadata = metadata;
    return true;
}

void teeny_metadata_free(teeny_metadata *metadata)
{
    free(metadata->storage);
    free(metadata->metas);
    free(metadata->parameters);
    *metadata = (teeny_metadata){0};
}

bool teeny_metadata_meta(const teeny_metadata *metadata, const char *name, int64_t *out_value)
{
    for (size_t i = 0; i < metadata->meta_count; i++) {
        if (strcmp(metadata->metas[i].name, name) == 0) {
            *out_value = metadata->metas[i].value;
            return true;
        }
    }
    return false;
}
