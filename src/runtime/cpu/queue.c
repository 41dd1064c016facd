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

static void wait_until_left(teeny_pool *pool, const teeny_queue *queue)
{
    while (queue->count || queue->visitors)
        pthread_cond_wait(&pool->done, &pool->mutex);
}

void teeny_pool_remove_queue(teeny_pool *pool, teeny_queue *queue)
{
    pthread_mutex_lock(&pool->mutex);
    wait_until_left(pool, queue);
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

/* With the mutex held, which is given up while the queue is full: the place of its next task. */
static teeny_task *next_place(teeny_pool *pool, teeny_queue *queue)
{
    while (queue->count == TEENY_QUEUE_LENGTH)
        pthread_cond_wait(&pool->done, &pool->mutex);
    return &queue->tasks[(queue->first + queue->count) % TEENY_QUEUE_LENGTH];
}

static void fill_task(teeny_pool *pool, teeny_task *task, teeny_task_kind kind, uint64_t total)
{
    task->kind = kind;
    task->total = total;
    task->chunk = chunk_size(total, pool->thread_count);
    task->ticket = pool->tickets++;
    task->workers = 0;
    atomic_store(&task->next, 0);
    atomic_store(&task->out_of_memory, false);
}

/* With the mutex held: the task that was filled in at the queue's next place is its last. */
static void push(teeny_pool *pool, teeny_queue *queue)
{
    if (queue->count++ == 0)
        teeny_pool_advance(pool, queue);
    teeny_pool_dispatch(pool);
}

bool teeny_pool_submit(teeny_pool *pool, teeny_queue *queue, const teeny_image *image,
    const uint32_t num_programs[3], const void *arguments, size_t size)
{
    pthread_mutex_lock(&pool->mutex);
    teeny_task *task = next_place(pool, queue);
    bool good = copy_arguments(task, arguments, size);
    if (good) {
        uint64_t total = (uint64_t)num_programs[0] * num_programs[1] * num_programs[2];
        fill_task(pool, task, TEENY_TASK_LAUNCH, total);
        memcpy(task->num_programs, num_programs, sizeof task->num_programs);
        task->image = image;
        push(pool, queue);
    }
    pthread_mutex_unlock(&pool->mutex);
    return good;
}

bool teeny_pool_submit_call(teeny_pool *pool, teeny_queue *queue, teeny_pool_call *call,
    uint64_t pieces, const void *arguments, size_t size)
{
    pthread_mutex_lock(&pool->mutex);
    teeny_task *task = next_place(pool, queue);
    bool good = copy_arguments(task, arguments, size);
    if (good) {
        fill_task(pool, task, TEENY_TASK_CALL, pieces);
        task->call = call;
        push(pool, queue);
    }
    pthread_mutex_unlock(&pool->mutex);
    return good;
}

/* ---- Moments --------------------------------------------------------------------------------- */

void teeny_moment_drop(teeny_moment *moment)
{
    if (--moment->references == 0)
        free(moment);
}

void teeny_moment_retain(teeny_pool *pool, teeny_moment *moment)
{
    pthread_mutex_lock(&pool->mutex);
    moment->references++;
    pthread_mutex_unlock(&pool->mutex);
}

void teeny_moment_release(teeny_pool *pool, teeny_moment *moment)
{
    if (!moment)
        return;
    pthread_mutex_lock(&pool->mutex);
    teeny_moment_drop(moment);
    pthread_mutex_unlock(&pool->mutex);
}

/* With the mutex held. */
static void submit_moment(
    teeny_pool *pool, teeny_queue *queue, teeny_task_kind kind, teeny_moment *moment)
{
    teeny_task *task = next_place(pool, queue);
    fill_task(pool, task, kind, 0);
    moment->references++;
    task->moment = moment;
    push(pool, queue);
}

teeny_moment *teeny_pool_record(teeny_pool *pool, teeny_queue *queue)
{
    teeny_moment *moment = calloc(1, sizeof *moment);
    if (!moment)
        return NULL;
    moment->references = 1;
    moment->queue = queue;
    pthread_mutex_lock(&pool->mutex);
    submit_moment(pool, queue, TEENY_TASK_RECORD, moment);
    pthread_mutex_unlock(&pool->mutex);
    return moment;
}

void teeny_pool_hold_up(teeny_pool *pool, teeny_queue *queue, teeny_moment *moment)
{
    pthread_mutex_lock(&pool->mutex);
    if (!moment->has_passed)
        submit_moment(pool, queue, TEENY_TASK_WAIT, moment);
    pthread_mutex_unlock(&pool->mutex);
}

bool teeny_moment_has_passed(teeny_pool *pool, const teeny_moment *moment, int64_t *out_time)
{
    pthread_mutex_lock(&pool->mutex);
    bool has_passed = moment->has_passed;
    *out_time = moment->time;
    pthread_mutex_unlock(&pool->mutex);
    return has_passed;
}

/* ---- Waiting --------------------------------------------------------------------------------- */

static void help(teeny_pool *pool, teeny_queue *queue, teeny_queue *on)
{
    queue->has_helper = true;
    teeny_pool_work_on(pool, on, &queue->helper_scratch);
    queue->has_helper = false;
    teeny_pool_dispatch(pool);
}

static bool is_held_up(const teeny_queue *queue)
{
    return queue->count && queue->tasks[queue->first].kind == TEENY_TASK_WAIT;
}

/* Others have the rest of the first task, or of what holds it up: until it is done, or a little
 * later. */
static void wait_for_others(teeny_pool *pool, teeny_queue *queue)
{
    uint64_t finished = atomic_load(&queue->finished);
    struct teeny_patience patience = teeny_patience_new(pool->can_look);
    pthread_mutex_unlock(&pool->mutex);
    while (atomic_load(&queue->finished) == finished && teeny_patience_left(&patience))
        ;
    pthread_mutex_lock(&pool->mutex);
    if (atomic_load(&queue->finished) != finished)
        return;
    bool can_help = is_held_up(queue) && !queue->has_helper && pool->first_runnable;
    if (!can_help)
        pthread_cond_wait(&pool->done, &pool->mutex);
}

/* With the mutex held, and the queue not empty. What holds it up may be waiting for the very thread
 * that is here: it works on any queue then. */
static void work_or_wait(teeny_pool *pool, teeny_queue *queue)
{
    teeny_queue *on = queue->runnable ? queue : NULL;
    if (is_held_up(queue))
        on = pool->first_runnable;
    if (on && !queue->has_helper)
        help(pool, queue, on);
    else
        wait_for_others(pool, queue);
}

/* With the mutex held: whoever removes the queue waits for its visitors. */
static void leave(teeny_pool *pool, teeny_queue *queue)
{
    if (--queue->visitors == 0)
        pthread_cond_broadcast(&pool->done);
}

bool teeny_pool_wait(teeny_pool *pool, teeny_queue *queue)
{
    pthread_mutex_lock(&pool->mutex);
    queue->visitors++;
    while (queue->count)
        work_or_wait(pool, queue);
    bool good = !queue->out_of_memory;
    queue->out_of_memory = false;
    leave(pool, queue);
    pthread_mutex_unlock(&pool->mutex);
    return good;
}

void teeny_moment_wait(teeny_pool *pool, teeny_moment *moment)
{
    pthread_mutex_lock(&pool->mutex);
    teeny_queue *queue = moment->queue;
    if (queue) {
        queue->visitors++;
        while (!moment->has_passed)
            work_or_wait(pool, queue);
        leave(pool, queue);
    }
    pthread_mutex_unlock(&pool->mutex);
}

bool teeny_pool_is_done(teeny_pool *pool, const teeny_queue *queue)
{
    pthread_mutex_lock(&pool->mutex);
    bool is_done = queue->count == 0;
    pthread_mutex_unlock(&pool->mutex);
    return is_done;
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
