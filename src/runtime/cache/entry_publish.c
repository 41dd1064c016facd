/* How a cache entry appears whole or not at all; see entry.h. */
#include "runtime/cache/entry.h"

#include "base/temporary.h"
#include "runtime/cache/manifest.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static int64_t now_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Some file systems cannot sync a directory, and say so. */
static int sync_directory(int directory)
{
    if (fsync(directory) == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS)
        return 0;
    return errno;
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
    return error ? error : sync_directory(directory);
}

static bool has_intact_entry(int parent, const char *name, const char *key)
{
    teeny_entry other;
    if (!teeny_entry_read(parent, name, key, &other))
        return false;
    teeny_entry_free(&other);
    return true;
}

/* Losing a race for the name is as good as winning it, and what cannot be removed is left with the
 * temporaries. */
static int move_aside(int parent, const char *name)
{
    char inside[sizeof((teeny_temporary *)0)->name + sizeof "/removed"];
    teeny_temporary aside;
    int error = teeny_temporary_make(parent, &aside);
    if (error)
        return error;
    snprintf(inside, sizeof inside, "%s/removed", aside.name);
    if (renameat(parent, name, parent, inside) < 0 && errno != ENOENT)
        error = errno;
    teeny_temporary_remove(parent, &aside);
    return error;
}

/* Without its manifest it is no entry, whatever else is still there. */
static int remove_in_place(int parent, const char *name)
{
    char manifest[128];
    snprintf(manifest, sizeof manifest, "%s/" TEENY_MANIFEST_NAME, name);
    unlinkat(parent, manifest, 0);
    return teeny_remove_tree(parent, name);
}

int teeny_entry_remove(int directory, const char *name)
{
    return move_aside(directory, name) ? remove_in_place(directory, name) : 0;
}

/* `temporary` becomes `name`, or is left where an intact entry has that name already: another
 * process was faster, or a network's file system renamed, lost its answer and tried again. */
static int put_in_place(int parent, const char *temporary, const char *name, const char *key)
{
    enum { ATTEMPTS = 8 };
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (renameat(parent, temporary, parent, name) == 0)
            return sync_directory(parent);
        int error = errno;
        if (has_intact_entry(parent, name, key))
            return 0;
        if (error != EEXIST && error != ENOTEMPTY && error != ENOTDIR)
            return error;
        error = teeny_entry_remove(parent, name);
        if (error)
            return error;
    }
    return EBUSY;
}

int teeny_entry_publish(int directory, const char *name, const char *key, teeny_entry *entry)
{
    teeny_temporary temporary;
    teeny_temporary_remove_stale(directory);
    int error = teeny_temporary_make(directory, &temporary);
    if (error)
        return error;
    entry->created = now_nanoseconds();
    error = write_files(temporary.directory, key, entry);
    if (!error)
        error = put_in_place(directory, temporary.name, name, key);
    teeny_temporary_remove(directory, &temporary);
    return error;
}
