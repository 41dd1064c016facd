/* How large the cache is known to be: the file CACHE/usage; see usage.h. */
#define _GNU_SOURCE 1 /* O_NOFOLLOW */
#include "runtime/cache/usage.h"

#include "base/files.h"
#include "base/sleep.h"
#include "runtime/cache/lock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NAME "usage"
#define FIRST_LINE "teeny usage 1\n"
#define FORMAT FIRST_LINE "bytes %-20" PRIu64 "\ncounted %-20" PRIu64 "\n"

enum { DAY = 24 * 60 * 60 };

struct usage {
    uint64_t bytes;
    uint64_t counted; /* seconds since 1970 */
};

/* The number behind `key`, which begins a line. */
static bool find_number(const char *text, const char *key, uint64_t *out_number)
{
    const char *at = strstr(text, key);
    if (!at || !isdigit((unsigned char)at[strlen(key)]))
        return false;
    char *end;
    errno = 0;
    *out_number = strtoull(at + strlen(key), &end, 10);
    return errno == 0 && (*end == ' ' || *end == '\n');
}

static bool read_file(int file, struct usage *usage)
{
    char text[128];
    uint64_t counted = 0;
    ssize_t size = pread(file, text, sizeof text - 1, 0);
    if (size <= 0)
        return false;
    text[size] = '\0';
    if (strncmp(text, FIRST_LINE, strlen(FIRST_LINE)) != 0 ||
        !find_number(text, "\nbytes ", &usage->bytes) || !find_number(text, "\ncounted ", &counted))
        return false;
    uint64_t now = (uint64_t)time(NULL);
    usage->counted = counted;
    return counted <= now && now - counted < DAY;
}

/* Every text is of one length, so that the new one replaces the old one by one write. */
static bool write_file(int file, const struct usage *usage)
{
    char text[128];
    int length = snprintf(text, sizeof text, FORMAT, usage->bytes, usage->counted);
    return lseek(file, 0, SEEK_SET) == 0 && teeny_write(file, text, (size_t)length) == 0;
}

/* Others hold this lock for microseconds, unless they were stopped. */
static bool take_lock(int directory, teeny_lock *out_lock)
{
    enum { MILLISECOND = 1000000 };
    int64_t byte = teeny_lock_byte(TEENY_LOCK_USAGE, "", "");
    for (int attempt = 0; attempt < 100; attempt++) {
        if (teeny_lock_take(directory, byte, out_lock) != TEENY_LOCK_BUSY)
            return true;
        teeny_sleep(MILLISECOND);
    }
    return false;
}

static int open_file(int directory, int flags)
{
    return openat(directory, NAME, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
}

static bool add(int file, uint64_t bytes, uint64_t *out_bytes)
{
    struct usage usage;
    if (!read_file(file, &usage))
        return false;
    usage.bytes += bytes;
    *out_bytes = usage.bytes;
    return write_file(file, &usage);
}

bool teeny_usage_add(int directory, uint64_t bytes, uint64_t *out_bytes)
{
    teeny_lock lock;
    if (!take_lock(directory, &lock))
        return false;
    int file = open_file(directory, O_RDWR);
    bool known = file >= 0 && add(file, bytes, out_bytes);
    if (file >= 0)
        close(file);
    teeny_lock_leave(&lock);
    return known;
}

void teeny_usage_set(int directory, uint64_t bytes)
{
    struct usage usage = {bytes, (uint64_t)time(NULL)};
    teeny_lock lock;
    if (!take_lock(directory, &lock))
        return;
    int file = open_file(directory, O_RDWR | O_CREAT);
    if (file >= 0) {
        write_file(file, &usage);
        close(file);
    }
    teeny_lock_leave(&lock);
}
