/* Cache entries in memory, and how they are read; see entry.h. */
#define _GNU_SOURCE 1 /* utimensat */
#include "runtime/cache/entry.h"

#include "runtime/cache/manifest.h"
#include "runtime/cache/private_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
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

/* These functions return 0 or an errno value: EBADMSG for content that is not as it was written. */
static int read_file(int directory, const teeny_manifest_file *file, teeny_entry *entry)
{
    teeny_bytes bytes;
    int error = teeny_file_read_private(directory, file->name, file->size, &bytes);
    if (error)
        return error;
    teeny_checksum found = teeny_checksum_of(bytes.data, bytes.size);
    if (bytes.size != file->size || strcmp(found.text, file->checksum.text) != 0) {
        teeny_bytes_free(&bytes);
        return EBADMSG;
    }
    return teeny_entry_add(entry, file->name, bytes) ? 0 : ENOMEM;
}

static int read_files(int directory, const teeny_manifest *manifest, teeny_entry *out_entry)
{
    teeny_entry entry = {.created = manifest->created};
    for (size_t i = 0; i < manifest->count; i++) {
        int error = read_file(directory, &manifest->files[i], &entry);
        if (error) {
            teeny_entry_free(&entry);
            return error;
        }
    }
    *out_entry = entry;
    return 0;
}

static int read_open_entry(int directory, const char *key, teeny_entry *out_entry)
{
    teeny_manifest manifest;
    int error = teeny_manifest_read(directory, key, &manifest);
    if (error)
        return error;
    error = read_files(directory, &manifest, out_entry);
    teeny_manifest_free(&manifest);
    return error;
}

/* Whether an error is the entry's own fault, rather than the system's at this moment. */
static bool means_damage(int error)
{
    static const int errors[] = {
        EBADMSG, ENOENT, ENOTDIR, EISDIR, ELOOP, EINVAL, EFBIG, EPERM, ENXIO};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i] == error)
            return true;
    return false;
}

/* What was opened may have been moved away to be removed, and lose its files one by one. */
static bool is_still_there(int directory, const char *name, const teeny_privacy_report *opened)
{
    struct stat status;
    return fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           status.st_dev == opened->device && status.st_ino == opened->inode;
}

teeny_entry_state teeny_entry_examine(
    int directory, const char *name, const char *key, teeny_entry *out_entry)
{
    teeny_privacy_report report;
    int opened = teeny_private_directory_open(directory, name, &report);
    if (opened < 0)
        return report.privacy == TEENY_NOT_USABLE ? TEENY_ENTRY_MISSING : TEENY_ENTRY_DAMAGED;
    int error = read_open_entry(opened, key, out_entry);
    close(opened);
    if (error)
        return means_damage(error) && is_still_there(directory, name, &report)
                   ? TEENY_ENTRY_DAMAGED
                   : TEENY_ENTRY_MISSING;
    out_entry->used = report.modified;
    return TEENY_ENTRY_INTACT;
}

bool teeny_entry_read(int directory, const char *name, const char *key, teeny_entry *out_entry)
{
    return teeny_entry_examine(directory, name, key, out_entry) == TEENY_ENTRY_INTACT;
}

void teeny_entry_touch(int directory, const char *name, const teeny_entry *entry)
{
    enum { MINUTE = 60 };
    const struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, {.tv_nsec = UTIME_NOW}};
    if (entry->used / 1000000000 < time(NULL) - MINUTE)
        utimensat(directory, name, times, AT_SYMLINK_NOFOLLOW);
}
