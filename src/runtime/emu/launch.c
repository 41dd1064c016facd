/* A launch on the emu device: workers take the programs of the grid, in an order that looks random,
 * until all are done or something is wrong. */
#include "runtime/emu/emu.h"
#include "runtime/host_threads.h"

#include <time.h>

/* ---- The order ------------------------------------------------------------------------------- */

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* offset + i * stride visits every program once where the stride and the total have no divisor. */
static void choose_order(teeny_emu_launch *launch)
{
    uint64_t random = launch->seed | 1;
    launch->offset = teeny_emu_random(&random) % launch->total;
    launch->stride = teeny_emu_random(&random) % launch->total;
    while (greatest_common_divisor(launch->stride, launch->total) != 1)
        launch->stride++;
}

static uint64_t program_at(const teeny_emu_launch *launch, uint64_t i)
{
    unsigned __int128 sum = (unsigned __int128)i * launch->stride + launch->offset;
    return (uint64_t)(sum % launch->total);
}

/* ---- Workers --------------------------------------------------------------------------------- */

/* False where there is nothing left to do. */
static bool run_next(teeny_emu_launch *launch, teeny_emu_program *program)
{
    uint64_t i = atomic_fetch_add(&launch->next, 1);
    if (i >= launch->total)
        return false;
    pthread_rwlock_rdlock(&launch->memory->lock);
    bool is_right = teeny_emu_program_run(program, program_at(launch, i));
    pthread_rwlock_unlock(&launch->memory->lock);
    return is_right;
}

static void *help(void *argument)
{
    teeny_emu_launch *launch = argument;
    teeny_emu_program *program = teeny_emu_program_take(launch);
    while (program && run_next(launch, program))
        continue;
    if (program)
        teeny_emu_program_give(program);
    return NULL;
}

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Starts threads to help, unless the grid will be done before they have started. */
static unsigned start_helpers(
    teeny_emu_launch *launch, uint64_t nanoseconds_a_program, pthread_t *threads, unsigned limit)
{
    enum { WORTH_NANOSECONDS = 200000 };
    uint64_t left = launch->total - 1;
    if (left * nanoseconds_a_program < WORTH_NANOSECONDS)
        return 0;
    unsigned count = 0;
    while (count + 1 < launch->workers && count < left && count < limit &&
           teeny_thread_start(&threads[count], help, launch) == 0)
        count++;
    return count;
}

/* The caller's thread works too; those that cannot be started are not missed. */
static void work(teeny_emu_launch *launch, teeny_emu_program *program)
{
    enum { HELPER_LIMIT = 64 };
    pthread_t threads[HELPER_LIMIT];
    uint64_t start = nanoseconds();
    if (!run_next(launch, program))
        return;
    unsigned count = start_helpers(launch, nanoseconds() - start, threads, HELPER_LIMIT);
    while (run_next(launch, program))
        continue;
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static void run(teeny_emu_launch *launch)
{
    teeny_emu_program *program = teeny_emu_program_take(launch);
    if (program) {
        work(launch, program);
        teeny_emu_program_give(program);
    } else {
        atomic_store(&launch->is_over, true);
        teeny_string_add(&launch->message, "out of host memory for a program's threads");
    }
}

bool teeny_emu_run(teeny_emu_launch *launch)
{
    static _Atomic(uint64_t) serials;
    launch->serial = atomic_fetch_add(&serials, 1) + 1;
    launch->total =
        (uint64_t)launch->num_programs[0] * launch->num_programs[1] * launch->num_programs[2];
    launch->message = (teeny_string){0};
    if (!launch->functions)
        launch->functions = teeny_emu_functions;
    if (launch->total == 0)
        return true;
    choose_order(launch);
    atomic_init(&launch->next, 0);
    atomic_init(&launch->is_over, false);
    pthread_mutex_init(&launch->mutex, NULL);
    run(launch);
    pthread_mutex_destroy(&launch->mutex);
    return !atomic_load(&launch->is_over);
}
