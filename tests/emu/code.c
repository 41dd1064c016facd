/* See code.h. */
#include "code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEEDS = 5 };

bool code_called[NV_OP_COUNT];

uint64_t *code_call(struct emu_thread *thread, enum nv_op op, const char *place, uint64_t *words)
{
    code_called[op] = true;
    thread->functions[op](thread, place, words);
    return words;
}

unsigned code_thread(struct emu_thread *thread)
{
    return (unsigned)OP0(THREAD_ID, "")[0];
}

uint64_t code_shared(struct emu_thread *thread)
{
    return OP0(SHARED_BASE, "")[0];
}

static unsigned at_least_1(unsigned number)
{
    return number ? number : 1;
}

/* The message, or NULL where nothing was wrong. The caller frees it. */
static char *run(const code_launch *given, uint64_t seed)
{
    teeny_emu_memory none;
    teeny_emu_idle idle = {0};
    teeny_emu_memory_init(&none);
    teeny_emu_launch launch = {
        .entry = given->entry,
        .arguments = given->arguments,
        .num_programs = {at_least_1(given->programs), at_least_1(given->programs_y),
            at_least_1(given->programs_z)},
        .num_warps = at_least_1(given->warps),
        .shared_bytes = given->shared_bytes,
        .seed = seed,
        .workers = 2,
        .functions = given->functions,
        .memory = given->memory ? given->memory : &none,
        .idle = &idle,
    };
    char *message = teeny_emu_run(&launch) ? NULL : teeny_string_take(&launch.message);
    teeny_emu_memory_destroy(&none);
    teeny_emu_idle_free(&idle);
    return message;
}

static void must_run(const code_launch *launch, uint64_t seeds)
{
    for (uint64_t seed = 0; seed < seeds; seed++) {
        char *message = run(launch, seed);
        if (message)
            fail_msg("seed %llu: %s", (unsigned long long)seed, message);
    }
}

void code_must_run(const code_launch *launch)
{
    must_run(launch, SEEDS);
}

void code_must_run_once(const code_launch *launch)
{
    must_run(launch, 1);
}

void code_must_fail(const code_launch *launch, ...)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        char *message = run(launch, seed);
        if (!message)
            fail_msg("seed %llu: nothing was found", (unsigned long long)seed);
        if (seed == 0)
            printf("    %s\n", message);
        va_list pieces;
        va_start(pieces, launch);
        for (const char *piece; (piece = va_arg(pieces, const char *));)
            if (!strstr(message, piece))
                fail_msg("seed %llu: `%s` is not in: %s", (unsigned long long)seed, piece, message);
        va_end(pieces);
        free(message);
    }
}
