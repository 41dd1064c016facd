/* Locks between processes: each is one byte of the file CACHE/lock.
 *
 * They are locks of an open file (F_OFD_SETLK): the system takes them from a process that dies, and
 * threads of one process exclude each other like processes do. A file system may refuse them; then
 * nobody waits, work may be done twice, and everything stays right all the same.
 */
#ifndef TEENY_RUNTIME_CACHE_LOCK_H
#define TEENY_RUNTIME_CACHE_LOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef enum teeny_lock_result {
    TEENY_LOCK_TAKEN,
    TEENY_LOCK_BUSY,    /* somebody else has it */
    TEENY_LOCK_REFUSED, /* there are no such locks here */
} teeny_lock_result;

/* What locks are for. */
#define TEENY_LOCK_COMPILE "compile"   /* to be the one that compiles an entry */
#define TEENY_LOCK_USE "use"           /* to use an entry (shared), or to remove it */
#define TEENY_LOCK_USAGE "usage"       /* to change what the cache's size is known to be */
#define TEENY_LOCK_MAINTAIN "maintain" /* to be the one that makes room */

/* Which byte: the checksum of what it is for, and of an entry's level and name. */
int64_t teeny_lock_byte(const char *purpose, const char *level, const char *name);

/* Opens CACHE/lock, given the open directory CACHE, and makes it if need be; -1 where it cannot be
 * had. */
int teeny_lock_open(int directory);

/* Takes the lock of one byte through an open file, alone or with others, without waiting. */
teeny_lock_result teeny_lock_byte_take(int file, int64_t byte, bool alone);
void teeny_lock_byte_leave(int file, int64_t byte);

/* A lock that is held alone, through an open file of its own. */
typedef struct teeny_lock {
    int file; /* -1: not held */
    int64_t byte;
} teeny_lock;

teeny_lock_result teeny_lock_take(int directory, int64_t byte, teeny_lock *out_lock);
void teeny_lock_leave(teeny_lock *lock);

#endif
