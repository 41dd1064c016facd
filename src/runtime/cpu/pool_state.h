/* The pool's own state, shared by pool.c, queue.c and worker.c. */
#ifndef TEENY_RUNTIME_CPU_POOL_STATE_H
#define TEENY_RUNTIME_CPU_POOL_STATE_H

#include "runtime/cpu/pool.h"

struct teeny_pool {
    pthread_mutex_t mutex;
    pthread_cond_t work; /* there is a runnable queue, or the pool ends */
    pthread_cond_t done; /* a task is finished, or one that may be helped with has come */
    teeny_queue *queues;
    teeny_queue *first_runnable, *last_runnable;
    uint64_t tickets; /* given out so far */
    bool ending;
    bool can_look; /* see patience.h */
    unsigned thread_count;
    unsigned looking, sleeping; /* workers without work */
    _Atomic(uint64_t) openings; /* how many of those that look are wanted; no mutex */
    pthread_t threads[TEENY_THREAD_LIMIT];
    teeny_executor executor; /* all zero: the threads are the pool's own */
    unsigned wanted, jobs;   /* to be asked of the executor; asked of it, and not ended */
    unsigned spare_count;
    teeny_scratch spare[TEENY_THREAD_LIMIT]; /* what jobs that do not run have */
};

/* A pool with no thread; NULL where there is no memory. */
teeny_pool *teeny_pool_create_empty(bool can_look);

/* For an executor, with the mutex held. want_jobs: there are so many chunks to claim; dispatch:
 * asks for the jobs that are wanted, and gives the mutex up meanwhile; also where none can be. */
void teeny_pool_want_jobs(teeny_pool *pool, uint64_t chunks);
void teeny_pool_dispatch(teeny_pool *pool);

/* Without the mutex: waits for the jobs, and frees what they had. */
void teeny_pool_end_jobs(teeny_pool *pool);

/* A worker's thread; the argument is the pool. */
void *teeny_worker_main(void *argument);

/* With the mutex held, which is given up meanwhile: claims and runs programs of the queue's first
 * task until all are claimed. The queue must be runnable. */
void teeny_pool_work_on(teeny_pool *pool, teeny_queue *queue, teeny_scratch *scratch);

/* With the mutex held: the queue has a first task that it did not have before. Goes past moments as
 * far as that goes, in other queues too; then there is a task to claim programs of. */
void teeny_pool_advance(teeny_pool *pool, teeny_queue *queue);

/* With the mutex held: the queue's first task has programs to claim. */
void teeny_pool_make_runnable(teeny_pool *pool, teeny_queue *queue);

/* With the mutex held: one reference less. */
void teeny_moment_drop(teeny_moment *moment);

/* With the mutex held: nobody else is to claim programs of the queue's first task. */
void teeny_pool_make_idle(teeny_pool *pool, teeny_queue *queue);

/* With the mutex held: the queue's first task is done. */
void teeny_pool_finish(teeny_pool *pool, teeny_queue *queue);

#endif
