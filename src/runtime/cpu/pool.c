/* The cpu device's threads: started and ended; see pool.h. */
#define _GNU_SOURCE 1 /* pthread_setname_np */
#include "runtime/cpu/patience.h"
#include "runtime/cpu/pool_state.h"

#include <errno.h>
#include <stdlib.h>

static int start_threads(teeny_pool *pool, unsigned threads)
{
    int error = 0;
    while (pool->thread_count < threads && !error) {
        pthread_t *thread = &pool->threads[pool->thread_count];
        error = teeny_thread_start(thread, teeny_worker_main, pool);
        if (!error) {
            pthread_setname_np(*thread, "teeny-cpu");
            pool->thread_count++;
        }
    }
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

/* Behind those that are as urgent. */
static void insert(teeny_pool *pool, teeny_queue *queue)
{
    teeny_queue *before = pool->last_runnable;
    if (before && before->priority > queue->priority) {
        before = NULL;
        for (teeny_queue *at = pool->first_runnable; at->priority <= queue->priority;
            at = at->next_runnable)
            before = at;
    }
    teeny_queue **link = before ? &before->next_runnable : &pool->first_runnable;
    queue->next_runnable = *link;
    *link = queue;
    if (!queue->next_runnable)
        pool->last_runnable = queue;
}

void teeny_pool_make_runnable(teeny_pool *pool, teeny_queue *queue)
{
    queue->runnable = true;
    insert(pool, queue);
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

static void pop(teeny_queue *queue)
{
    queue->first = (queue->first + 1) % TEENY_QUEUE_LENGTH;
    queue->count--;
    atomic_fetch_add(&queue->finished, 1);
}

static void add_to_list(teeny_queue *queue, teeny_queue **list)
{
    queue->next_held_up = *list;
    *list = queue;
}

static void pass(teeny_moment *moment, teeny_queue **going_on)
{
    moment->has_passed = true;
    moment->time = teeny_patience_now();
    moment->queue = NULL;
    while (moment->held_up) {
        teeny_queue *queue = moment->held_up;
        moment->held_up = queue->next_held_up;
        add_to_list(queue, going_on);
    }
}

/* False where the queue can go no further. `going_on` gets those that can by this. */
static bool go_past(teeny_queue *queue, teeny_queue **going_on)
{
    teeny_task *task = &queue->tasks[queue->first];
    if (task->kind == TEENY_TASK_RECORD) {
        pass(task->moment, going_on);
    } else if (!task->moment->has_passed) {
        add_to_list(queue, &task->moment->held_up);
        return false;
    }
    teeny_moment_drop(task->moment);
    pop(queue);
    return true;
}

static bool has_moment(const teeny_queue *queue)
{
    return queue->count && queue->tasks[queue->first].kind >= TEENY_TASK_RECORD;
}

void teeny_pool_advance(teeny_pool *pool, teeny_queue *queue)
{
    teeny_queue *going_on = NULL;
    add_to_list(queue, &going_on);
    while (going_on) {
        teeny_queue *at = going_on;
        going_on = at->next_held_up;
        bool is_free = true;
        while (is_free && has_moment(at))
            is_free = go_past(at, &going_on);
        if (is_free && at->count)
            teeny_pool_make_runnable(pool, at);
    }
    pthread_cond_broadcast(&pool->done);
}

void teeny_pool_finish(teeny_pool *pool, teeny_queue *queue)
{
    queue->out_of_memory |= atomic_load(&queue->tasks[queue->first].out_of_memory);
    pop(queue);
    teeny_pool_advance(pool, queue);
}
