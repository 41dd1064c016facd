/* Temporary directories, and what becomes of them when their process dies; see temporary.h. */
#define _GNU_SOURCE 1 /* O_NOFOLLOW, getrandom */
#include "base/temporary.h"

#include "base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int open_directory(int parent, const char *name)
{
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

static int make_directory(int parent, char *out_name, size_t size)
{
    for (int attempt = 0; attempt < 16; attempt++) {
        uint64_t random = 0;
        if (getrandom(&random, sizeof random, 0) != sizeof random)
            return EIO;
        snprintf(out_name, size, TEENY_TEMPORARY_PREFIX "%016llx", (unsigned long long)random);
        if (mkdirat(parent, out_name, 0700) == 0) /* 0700 whatever the host's umask is */
            return fchmodat(parent, out_name, 0700, 0) < 0 ? errno : 0;
        if (errno != EEXIST)
            return errno;
    }
    return EEXIST;
}

int teeny_temporary_make(int parent, teeny_temporary *out_temporary)
{
    teeny_temporary temporary;
    int error = make_directory(parent, temporary.name, sizeof temporary.name);
    if (error)
        return error;
    temporary.directory = open_directory(parent, temporary.name);
    if (temporary.directory < 0) {
        error = errno;
        unlinkat(parent, temporary.name, AT_REMOVEDIR);
        return error;
    }
    flock(temporary.directory, LOCK_SH | LOCK_NB); /* a refusal is allowed for when it is stale */
    *out_temporary = temporary;
    return 0;
}

void teeny_temporary_close(teeny_temporary *temporary)
{
    if (temporary->directory >= 0)
        close(temporary->directory);
    temporary->directory = -1;
}

void teeny_temporary_remove(int parent, teeny_temporary *temporary)
{
    teeny_remove_tree(parent, temporary->name);
    teeny_temporary_close(temporary);
}

/* How many seconds it must have been left alone, given the outcome of locking it. */
static time_t patience(int lock_error)
{
    enum { MINUTE = 60, DAY = 24 * 60 * 60 };
    return lock_error ? DAY : MINUTE;
}

static bool is_stale(int directory)
{
    struct stat status;
    if (fstat(directory, &status) < 0 || status.st_uid != geteuid())
        return false;
    int error = flock(directory, LOCK_EX | LOCK_NB) < 0 ? errno : 0;
    return error != EWOULDBLOCK && status.st_mtime < time(NULL) - patience(error);
}

static size_t remove_if_stale(int parent, const char *name)
{
    if (strncmp(name, TEENY_TEMPORARY_PREFIX, strlen(TEENY_TEMPORARY_PREFIX)) != 0)
        return 0;
    int directory = open_directory(parent, name);
    if (directory < 0)
        return 0;
    bool removed = is_stale(directory) && teeny_remove_tree(parent, name) == 0;
    close(directory);
    return removed;
}

size_t teeny_temporary_remove_stale(int parent)
{
    int opened = open_directory(parent, ".");
    DIR *stream = opened >= 0 ? fdopendir(opened) : NULL;
    size_t count = 0;
    for (struct dirent *entry; stream && (entry = readdir(stream));)
        count += remove_if_stale(parent, entry->d_name);
    if (stream)
        closedir(stream);
    else if (opened >= 0)
        close(opened);
    return count;
}
