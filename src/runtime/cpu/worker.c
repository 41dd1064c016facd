/* One thread of the cpu device; see pool.h. */
#include "runtime/cpu/pool_state.h"

#include <stdlib.h>

enum { SCRATCH_ALIGNMENT = 64 };

/* A worker's scratch memory: it only grows. */
struct scratch {
    void *memory;
    uint64_t size;
};

static bool reserve(struct scratch *scratch, uint64_t size)
{
    if (size <= scratch->size)
        return true;
    uint64_t rounded = (size + SCRATCH_ALIGNMENT - 1) / SCRATCH_ALIGNMENT * SCRATCH_ALIGNMENT;
    void *memory = aligned_alloc(SCRATCH_ALIGNMENT, rounded);
    if (!memory)
        return false;
    free(scratch->memory);
    *scratch = (struct scratch){memory, rounded};
    return true;
}

/* Claims and runs chunks until all are claimed. */
static void run_chunks(teeny_task *task, struct scratch *scratch)
{
    if (!reserve(scratch, task->image->scratch_bytes)) {
        atomic_store(&task->out_of_memory, true);
        atomic_store(&task->next, task->total);
        return;
    }
    cpu_call call = {.arguments = task->arguments, .scratch = scratch->memory};
    for (int i = 0; i < 3; i++)
        call.num_programs[i] = task->num_programs[i];
    for (;;) {
        uint64_t first = atomic_fetch_add(&task->next, task->chunk);
        if (first >= task->total)
            return;
        uint64_t left = task->total - first;
        task->image->entry(&call, first, first + (left < task->chunk ? left : task->chunk));
    }
}

static void work_on(teeny_pool *pool, teeny_queue *queue, struct scratch *scratch)
{
    teeny_task *task = &queue->tasks[queue->first];
    task->workers++;
    pthread_mutex_unlock(&pool->mutex);
    run_chunks(task, scratch);
    pthread_mutex_lock(&pool->mutex);
    if (queue->runnable)
        teeny_pool_make_idle(pool, queue);
    if (--task->workers == 0)
        teeny_pool_finish(pool, queue);
}

void *teeny_worker_main(void *argument)
{
    teeny_pool *pool = argument;
    struct scratch scratch = {0};
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        if (pool->first_runnable)
            work_on(pool, pool->first_runnable, &scratch);
        else if (pool->ending)
            break;
        else
            pthread_cond_wait(&pool->work, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    free(scratch.memory);
    return NULL;
}
