/* One thread of the cpu device; see pool.h. */
#include "runtime/cpu/float_environment.h"
#include "runtime/cpu/patience.h"
#include "runtime/cpu/pool_state.h"

#include <stdlib.h>

enum { SCRATCH_ALIGNMENT = 64 };

static bool reserve(teeny_scratch *scratch, uint64_t size)
{
    if (size <= scratch->size)
        return true;
    uint64_t rounded = (size + SCRATCH_ALIGNMENT - 1) / SCRATCH_ALIGNMENT * SCRATCH_ALIGNMENT;
    void *memory = aligned_alloc(SCRATCH_ALIGNMENT, rounded);
    if (!memory)
        return false;
    free(scratch->memory);
    *scratch = (teeny_scratch){memory, rounded};
    return true;
}

/* The next chunk; false where there is none left. */
static bool claim(teeny_task *task, uint64_t *out_first, uint64_t *out_last)
{
    uint64_t first = atomic_fetch_add(&task->next, task->chunk);
    if (first >= task->total)
        return false;
    uint64_t left = task->total - first;
    *out_first = first;
    *out_last = first + (left < task->chunk ? left : task->chunk);
    return true;
}

static void run_programs(teeny_task *task, teeny_scratch *scratch)
{
    if (!reserve(scratch, task->image->scratch_bytes)) {
        atomic_store(&task->out_of_memory, true);
        atomic_store(&task->next, task->total);
        return;
    }
    cpu_call call = {.arguments = task->arguments, .scratch = scratch->memory};
    for (int i = 0; i < 3; i++)
        call.num_programs[i] = task->num_programs[i];
    float_environment before = float_environment_begin();
    uint64_t first, last;
    while (claim(task, &first, &last))
        task->image->entry(&call, first, last);
    float_environment_end(before);
}

/* Claims and runs chunks until all are claimed. */
static void run_chunks(teeny_task *task, teeny_scratch *scratch)
{
    uint64_t first, last;
    if (task->kind == TEENY_TASK_LAUNCH) {
        run_programs(task, scratch);
        return;
    }
    while (claim(task, &first, &last))
        task->call(task->arguments, first, last);
}

void teeny_pool_work_on(teeny_pool *pool, teeny_queue *queue, teeny_scratch *scratch)
{
    teeny_task *task = &queue->tasks[queue->first];
    if (++task->workers == pool->thread_count)
        teeny_pool_make_idle(pool, queue);
    pthread_mutex_unlock(&pool->mutex);
    run_chunks(task, scratch);
    pthread_mutex_lock(&pool->mutex);
    if (queue->runnable)
        teeny_pool_make_idle(pool, queue);
    if (--task->workers == 0)
        teeny_pool_finish(pool, queue);
}

static bool claim_opening(teeny_pool *pool)
{
    uint64_t left = atomic_load(&pool->openings);
    while (left && !atomic_compare_exchange_weak(&pool->openings, &left, left - 1))
        ;
    return left > 0;
}

/* With nothing to do: looks for work, then sleeps until there is some. */
static void rest(teeny_pool *pool)
{
    struct teeny_patience patience = teeny_patience_new(pool->can_look);
    pool->looking++;
    pthread_mutex_unlock(&pool->mutex);
    while (teeny_patience_left(&patience) && !claim_opening(pool))
        ;
    pthread_mutex_lock(&pool->mutex);
    pool->looking--;
    if (pool->first_runnable || pool->ending)
        return;
    pool->sleeping++;
    pthread_cond_wait(&pool->work, &pool->mutex);
    pool->sleeping--;
}

void *teeny_worker_main(void *argument)
{
    teeny_pool *pool = argument;
    teeny_scratch scratch = {0};
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        if (pool->first_runnable)
            teeny_pool_work_on(pool, pool->first_runnable, &scratch);
        else if (pool->ending)
            break;
        else
            rest(pool);
    }
    pthread_mutex_unlock(&pool->mutex);
    free(scratch.memory);
    return NULL;
}
