/* Locks between processes: each is one byte of the file CACHE/lock; see lock.h. */
#define _GNU_SOURCE 1 /* F_OFD_SETLK, O_NOFOLLOW */
#include "runtime/cache/lock.h"

#include "base/checksum.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NAME "lock"

int64_t teeny_lock_byte(const char *purpose, const char *level, const char *name)
{
    char text[160];
    int length = snprintf(text, sizeof text, "%s %s/%s", purpose, level, name);
    teeny_checksum checksum = teeny_checksum_of(text, (size_t)length % sizeof text);
    checksum.text[15] = '\0'; /* 60 bits: off_t has 63 */
    return (int64_t)strtoull(checksum.text, NULL, 16);
}

int teeny_lock_open(int directory)
{
    const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int file = openat(directory, NAME, O_RDWR | O_CREAT | flags, 0600);
    /* Where nothing can be written an old lock file still serves those who only read. */
    return file >= 0 ? file : openat(directory, NAME, O_RDONLY | flags);
}

static int set(int file, int64_t byte, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    int result;
    do
        result = fcntl(file, F_OFD_SETLK, &lock);
    while (result < 0 && errno == EINTR);
    return result < 0 ? errno : 0;
}

teeny_lock_result teeny_lock_byte_take(int file, int64_t byte, bool alone)
{
    int error = set(file, byte, alone ? F_WRLCK : F_RDLCK);
    if (!error)
        return TEENY_LOCK_TAKEN;
    return error == EAGAIN || error == EACCES ? TEENY_LOCK_BUSY : TEENY_LOCK_REFUSED;
}

void teeny_lock_byte_leave(int file, int64_t byte)
{
    set(file, byte, F_UNLCK);
}

teeny_lock_result teeny_lock_take(int directory, int64_t byte, teeny_lock *out_lock)
{
    int file = teeny_lock_open(directory);
    teeny_lock_result result =
        file < 0 ? TEENY_LOCK_REFUSED : teeny_lock_byte_take(file, byte, true);
    if (file >= 0 && result != TEENY_LOCK_TAKEN) {
        close(file);
        file = -1;
    }
    *out_lock = (teeny_lock){file, byte};
    return result;
}

/* A child that was forked meanwhile has the open file too: closing it would not unlock it. */
void teeny_lock_leave(teeny_lock *lock)
{
    if (lock->file < 0)
        return;
    teeny_lock_byte_leave(lock->file, lock->byte);
    close(lock->file);
    lock->file = -1;
}
