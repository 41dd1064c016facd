/* A launch on the emu device: workers take the programs of the grid, in an order that looks random,
 * until all are done or something is wrong. */
#include "runtime/emu/emu.h"

#include <stdlib.h>

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

static void report_no_memory(teeny_emu_launch *launch)
{
    pthread_mutex_lock(&launch->mutex);
    if (!atomic_exchange(&launch->is_over, true))
        teeny_string_add(&launch->message, "out of host memory for a program's threads");
    pthread_mutex_unlock(&launch->mutex);
}

static void *work(void *argument)
{
    teeny_emu_launch *launch = argument;
    teeny_emu_program *program = teeny_emu_program_create(launch);
    if (!program) {
        report_no_memory(launch);
        return NULL;
    }
    bool goes_on = true;
    while (goes_on) {
        uint64_t i = atomic_fetch_add(&launch->next, 1);
        if (i >= launch->total)
            break;
        pthread_rwlock_rdlock(&launch->memory->lock);
        goes_on = teeny_emu_program_run(program, program_at(launch, i));
        pthread_rwlock_unlock(&launch->memory->lock);
    }
    teeny_emu_program_destroy(program);
    return NULL;
}

/* The caller's thread works too; those that cannot be started are not missed. */
static void work_together(teeny_emu_launch *launch)
{
    enum { WORKER_LIMIT = 64 };
    pthread_t threads[WORKER_LIMIT];
    unsigned count = 0;
    uint64_t wanted = launch->workers < launch->total ? launch->workers : launch->total;
    while (count + 1 < wanted && count < WORKER_LIMIT &&
           pthread_create(&threads[count], NULL, work, launch) == 0)
        count++;
    work(launch);
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
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
    work_together(launch);
    pthread_mutex_destroy(&launch->mutex);
    return !atomic_load(&launch->is_over);
}
