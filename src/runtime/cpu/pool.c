/* The cpu device's threads: started and ended; see pool.h. */
#define _GNU_SOURCE 1 /* pthread_setname_np */
#include "runtime/cpu/pool_state.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

/* The host's signals are for the host's threads: workers are started with all of them blocked. */
static int start_threads(teeny_pool *pool, unsigned threads)
{
    sigset_t all, before;
    int error = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->thread_count < threads && !error) {
        pthread_t *thread = &pool->threads[pool->thread_count];
        error = pthread_create(thread, NULL, teeny_worker_main, pool);
        if (!error) {
            pthread_setname_np(*thread, "teeny-cpu");
            pool->thread_count++;
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pool->thread_count ? 0 : error;
}

teeny_pool *teeny_pool_create_empty(bool can_look)
{
    teeny_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->can_look = can_look;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    return pool;
}

teeny_pool *teeny_pool_create(unsigned threads, bool can_look)
{
    teeny_pool *pool = teeny_pool_create_empty(can_look);
    if (!pool)
        return NULL;
    int error = start_threads(pool, threads < TEENY_THREAD_LIMIT ? threads : TEENY_THREAD_LIMIT);
    if (!error)
        return pool;
    teeny_pool_destroy(pool);
    errno = error;
    return NULL;
}

void teeny_pool_destroy(teeny_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->ending = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 0; !pool->executor.run && i < pool->thread_count; i++)
        pthread_join(pool->threads[i], NULL);
    teeny_pool_end_jobs(pool);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

unsigned teeny_pool_threads(const teeny_pool *pool)
{
    return pool->thread_count;
}

/* As many of the workers without work as there are chunks to claim: first those that look for it.
 */
static void call_workers(teeny_pool *pool, const teeny_task *task)
{
    uint64_t chunks = (task->total + task->chunk - 1) / task->chunk;
    if (pool->executor.run) {
        teeny_pool_want_jobs(pool, chunks);
        return;
    }
    uint64_t wanted = chunks < pool->looking ? chunks : pool->looking;
    if (wanted > atomic_load(&pool->openings))
        atomic_store(&pool->openings, wanted);
    if (chunks >= (uint64_t)pool->looking + pool->sleeping) {
        if (pool->sleeping)
            pthread_cond_broadcast(&pool->work);
        return;
    }
    for (uint64_t i = pool->looking; i < chunks; i++)
        pthread_cond_signal(&pool->work);
}

void teeny_pool_make_runnable(teeny_pool *pool, teeny_queue *queue)
{
    queue->runnable = true;
    queue->next_runnable = NULL;
    if (pool->last_runnable)
        pool->last_runnable->next_runnable = queue;
    else
        pool->first_runnable = queue;
    pool->last_runnable = queue;
    call_workers(pool, &queue->tasks[queue->first]);
}

void teeny_pool_make_idle(teeny_pool *pool, teeny_queue *queue)
{
    teeny_queue *before = NULL;
    for (teeny_queue *at = pool->first_runnable; at != queue; at = at->next_runnable)
        before = at;
    if (before)
        before->next_runnable = queue->next_runnable;
    else
        pool->first_runnable = queue->next_runnable;
    if (pool->last_runnable == queue)
        pool->last_runnable = before;
    queue->runnable = false;
}

void teeny_pool_finish(teeny_pool *pool, teeny_queue *queue)
{
    queue->out_of_memory |= atomic_load(&queue->tasks[queue->first].out_of_memory);
    queue->first = (queue->first + 1) % TEENY_QUEUE_LENGTH;
    queue->count--;
    atomic_fetch_add(&queue->finished, 1);
    if (queue->count)
        teeny_pool_make_runnable(pool, queue);
    pthread_cond_broadcast(&pool->done);
}
