/* The file in a cache entry that vouches for the others; see manifest.h. */
#include "runtime/manifest.h"

#include "base/string_builder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIZE_LIMIT = 64 * 1024,
    END_SIZE = 4 + 32 + 1, /* "end " CHECKSUM "\n" */
};

int teeny_manifest_write(int directory, const char *key, const teeny_entry *entry)
{
    teeny_string text = {0};
    teeny_string_format(&text, "teeny entry 1\nkey %s\ncreated %" PRId64 "\n", key, entry->created);
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

static bool parse_file(char *line, teeny_manifest *manifest)
{
    teeny_manifest_file file;
    int name_at = 0;
    if (sscanf(line, "file %zu %32[0-9a-f] %n", &file.size, file.checksum.text, &name_at) != 2)
        return false;
    file.name = line + name_at;
    if (!name_at || !is_file_name(file.name))
        return false;
    teeny_manifest_file *grown =
        realloc(manifest->files, (manifest->count + 1) * sizeof *manifest->files);
    if (!grown)
        return false;
    manifest->files = grown;
    manifest->files[manifest->count++] = file;
    return true;
}

static bool parse(const char *key, teeny_manifest *manifest)
{
    char found[33];
    int files_at = 0;
    sscanf(manifest->text, "teeny entry 1\nkey %32[0-9a-f]\ncreated %" SCNd64 "\n%n", found,
        &manifest->created, &files_at);
    if (!files_at || strcmp(found, key) != 0)
        return false;
    char *rest = NULL;
    char *line = strtok_r(manifest->text + files_at, "\n", &rest);
    for (; line; line = strtok_r(NULL, "\n", &rest))
        if (!parse_file(line, manifest))
            return false;
    return true;
}

bool teeny_manifest_read(int directory, const char *key, teeny_manifest *out_manifest)
{
    teeny_bytes text;
    if (teeny_file_read(directory, TEENY_MANIFEST_NAME, SIZE_LIMIT, &text) != 0)
        return false;
    teeny_manifest manifest = {.text = text.data};
    if (!take_end(&text) || !parse(key, &manifest)) {
        teeny_manifest_free(&manifest);
        return false;
    }
    *out_manifest = manifest;
    return true;
}

void teeny_manifest_free(teeny_manifest *manifest)
{
    free(manifest->text);
    free(manifest->files);
    *manifest = (teeny_manifest){0};
}
