/* The file in a cache entry that vouches for the others; see manifest.h. */
#include "runtime/cache/manifest.h"

#include "base/string_builder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "teeny entry 1"

enum {
    SIZE_LIMIT = 64 * 1024,
    END_SIZE = 4 + 32 + 1, /* "end " CHECKSUM "\n" */
};

int teeny_manifest_write(int directory, const char *key, const teeny_entry *entry)
{
    teeny_string text = {0};
    teeny_string_format(&text, FIRST_LINE "\nkey %s\ncreated %" PRId64 "\n", key, entry->created);
    for (size_t i = 0; i < entry->count; i++) {
        const teeny_bytes *bytes = &entry->files[i].bytes;
        teeny_string_format(&text, "file %zu %s %s\n", bytes->size,
            teeny_checksum_of(bytes->data, bytes->size).text, entry->files[i].name);
    }
    teeny_checksum checksum = teeny_checksum_of(teeny_string_text(&text), text.length);
    teeny_string_format(&text, "end %s\n", checksum.text);
    int error = text.failed ? ENOMEM
                            : teeny_file_write(
                                  directory, TEENY_MANIFEST_NAME, text.data, text.length, true);
    teeny_string_free(&text);
    return error;
}

/* Checks the last line and cuts it off. */
static bool take_end(teeny_bytes *text)
{
    if (text->size < END_SIZE)
        return false;
    size_t covered = text->size - END_SIZE;
    char expected[END_SIZE + 1];
    snprintf(expected, sizeof expected, "end %s\n", teeny_checksum_of(text->data, covered).text);
    if (memcmp(text->data + covered, expected, END_SIZE) != 0)
        return false;
    text->data[covered] = '\0';
    text->size = covered;
    return true;
}

static bool is_file_name(const char *name)
{
    return name[0] && name[0] != '.' && !strchr(name, '/');
}

/* The words of a line one after the other: cuts the next one off at `end`, or returns NULL. */
static char *take_word(char **rest, char end)
{
    char *word = *rest, *at = strchr(word, end);
    if (!at)
        return NULL;
    *at = '\0';
    *rest = at + 1;
    return word;
}

/* The value of a line "KEYWORD VALUE", or NULL. */
static char *take_value(char **rest, const char *keyword)
{
    char *found = take_word(rest, ' ');
    return found && strcmp(found, keyword) == 0 ? take_word(rest, '\n') : NULL;
}

static bool parse_number(const char *word, unsigned long long *out_number)
{
    char *end;
    errno = 0;
    *out_number = strtoull(word, &end, 10);
    return end != word && *end == '\0' && errno == 0;
}

/* "SIZE CHECKSUM NAME" */
static bool parse_file(char *line, teeny_manifest *manifest)
{
    unsigned long long number;
    char *size = take_word(&line, ' ');
    char *checksum = size ? take_word(&line, ' ') : NULL;
    if (!checksum || !parse_number(size, &number) || !is_file_name(line))
        return false;
    teeny_manifest_file file = {.name = line, .size = (size_t)number};
    teeny_manifest_file *grown =
        realloc(manifest->files, (manifest->count + 1) * sizeof *manifest->files);
    if (!grown)
        return false;
    snprintf(file.checksum.text, sizeof file.checksum.text, "%s", checksum);
    manifest->files = grown;
    manifest->files[manifest->count++] = file;
    return true;
}

static bool parse(const char *key, teeny_manifest *manifest)
{
    unsigned long long created;
    char *rest = manifest->text, *head = take_word(&rest, '\n');
    if (!head || strcmp(head, FIRST_LINE) != 0)
        return false;
    const char *found = take_value(&rest, "key");
    const char *time = found ? take_value(&rest, "created") : NULL;
    if (!time || (key && strcmp(found, key) != 0) || !parse_number(time, &created))
        return false;
    manifest->key = found;
    manifest->created = (int64_t)created;
    while (*rest) {
        char *line = take_value(&rest, "file");
        if (!line || !parse_file(line, manifest))
            return false;
    }
    return true;
}

int teeny_manifest_read(int directory, const char *key, teeny_manifest *out_manifest)
{
    teeny_bytes text;
    int error = teeny_file_read_private(directory, TEENY_MANIFEST_NAME, SIZE_LIMIT, &text);
    if (error)
        return error;
    teeny_manifest manifest = {.text = text.data};
    errno = 0;
    if (!take_end(&text) || !parse(key, &manifest)) {
        error = errno == ENOMEM ? ENOMEM : EBADMSG;
        teeny_manifest_free(&manifest);
        return error;
    }
    *out_manifest = manifest;
    return 0;
}

void teeny_manifest_free(teeny_manifest *manifest)
{
    free(manifest->text);
    free(manifest->files);
    *manifest = (teeny_manifest){0};
}
