/* The pool's own state, shared by pool.c, queue.c and worker.c. */
#ifndef TEENY_RUNTIME_CPU_POOL_STATE_H
#define TEENY_RUNTIME_CPU_POOL_STATE_H

#include "runtime/cpu/pool.h"

struct teeny_pool {
    pthread_mutex_t mutex;
    pthread_cond_t work; /* there is a runnable queue, or the pool ends */
    pthread_cond_t done; /* a task is finished */
    teeny_queue *queues;
    teeny_queue *first_runnable, *last_runnable;
    uint64_t tickets; /* given out so far */
    bool ending;
    bool can_look; /* see patience.h */
    unsigned thread_count;
    unsigned looking, sleeping; /* workers without work */
    _Atomic(uint64_t) openings; /* how many of those that look are wanted; no mutex */
    pthread_t threads[TEENY_THREAD_LIMIT];
};

/* A worker's thread; the argument is the pool. */
void *teeny_worker_main(void *argument);

/* With the mutex held, which is given up meanwhile: claims and runs programs of the queue's first
 * task until all are claimed. The queue must be runnable. */
void teeny_pool_work_on(teeny_pool *pool, teeny_queue *queue, teeny_scratch *scratch);

/* With the mutex held: the queue's first task has programs to claim. */
void teeny_pool_make_runnable(teeny_pool *pool, teeny_queue *queue);

/* With the mutex held: nobody else is to claim programs of the queue's first task. */
void teeny_pool_make_idle(teeny_pool *pool, teeny_queue *queue);

/* With the mutex held: the queue's first task is done. */
void teeny_pool_finish(teeny_pool *pool, teeny_queue *queue);

#endif
