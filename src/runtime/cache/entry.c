/* Cache entries in memory, and how they are read; see entry.h. */
#include "runtime/cache/entry.h"

#include "runtime/cache/manifest.h"
#include "runtime/cache/private_directory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool teeny_entry_add(teeny_entry *entry, const char *name, teeny_bytes bytes)
{
    teeny_entry_file *grown = realloc(entry->files, (entry->count + 1) * sizeof *grown);
    char *copy = strdup(name);
    if (grown)
        entry->files = grown;
    if (!grown || !copy) {
        free(copy);
        teeny_bytes_free(&bytes);
        return false;
    }
    entry->files[entry->count++] = (teeny_entry_file){copy, bytes};
    return true;
}

const teeny_bytes *teeny_entry_find(const teeny_entry *entry, const char *name)
{
    for (size_t i = 0; i < entry->count; i++)
        if (strcmp(entry->files[i].name, name) == 0)
            return &entry->files[i].bytes;
    return NULL;
}

void teeny_entry_free(teeny_entry *entry)
{
    for (size_t i = 0; i < entry->count; i++) {
        free(entry->files[i].name);
        teeny_bytes_free(&entry->files[i].bytes);
    }
    free(entry->files);
    *entry = (teeny_entry){0};
}

static bool read_file(int directory, const teeny_manifest_file *file, teeny_entry *entry)
{
    teeny_bytes bytes;
    if (teeny_file_read(directory, file->name, file->size, &bytes) != 0)
        return false;
    teeny_checksum found = teeny_checksum_of(bytes.data, bytes.size);
    if (bytes.size != file->size || strcmp(found.text, file->checksum.text) != 0) {
        teeny_bytes_free(&bytes);
        return false;
    }
    return teeny_entry_add(entry, file->name, bytes);
}

static bool read_files(int directory, const teeny_manifest *manifest, teeny_entry *out_entry)
{
    teeny_entry entry = {.created = manifest->created};
    for (size_t i = 0; i < manifest->count; i++) {
        if (!read_file(directory, &manifest->files[i], &entry)) {
            teeny_entry_free(&entry);
            return false;
        }
    }
    *out_entry = entry;
    return true;
}

bool teeny_entry_read(int directory, const char *name, const char *key, teeny_entry *out_entry)
{
    int opened = teeny_private_directory_open(directory, name, NULL);
    if (opened < 0)
        return false;
    teeny_manifest manifest;
    bool good = teeny_manifest_read(opened, key, &manifest);
    if (good) {
        good = read_files(opened, &manifest, out_entry);
        teeny_manifest_free(&manifest);
    }
    close(opened);
    return good;
}
