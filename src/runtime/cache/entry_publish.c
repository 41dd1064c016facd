/* How a cache entry appears whole or not at all; see entry.h. */
#include "runtime/cache/entry.h"
#include "runtime/cache/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static int64_t now_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int write_files(int directory, const char *key, const teeny_entry *entry)
{
    for (size_t i = 0; i < entry->count; i++) {
        const teeny_entry_file *file = &entry->files[i];
        int error =
            teeny_file_write(directory, file->name, file->bytes.data, file->bytes.size, true);
        if (error)
            return error;
    }
    int error = teeny_manifest_write(directory, key, entry);
    if (!error && fsync(directory) < 0)
        error = errno;
    return error;
}

static int fill_directory(int parent, const char *name, const char *key, const teeny_entry *entry)
{
    int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (directory < 0)
        return errno;
    int error = write_files(directory, key, entry);
    close(directory);
    return error;
}

static bool has_intact_entry(int parent, const char *name, const char *key)
{
    teeny_entry other;
    if (!teeny_entry_read(parent, name, key, &other))
        return false;
    teeny_entry_free(&other);
    return true;
}

/* Moves a damaged entry out of the way. Losing a race for that is as good as winning it. */
static int move_aside(int parent, const char *name)
{
    char aside[TEENY_TEMPORARY_NAME_SIZE], inside[TEENY_TEMPORARY_NAME_SIZE + sizeof "/damaged"];
    int error = teeny_directory_make_temporary(parent, aside);
    if (error)
        return error;
    snprintf(inside, sizeof inside, "%s/damaged", aside);
    if (renameat(parent, name, parent, inside) < 0 && errno != ENOENT)
        error = errno;
    int removed = teeny_remove_tree(parent, aside);
    return error ? error : removed;
}

/* `temporary` becomes `name`, or is left where an intact entry has that name already. */
static int put_in_place(int parent, const char *temporary, const char *name, const char *key)
{
    enum { ATTEMPTS = 8 };
    int error = 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (renameat(parent, temporary, parent, name) == 0)
            return fsync(parent) < 0 ? errno : 0;
        error = errno;
        if (error != EEXIST && error != ENOTEMPTY && error != ENOTDIR)
            return error;
        if (has_intact_entry(parent, name, key))
            return 0;
        error = move_aside(parent, name);
        if (error)
            return error;
    }
    return EBUSY;
}

int teeny_entry_publish(int directory, const char *name, const char *key, teeny_entry *entry)
{
    char temporary[TEENY_TEMPORARY_NAME_SIZE];
    teeny_remove_stale_temporaries(directory);
    int error = teeny_directory_make_temporary(directory, temporary);
    if (error)
        return error;
    entry->created = now_nanoseconds();
    error = fill_directory(directory, temporary, key, entry);
    if (!error)
        error = put_in_place(directory, temporary, name, key);
    teeny_remove_tree(directory, temporary);
    return error;
}
