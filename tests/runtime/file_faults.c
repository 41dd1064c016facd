/* File system calls that fail when a test says so; see file_faults.h. */
#define _GNU_SOURCE 1 /* AT_FDCWD */
#include "file_faults.h"

#include "support.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

file_faults plan;

/* The linker's names for the functions that it puts these in front of. */
#define WRAP(result, name, ...)                                                                    \
    result __real_##name(__VA_ARGS__);                                                             \
    result __wrap_##name(__VA_ARGS__);                                                             \
    result __wrap_##name(__VA_ARGS__)

static bool is_in_cache(int directory, const char *name)
{
    char link[64], path[1024] = "";
    if (name && name[0] == '/') {
        snprintf(path, sizeof path, "%s", name);
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
        if (readlink(link, path, sizeof path - 1) < 0)
            return false;
    }
    const char *cache = support_path("cache");
    return strncmp(path, cache, strlen(cache)) == 0;
}

static void delete_cache(void)
{
    plan.action = NOTHING;
    teeny_remove_tree(AT_FDCWD, support_path("cache"));
}

/* Whether this call fails, after whatever else the plan has for it. */
static bool fails(enum call call, int directory, const char *name)
{
    if (plan.action == NOTHING || (plan.call != ANY_CALL && plan.call != call))
        return false;
    int before = errno;
    bool concerned = is_in_cache(directory, name);
    errno = before;
    if (!concerned || ++plan.seen < plan.nth)
        return false;
    if (plan.action == DIE)
        kill(getpid(), SIGKILL);
    if (plan.action == DELETE_CACHE)
        delete_cache();
    bool failing = plan.action == FAIL_ON || (plan.action == FAIL_ONCE && plan.seen == plan.nth);
    if (failing)
        errno = plan.error;
    return failing;
}

int __real_openat(int directory, const char *name, int flags, ...);
int __wrap_openat(int directory, const char *name, int flags, mode_t mode);
int __wrap_openat(int directory, const char *name, int flags, mode_t mode)
{
    return fails(OPENAT, directory, name) ? -1 : __real_openat(directory, name, flags, mode);
}

int __real_fcntl(int file, int command, ...);
int __wrap_fcntl(int file, int command, void *argument);
int __wrap_fcntl(int file, int command, void *argument)
{
    return fails(FCNTL, file, NULL) ? -1 : __real_fcntl(file, command, argument);
}

WRAP(int, mkdirat, int directory, const char *name, mode_t mode)
{
    return fails(MKDIRAT, directory, name) ? -1 : __real_mkdirat(directory, name, mode);
}

WRAP(int, renameat, int directory, const char *name, int other, const char *new)
{
    return fails(RENAMEAT, directory, name) ? -1 : __real_renameat(directory, name, other, new);
}

WRAP(int, unlinkat, int directory, const char *name, int flags)
{
    return fails(UNLINKAT, directory, name) ? -1 : __real_unlinkat(directory, name, flags);
}

WRAP(int, fstatat, int directory, const char *name, struct stat *out, int flags)
{
    return fails(FSTATAT, directory, name) ? -1 : __real_fstatat(directory, name, out, flags);
}

WRAP(int, fstat, int file, struct stat *out)
{
    return fails(FSTAT, file, NULL) ? -1 : __real_fstat(file, out);
}

/* Nothing is really synced: what a power cut leaves is not tested here, and disks are slow. */
WRAP(int, fsync, int file)
{
    return fails(FSYNC, file, NULL) ? -1 : 0;
}

WRAP(ssize_t, write, int file, const void *data, size_t size)
{
    return fails(WRITE, file, NULL) ? -1 : __real_write(file, data, size);
}

WRAP(ssize_t, pwrite, int file, const void *data, size_t size, off_t at)
{
    return fails(PWRITE, file, NULL) ? -1 : __real_pwrite(file, data, size, at);
}

WRAP(int, flock, int file, int operation)
{
    return fails(FLOCK, file, NULL) ? -1 : __real_flock(file, operation);
}

WRAP(int, utimensat, int directory, const char *name, const struct timespec *times, int flags)
{
    return fails(UTIMENSAT, directory, name) ? -1 : __real_utimensat(directory, name, times, flags);
}
