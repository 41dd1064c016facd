/* Keys that are being compiled, so that threads that want one kernel wait for one compiler instead
 * of starting one each. */
#include "runtime/cache/in_flight.h"

#include "runtime/fork.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static teeny_in_flight *first;

/* What other threads of the parent compile is nobody's here. */
static void start_anew(void)
{
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    first = NULL;
}
TEENY_AFTER_FORK(start_anew)

static bool is_listed(const char *key)
{
    for (const teeny_in_flight *at = first; at; at = at->next)
        if (strcmp(at->key.text, key) == 0)
            return true;
    return false;
}

void teeny_in_flight_begin(teeny_in_flight *self, teeny_checksum key)
{
    self->key = key;
    pthread_mutex_lock(&mutex);
    while (is_listed(key.text))
        pthread_cond_wait(&changed, &mutex);
    self->next = first;
    first = self;
    pthread_mutex_unlock(&mutex);
}

void teeny_in_flight_end(teeny_in_flight *self)
{
    pthread_mutex_lock(&mutex);
    teeny_in_flight **link = &first;
    while (*link != self)
        link = &(*link)->next;
    *link = self->next;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}
