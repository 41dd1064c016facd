/* The cpu device on threads of the host program: see pool.h, and teeny_executor in device.h.
 *
 * Where a queue becomes runnable, the executor is asked for as many jobs as have chunks to claim
 * and a thread to run on. A job is a worker that ends where a worker would rest.
 */
#include "runtime/cpu/pool_state.h"

#include <stdlib.h>

static void run_job(void *argument)
{
    teeny_pool *pool = argument;
    pthread_mutex_lock(&pool->mutex);
    teeny_scratch scratch = pool->spare[--pool->spare_count];
    while (pool->first_runnable) {
        teeny_pool_work_on(pool, pool->first_runnable, &scratch);
        teeny_pool_dispatch(pool);
    }
    pool->spare[pool->spare_count++] = scratch;
    pool->jobs--;
    pthread_cond_broadcast(&pool->done);
    pthread_mutex_unlock(&pool->mutex);
}

teeny_pool *teeny_pool_create_on(const teeny_executor *executor, bool can_look)
{
    unsigned threads = executor->threads;
    teeny_pool *pool = teeny_pool_create_empty(can_look);
    if (!pool)
        return NULL;
    pool->executor = *executor;
    pool->thread_count = threads < TEENY_THREAD_LIMIT ? threads : TEENY_THREAD_LIMIT;
    pool->spare_count = pool->thread_count;
    return pool;
}

void teeny_pool_want_jobs(teeny_pool *pool, uint64_t chunks)
{
    unsigned most = pool->thread_count - pool->jobs;
    pool->wanted = pool->wanted + chunks < most ? pool->wanted + (unsigned)chunks : most;
}

void teeny_pool_dispatch(teeny_pool *pool)
{
    unsigned count = pool->wanted;
    if (count == 0)
        return;
    pool->wanted = 0;
    pool->jobs += count;
    pthread_mutex_unlock(&pool->mutex);
    pool->executor.run(pool->executor.user, count, run_job, pool);
    pthread_mutex_lock(&pool->mutex);
}

void teeny_pool_end_jobs(teeny_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    while (pool->jobs)
        pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 0; i < pool->spare_count; i++)
        free(pool->spare[i].memory);
}
