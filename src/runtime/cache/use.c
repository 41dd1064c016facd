/* Entries that this process uses, which no process evicts meanwhile; see use.h.
 *
 *   holder     one a cache: the open file that has the locks
 *     use      one an entry: how often it is used
 */
#include "runtime/cache/use.h"

#include "base/sleep.h"
#include "runtime/cache/cache.h"
#include "runtime/cache/lock.h"
#include "runtime/fork.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct holder {
    teeny_cache_identity cache;
    pid_t process; /* a forked child shares the open file, and must not unlock what is in it */
    int file;
    size_t uses;
    struct holder *next;
};

struct teeny_cache_use {
    struct holder *holder;
    int64_t byte;
    size_t count;
    teeny_cache_use *next;
};

enum { BUCKETS = 256 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct holder *holders;
static teeny_cache_use *buckets[BUCKETS];

static void start_anew(void)
{
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
TEENY_AFTER_FORK(start_anew)

static bool holds(const struct holder *holder, const teeny_cache *cache)
{
    return holder->cache.device == cache->identity.device &&
           holder->cache.inode == cache->identity.inode && holder->process == getpid();
}

static struct holder *make_holder(const teeny_cache *cache)
{
    struct holder *holder = malloc(sizeof *holder);
    int file = holder ? teeny_lock_open(cache->directory) : -1;
    if (file < 0) {
        free(holder);
        return NULL;
    }
    *holder = (struct holder){cache->identity, getpid(), file, 0, holders};
    holders = holder;
    return holder;
}

static struct holder *find_holder(const teeny_cache *cache)
{
    struct holder *at = holders;
    while (at && !holds(at, cache))
        at = at->next;
    return at ? at : make_holder(cache);
}

static void free_if_unused(struct holder *holder)
{
    if (holder->uses)
        return;
    struct holder **link = &holders;
    while (*link != holder)
        link = &(*link)->next;
    *link = holder->next;
    close(holder->file);
    free(holder);
}

static teeny_cache_use **bucket_of(int64_t byte)
{
    return &buckets[(uint64_t)byte % BUCKETS];
}

static teeny_cache_use *find_use(const struct holder *holder, int64_t byte)
{
    teeny_cache_use *at = *bucket_of(byte);
    while (at && (at->holder != holder || at->byte != byte))
        at = at->next;
    return at;
}

static teeny_lock_result make_use(struct holder *holder, int64_t byte, teeny_cache_use **out_use)
{
    teeny_cache_use *use = malloc(sizeof *use);
    teeny_lock_result result =
        use ? teeny_lock_byte_take(holder->file, byte, false) : TEENY_LOCK_REFUSED;
    if (result != TEENY_LOCK_TAKEN) {
        free(use);
        return result;
    }
    teeny_cache_use **bucket = bucket_of(byte);
    *use = (teeny_cache_use){holder, byte, 0, *bucket};
    *bucket = use;
    holder->uses++;
    *out_use = use;
    return TEENY_LOCK_TAKEN;
}

static teeny_lock_result begin(const teeny_cache *cache, int64_t byte, teeny_cache_use **out_use)
{
    struct holder *holder = find_holder(cache);
    if (!holder)
        return TEENY_LOCK_REFUSED;
    teeny_lock_result result = TEENY_LOCK_TAKEN;
    *out_use = find_use(holder, byte);
    if (!*out_use)
        result = make_use(holder, byte, out_use);
    if (*out_use)
        (*out_use)->count++;
    else
        free_if_unused(holder);
    return result;
}

teeny_cache_use *teeny_cache_use_begin(const teeny_cache *cache, const char *level, const char *key)
{
    if (cache->directory < 0)
        return NULL;
    /* Who has the lock alone is removing the entry, and soon done, unless he was stopped. */
    enum { ATTEMPTS = 1000, MILLISECOND = 1000000 };
    int64_t byte = teeny_lock_byte(TEENY_LOCK_USE, level, key);
    teeny_cache_use *use = NULL;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        pthread_mutex_lock(&mutex);
        teeny_lock_result result = begin(cache, byte, &use);
        pthread_mutex_unlock(&mutex);
        if (result != TEENY_LOCK_BUSY)
            break;
        teeny_sleep(MILLISECOND);
    }
    return use;
}

static void end(teeny_cache_use *use)
{
    struct holder *holder = use->holder;
    if (--use->count)
        return;
    teeny_cache_use **link = bucket_of(use->byte);
    while (*link != use)
        link = &(*link)->next;
    *link = use->next;
    if (holder->process == getpid())
        teeny_lock_byte_leave(holder->file, use->byte);
    free(use);
    holder->uses--;
    free_if_unused(holder);
}

void teeny_cache_use_end(teeny_cache_use *use)
{
    if (!use)
        return;
    pthread_mutex_lock(&mutex);
    end(use);
    pthread_mutex_unlock(&mutex);
}
