/* The cpu device's threads, and the queues that they work off.
 *
 *   stream:  task, task, task   in order; only the first is being run
 *              │
 *              ├─ programs 0..k     claimed in chunks by whichever worker comes next
 *              └─ programs k..n
 *
 * A stream whose first task has unclaimed programs is on the pool's list of runnable streams. A
 * worker takes the first such stream and claims chunks until there are none left. Whoever waits for
 * a stream works on it too: a short task is done before a sleeping thread would have woken up. No
 * task has more threads in it than the pool has. The last one to leave a task finishes it, and the
 * stream's next task becomes runnable.
 *
 * Threads with nothing to do look out for work for some microseconds before they sleep.
 *
 * All fields are guarded by the pool's mutex, but for what says otherwise.
 */
#ifndef TEENY_RUNTIME_CPU_POOL_H
#define TEENY_RUNTIME_CPU_POOL_H

#include "runtime/host_threads.h"
#include "runtime/image.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <teeny/device.h>

enum {
    TEENY_QUEUE_LENGTH = 256, /* launches that a stream holds before the launcher has to wait */
};

/* Memory of one thread for the tiles of the program that it runs; it only grows. */
typedef struct teeny_scratch {
    void *memory;
    uint64_t size;
} teeny_scratch;

typedef struct teeny_task {
    const teeny_image *image;
    void *arguments; /* a copy, in a buffer that the queue's place keeps */
    size_t arguments_capacity;
    uint32_t num_programs[3];
    uint64_t total, chunk;
    uint64_t ticket;             /* the how-manieth task of the pool this is */
    _Atomic(uint64_t) next;      /* first unclaimed program; any worker, no mutex */
    _Atomic(bool) out_of_memory; /* a worker had no scratch for it */
    unsigned workers;            /* threads that are in it */
} teeny_task;

typedef struct teeny_queue {
    teeny_task tasks[TEENY_QUEUE_LENGTH]; /* a ring */
    size_t first, count;
    _Atomic(uint64_t) finished; /* tasks so far; read with no mutex */
    bool runnable;              /* on the pool's list */
    bool out_of_memory;         /* since this was last reported */
    bool has_helper;            /* one of those who wait for it works on it */
    teeny_scratch helper_scratch;
    struct teeny_queue *next_runnable;
    struct teeny_queue *next; /* of all queues of the pool */
} teeny_queue;

typedef struct teeny_pool teeny_pool;

/* Starts the threads; `can_look` where there are several cores. NULL with errno set where not even
 * one can be started. */
teeny_pool *teeny_pool_create(unsigned threads, bool can_look);

/* The same on the threads of the host program: the executor is copied, and has a `run` and at least
 * one thread. NULL where there is no memory. */
teeny_pool *teeny_pool_create_on(const teeny_executor *executor, bool can_look);

/* Ends the threads; all queues must be empty. */
void teeny_pool_destroy(teeny_pool *pool);

unsigned teeny_pool_threads(const teeny_pool *pool);

/* Makes a queue known to the pool, and forgets it when it is empty. */
void teeny_pool_add_queue(teeny_pool *pool, teeny_queue *queue);
void teeny_pool_remove_queue(teeny_pool *pool, teeny_queue *queue);

/* Puts a launch at the end of a queue; waits while the queue is full. The arguments are copied.
 * False where there is no memory for the copy. */
bool teeny_pool_submit(teeny_pool *pool, teeny_queue *queue, const teeny_image *image,
    const uint32_t num_programs[3], const void *arguments, size_t size);

/* Waits until the queue is empty, and works on it. False where a task since the last call ran out
 * of memory. */
bool teeny_pool_wait(teeny_pool *pool, teeny_queue *queue);

/* Waits until all that was submitted to any queue before this call is done. */
void teeny_pool_wait_all(teeny_pool *pool);

#endif
