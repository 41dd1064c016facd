/* Directories, relative to an open one; see directory.h. */
#define _GNU_SOURCE 1 /* O_NOFOLLOW */
#include "base/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int teeny_directory_open(int parent, const char *name)
{
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

int teeny_directory_make(int parent, const char *name)
{
    if (mkdirat(parent, name, 0700) < 0)
        return errno;
    return fchmodat(parent, name, 0700, 0) < 0 ? errno : 0;
}

static bool is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* The next name, or NULL: at the end errno is 0 then. */
static const char *next_name(DIR *stream)
{
    struct dirent *entry;
    do {
        errno = 0;
        entry = readdir(stream);
    } while (entry && is_dot(entry->d_name));
    return entry ? entry->d_name : NULL;
}

/* By a descriptor of its own, whose place in the directory nobody shares. */
int teeny_directory_walk(int directory, teeny_directory_visitor *visit, void *context)
{
    int opened = teeny_directory_open(directory, ".");
    if (opened < 0)
        return errno;
    DIR *stream = fdopendir(opened);
    if (!stream) {
        int error = errno;
        close(opened);
        return error;
    }
    int error = 0;
    const char *name = NULL;
    while (!error && (name = next_name(stream)))
        error = visit(directory, name, context);
    if (!name)
        error = errno;
    closedir(stream);
    return error;
}
