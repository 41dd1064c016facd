/* The cpu device's queues: filled and waited for; see pool.h. */
#include "runtime/cpu/patience.h"
#include "runtime/cpu/pool_state.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNKS_PER_THREAD = 16 }; /* enough that threads end together, few enough to claim cheaply */

void teeny_pool_add_queue(teeny_pool *pool, teeny_queue *queue)
{
    pthread_mutex_lock(&pool->mutex);
    queue->next = pool->queues;
    pool->queues = queue;
    pthread_mutex_unlock(&pool->mutex);
}

static void wait_until_empty(teeny_pool *pool, const teeny_queue *queue)
{
    while (queue->count)
        pthread_cond_wait(&pool->done, &pool->mutex);
}

void teeny_pool_remove_queue(teeny_pool *pool, teeny_queue *queue)
{
    pthread_mutex_lock(&pool->mutex);
    wait_until_empty(pool, queue);
    teeny_queue **link = &pool->queues;
    while (*link != queue)
        link = &(*link)->next;
    *link = queue->next;
    /* Whoever waits for all queues looks again. */
    pthread_cond_broadcast(&pool->done);
    pthread_mutex_unlock(&pool->mutex);
    for (size_t i = 0; i < TEENY_QUEUE_LENGTH; i++)
        free(queue->tasks[i].arguments);
    free(queue->helper_scratch.memory);
}

static bool copy_arguments(teeny_task *task, const void *arguments, size_t size)
{
    if (size > task->arguments_capacity) {
        free(task->arguments);
        task->arguments = malloc(size);
        task->arguments_capacity = task->arguments ? size : 0;
        if (!task->arguments)
            return false;
    }
    if (size)
        memcpy(task->arguments, arguments, size);
    return true;
}

static uint64_t chunk_size(uint64_t total, unsigned threads)
{
    uint64_t chunk = total / ((uint64_t)threads * CHUNKS_PER_THREAD);
    return chunk ? chunk : 1;
}

static void fill_task(
    teeny_pool *pool, teeny_task *task, const teeny_image *image, const uint32_t num_programs[3])
{
    task->image = image;
    task->total = 1;
    for (int i = 0; i < 3; i++) {
        task->num_programs[i] = num_programs[i];
        task->total *= num_programs[i];
    }
    task->chunk = chunk_size(task->total, pool->thread_count);
    task->ticket = pool->tickets++;
    task->workers = 0;
    atomic_store(&task->next, 0);
    atomic_store(&task->out_of_memory, false);
}

bool teeny_pool_submit(teeny_pool *pool, teeny_queue *queue, const teeny_image *image,
    const uint32_t num_programs[3], const void *arguments, size_t size)
{
    pthread_mutex_lock(&pool->mutex);
    while (queue->count == TEENY_QUEUE_LENGTH)
        pthread_cond_wait(&pool->done, &pool->mutex);
    teeny_task *task = &queue->tasks[(queue->first + queue->count) % TEENY_QUEUE_LENGTH];
    bool good = copy_arguments(task, arguments, size);
    if (good) {
        fill_task(pool, task, image, num_programs);
        if (queue->count++ == 0)
            teeny_pool_make_runnable(pool, queue);
        teeny_pool_dispatch(pool);
    }
    pthread_mutex_unlock(&pool->mutex);
    return good;
}

static void help(teeny_pool *pool, teeny_queue *queue)
{
    queue->has_helper = true;
    teeny_pool_work_on(pool, queue, &queue->helper_scratch);
    queue->has_helper = false;
    teeny_pool_dispatch(pool);
}

/* Others have the rest of the first task: until it is done, or a little later. */
static void wait_for_others(teeny_pool *pool, teeny_queue *queue)
{
    uint64_t finished = atomic_load(&queue->finished);
    struct teeny_patience patience = teeny_patience_new(pool->can_look);
    pthread_mutex_unlock(&pool->mutex);
    while (atomic_load(&queue->finished) == finished && teeny_patience_left(&patience))
        ;
    pthread_mutex_lock(&pool->mutex);
    if (atomic_load(&queue->finished) == finished)
        pthread_cond_wait(&pool->done, &pool->mutex);
}

bool teeny_pool_wait(teeny_pool *pool, teeny_queue *queue)
{
    pthread_mutex_lock(&pool->mutex);
    while (queue->count) {
        if (queue->runnable && !queue->has_helper)
            help(pool, queue);
        else
            wait_for_others(pool, queue);
    }
    bool good = !queue->out_of_memory;
    queue->out_of_memory = false;
    pthread_mutex_unlock(&pool->mutex);
    return good;
}

static bool has_task_before(const teeny_pool *pool, uint64_t ticket)
{
    for (const teeny_queue *queue = pool->queues; queue; queue = queue->next)
        if (queue->count && queue->tasks[queue->first].ticket < ticket)
            return true;
    return false;
}

void teeny_pool_wait_all(teeny_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    uint64_t ticket = pool->tickets;
    while (has_task_before(pool, ticket))
        pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}
