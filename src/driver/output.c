/* See output.h. */
#define _GNU_SOURCE
#include "driver/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/faults.h"

static bool has_failed;

static bool refuse(const char *path, const char *reason)
{
    fprintf(stderr, "teenyc: cannot write %s: %s\n", path, reason);
    has_failed = true;
    return false;
}

static bool fail(const char *path)
{
    return refuse(path, strerror(errno));
}

bool output_has_failed(void)
{
    return has_failed;
}

/* ---- Files that were read -------------------------------------------------------------------- */

typedef struct spared_file {
    dev_t device;
    ino_t inode;
    const struct spared_file *next;
} spared_file;

/* Of the one compilation of this process. */
static const spared_file *spared_files;

void output_spare(arena *arena, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return;
    spared_file *spared = arena_new(arena, spared_file);
    *spared = (spared_file){status.st_dev, status.st_ino, spared_files};
    spared_files = spared;
}

bool output_is_free(const char *path)
{
    struct stat status;
    if (strcmp(path, "-") == 0 || stat(path, &status) != 0)
        return true;
    for (const spared_file *each = spared_files; each; each = each->next)
        if (each->device == status.st_dev && each->inode == status.st_ino)
            return refuse(path, "it is a file that was read");
    return true;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static bool write_all(int descriptor, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(descriptor, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        data += written;
        size -= (size_t)written;
    }
    return true;
}

/* A device or pipe has no name to take over: it is written to as it is. */
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static bool write_special(const char *path, const void *data, size_t size)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return fail(path);
    bool is_written = write_all(descriptor, data, size);
    is_written &= close(descriptor) == 0;
    return is_written || fail(path);
}

bool output_write(arena *arena, const char *path, const void *data, size_t size)
{
    if (strcmp(path, "-") == 0)
        return write_all(STDOUT_FILENO, data, size) || fail("standard output");
    if (!output_is_free(path))
        return false;
    if (is_special(path))
        return write_special(path, data, size);
    char *temporary = arena_format(arena, "%s.XXXXXX", path);
    int descriptor = mkostemp(temporary, O_CLOEXEC);
    if (descriptor < 0)
        return fail(path);
    faults_temporary(temporary);
    mode_t mask = umask(0);
    umask(mask);
    bool is_written = write_all(descriptor, data, size) && fchmod(descriptor, 0666 & ~mask) == 0;
    is_written &= close(descriptor) == 0;
    is_written = is_written && rename(temporary, path) == 0;
    if (!is_written) {
        int reason = errno;
        unlink(temporary);
        errno = reason;
    }
    faults_temporary(NULL);
    return is_written || fail(path);
}
