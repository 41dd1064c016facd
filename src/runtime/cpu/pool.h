/* The cpu device's threads, and the queues that they work off.
 *
 *   stream:  task, task, task   in order; only the first is being run
 *              │
 *              ├─ programs 0..k     claimed in chunks by whichever worker comes next
 *              └─ programs k..n
 *
 * A task is a launch, or a call of the host's in some pieces; or it is a moment that is recorded or
 * waited for, which takes no thread: a queue whose first task waits is held up until the moment has
 * passed, and then goes on.
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

/* A point in a queue. */
typedef struct teeny_moment {
    unsigned references;
    bool has_passed;
    int64_t time;                /* when, on the monotonic clock, in nanoseconds */
    struct teeny_queue *queue;   /* whose point it is, until it has passed */
    struct teeny_queue *held_up; /* those that wait for it, by next_held_up */
} teeny_moment;

/* Does pieces first to last - 1 of a call; `arguments` are the submitter's copied ones. */
typedef void teeny_pool_call(void *arguments, uint64_t first, uint64_t last);

typedef enum teeny_task_kind {
    TEENY_TASK_LAUNCH,
    TEENY_TASK_CALL,
    TEENY_TASK_RECORD,
    TEENY_TASK_WAIT,
} teeny_task_kind;

typedef struct teeny_task {
    teeny_task_kind kind;
    const teeny_image *image; /* of a launch */
    teeny_pool_call *call;    /* of a call */
    teeny_moment *moment;     /* of the others: one reference */
    void *arguments;          /* a copy, in a buffer that the queue's place keeps */
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
    bool has_helper;            /* one of those who wait for it works, with this: */
    teeny_scratch helper_scratch;
    unsigned visitors; /* threads that wait for it, and need it to be there */
    int priority;      /* the lowest first */
    struct teeny_queue *next_held_up;
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

/* The same for a call of the host's in `pieces`. */
bool teeny_pool_submit_call(teeny_pool *pool, teeny_queue *queue, teeny_pool_call *call,
    uint64_t pieces, const void *arguments, size_t size);

/* The moment when all that is in the queue so far is done, or NULL where there is no memory for it;
 * given back with teeny_moment_release. */
teeny_moment *teeny_pool_record(teeny_pool *pool, teeny_queue *queue);
void teeny_moment_retain(teeny_pool *pool, teeny_moment *moment);
void teeny_moment_release(teeny_pool *pool, teeny_moment *moment); /* NULL is allowed */

/* What is put in the queue from now on waits for the moment, which is of the same pool. */
void teeny_pool_hold_up(teeny_pool *pool, teeny_queue *queue, teeny_moment *moment);

/* Whether it has passed, and when; waits until it has, and works on its queue. */
bool teeny_moment_has_passed(teeny_pool *pool, const teeny_moment *moment, int64_t *out_time);
void teeny_moment_wait(teeny_pool *pool, teeny_moment *moment);

/* Whether the queue is empty. */
bool teeny_pool_is_done(teeny_pool *pool, const teeny_queue *queue);

/* Waits until the queue is empty, and works on it. False where a task since the last call ran out
 * of memory. */
bool teeny_pool_wait(teeny_pool *pool, teeny_queue *queue);

/* Waits until all that was submitted to any queue before this call is done. */
void teeny_pool_wait_all(teeny_pool *pool);

#endif
