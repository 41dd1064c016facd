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
    unsigned thread_count;
    pthread_t threads[TEENY_THREAD_LIMIT];
};

/* A worker's thread; the argument is the pool. */
void *teeny_worker_main(void *argument);

/* With the mutex held: the queue's first task has programs to claim. */
void teeny_pool_make_runnable(teeny_pool *pool, teeny_queue *queue);

/* With the mutex held: there are no more programs to claim in the queue's first task. */
void teeny_pool_make_idle(teeny_pool *pool, teeny_queue *queue);

/* With the mutex held: the queue's first task is done. */
void teeny_pool_finish(teeny_pool *pool, teeny_queue *queue);

#endif
