/* Temporary directories, and what becomes of them when their process dies; see temporary.h. */
#include "base/temporary.h"

#include "base/directory.h"
#include "base/files.h"

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

/* A signal only interrupts it while the system has not gathered enough since it was started. */
static bool make_random(uint64_t *out_random)
{
    ssize_t got;
    do
        got = getrandom(out_random, sizeof *out_random, 0);
    while (got < 0 && errno == EINTR);
    return got == sizeof *out_random;
}

static int make_directory(int parent, char *out_name, size_t size)
{
    for (int attempt = 0; attempt < 16; attempt++) {
        uint64_t random;
        if (!make_random(&random))
            return EIO;
        snprintf(out_name, size, TEENY_TEMPORARY_PREFIX "%016llx", (unsigned long long)random);
        int error = teeny_directory_make(parent, out_name);
        if (error != EEXIST)
            return error;
    }
    return EEXIST;
}

int teeny_temporary_make(int parent, teeny_temporary *out_temporary)
{
    teeny_temporary temporary;
    int error = make_directory(parent, temporary.name, sizeof temporary.name);
    if (error)
        return error;
    temporary.directory = teeny_directory_open(parent, temporary.name);
    if (temporary.directory < 0) {
        error = errno;
        unlinkat(parent, temporary.name, AT_REMOVEDIR);
        return error;
    }
    flock(temporary.directory, LOCK_SH | LOCK_NB); /* a refusal is allowed for when it is stale */
    *out_temporary = temporary;
    return 0;
}

void teeny_temporary_remove(int parent, teeny_temporary *temporary)
{
    teeny_remove_tree(parent, temporary->name);
    close(temporary->directory);
    temporary->directory = -1;
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

static int remove_if_stale(int parent, const char *name, void *context)
{
    size_t *removed = context;
    if (strncmp(name, TEENY_TEMPORARY_PREFIX, strlen(TEENY_TEMPORARY_PREFIX)) != 0)
        return 0;
    int directory = teeny_directory_open(parent, name);
    if (directory < 0)
        return 0;
    *removed += is_stale(directory) && teeny_remove_tree(parent, name) == 0;
    close(directory);
    return 0;
}

size_t teeny_temporary_remove_stale(int parent)
{
    size_t removed = 0;
    teeny_directory_walk(parent, remove_if_stale, &removed);
    return removed;
}
