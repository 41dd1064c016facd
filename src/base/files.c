/* Files and directories, relative to an open directory; see files.h. */
#define _GNU_SOURCE 1 /* O_NOFOLLOW */
#include "base/files.h"

#include "base/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void teeny_bytes_free(teeny_bytes *bytes)
{
    free(bytes->data);
    *bytes = (teeny_bytes){0};
}

static int read_all(int file, char *data, size_t size, size_t *out_count)
{
    size_t count = 0;
    while (count < size) {
        ssize_t got = read(file, data + count, size - count);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno;
        if (got == 0)
            break;
        count += (size_t)got;
    }
    *out_count = count;
    return 0;
}

static bool is_private(const struct stat *status)
{
    return status->st_uid == geteuid() && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

static int read_open_file(int file, bool private, size_t limit, teeny_bytes *out_bytes)
{
    struct stat status;
    if (fstat(file, &status) < 0)
        return errno;
    if (S_ISDIR(status.st_mode))
        return EISDIR;
    if (!S_ISREG(status.st_mode))
        return EINVAL;
    if (private && !is_private(&status))
        return EPERM;
    if ((uintmax_t)status.st_size > limit)
        return EFBIG;
    size_t size = (size_t)status.st_size, count = 0;
    char *data = malloc(size + 1);
    if (!data)
        return ENOMEM;
    int error = read_all(file, data, size, &count);
    if (error) {
        free(data);
        return error;
    }
    data[count] = '\0';
    *out_bytes = (teeny_bytes){data, count};
    return 0;
}

static int read_file(
    int directory, const char *name, int flags, bool private, size_t limit, teeny_bytes *out_bytes)
{
    /* O_NONBLOCK: a FIFO in the file's place must not hang us. */
    int file = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
    if (file < 0)
        return errno;
    int error = read_open_file(file, private, limit, out_bytes);
    close(file);
    return error;
}

int teeny_file_read(int directory, const char *name, size_t limit, teeny_bytes *out_bytes)
{
    return read_file(directory, name, O_NOFOLLOW, false, limit, out_bytes);
}

int teeny_file_read_named(const char *path, size_t limit, teeny_bytes *out_bytes)
{
    return read_file(AT_FDCWD, path, 0, false, limit, out_bytes);
}

const char *teeny_file_problem(int error)
{
    return error == EINVAL ? "it is no regular file" : strerror(error);
}

int teeny_file_read_private(int directory, const char *name, size_t limit, teeny_bytes *out_bytes)
{
    return read_file(directory, name, O_NOFOLLOW, true, limit, out_bytes);
}

static int write_all(int file, const char *data, size_t size)
{
    while (size) {
        ssize_t done = write(file, data, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return errno;
        data += done;
        size -= (size_t)done;
    }
    return 0;
}

int teeny_write(int file, const void *data, size_t size)
{
    static const struct timespec at_once;
    sigset_t too_long, before, pending;
    sigpending(&pending);
    sigemptyset(&too_long);
    sigaddset(&too_long, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &too_long, &before);
    int error = write_all(file, data, size);
    if (error == EFBIG && !sigismember(&pending, SIGXFSZ))
        sigtimedwait(&too_long, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

int teeny_file_write(int directory, const char *name, const void *data, size_t size, bool sync)
{
    int file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return errno;
    int error = fchmod(file, 0600) < 0 ? errno : 0; /* whatever the host's umask is */
    if (!error)
        error = teeny_write(file, data, size);
    if (!error && sync && fsync(file) < 0)
        error = errno;
    /* Network file systems and quotas report a full disk as late as here. */
    if (close(file) < 0 && !error)
        error = errno;
    if (error)
        unlinkat(directory, name, 0);
    return error;
}

static int remove_within(int directory, const char *name, void *context)
{
    (void)context;
    return teeny_remove_tree(directory, name);
}

int teeny_remove_tree(int directory, const char *name)
{
    if (unlinkat(directory, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return errno;
    int opened = teeny_directory_open(directory, name);
    if (opened < 0)
        return errno;
    int error = teeny_directory_walk(opened, remove_within, NULL);
    close(opened);
    if (!error && unlinkat(directory, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
        error = errno;
    return error;
}
