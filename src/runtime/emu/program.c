/* One program of the emu device: its threads take turns until all have ended. See emu.h. */
#include "runtime/emu/emu.h"

#include <stdlib.h>
#include <string.h>

enum { SHARED_ALIGNMENT = 128, PATTERN = 0xa5 };

uint64_t teeny_emu_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1d;
}

/* ---- Making ---------------------------------------------------------------------------------- */

static void destroy(teeny_emu_program *program)
{
    for (unsigned i = 0; i < TEENY_EMU_THREAD_LIMIT; i++)
        free(program->threads[i].copies);
    teeny_fiber_stacks_free(&program->stacks);
    teeny_shadow_free(&program->shared_shadow);
    free(program->shared);
    free(program);
}

void teeny_emu_idle_free(teeny_emu_idle *idle)
{
    while (idle->first) {
        teeny_emu_program *program = idle->first;
        idle->first = program->next_idle;
        destroy(program);
    }
}

static bool make_shared(teeny_emu_program *program, size_t size)
{
    size_t rounded = (size / SHARED_ALIGNMENT + 1) * SHARED_ALIGNMENT;
    if (program->shared && rounded <= program->shared_capacity)
        return true;
    free(program->shared);
    teeny_shadow_free(&program->shared_shadow);
    program->shared_capacity = rounded;
    program->shared = aligned_alloc(SHARED_ALIGNMENT, rounded);
    return program->shared && teeny_shadow_make(&program->shared_shadow, rounded);
}

static teeny_emu_program *take_idle(teeny_emu_launch *launch)
{
    pthread_mutex_lock(&launch->mutex);
    teeny_emu_program *program = launch->idle->first;
    if (program)
        launch->idle->first = program->next_idle;
    pthread_mutex_unlock(&launch->mutex);
    return program;
}

teeny_emu_program *teeny_emu_program_take(teeny_emu_launch *launch)
{
    teeny_emu_program *program = take_idle(launch);
    if (!program)
        program = calloc(1, sizeof *program);
    if (!program)
        return NULL;
    if (!make_shared(program, launch->shared_bytes)) {
        destroy(program);
        return NULL;
    }
    program->launch = launch;
    program->num_warps = launch->num_warps;
    program->num_threads = launch->num_warps * TEENY_EMU_LANES;
    return program;
}

void teeny_emu_program_give(teeny_emu_program *program)
{
    teeny_emu_launch *launch = program->launch;
    pthread_mutex_lock(&launch->mutex);
    program->next_idle = launch->idle->first;
    launch->idle->first = program;
    pthread_mutex_unlock(&launch->mutex);
}

static void start_over(teeny_emu_program *program, uint64_t number)
{
    const teeny_emu_launch *launch = program->launch;
    program->number = number;
    program->id[0] = (uint32_t)(number % launch->num_programs[0]);
    program->id[1] = (uint32_t)(number / launch->num_programs[0] % launch->num_programs[1]);
    program->id[2] = (uint32_t)(number / launch->num_programs[0] / launch->num_programs[1]);
    program->clock = 1;
    program->stamp++;
    program->last_buffer = NULL;
    program->failed = false;
    program->random = (launch->seed ^ number * 0x9e3779b97f4a7c15) | 1;
    memset(program->warp_clock, 0, sizeof program->warp_clock);
    memset(program->shared, PATTERN, launch->shared_bytes);
    for (unsigned i = 0; i < program->num_threads; i++) {
        teeny_emu_thread *thread = &program->threads[i];
        thread->base.functions = launch->functions;
        thread->program = program;
        thread->number = i;
        thread->state = TEENY_EMU_NEW;
        teeny_emu_copies_clear(thread);
    }
    for (unsigned i = 0; i < program->num_warps; i++)
        program->ready[i] = i;
    program->ready_count = program->num_warps;
}

/* ---- Threads --------------------------------------------------------------------------------- */

static void thread_main(void *argument)
{
    teeny_emu_thread *thread = argument;
    const teeny_emu_launch *launch = thread->program->launch;
    launch->entry(&thread->base, launch->arguments);
    thread->state = TEENY_EMU_ENDED;
    teeny_emu_stop(thread);
}

void teeny_emu_wait(struct emu_thread *thread, enum nv_op op, const char *place, uint64_t *words)
{
    teeny_emu_thread *self = teeny_emu_thread_of(thread);
    self->state = TEENY_EMU_WAITS;
    self->op = op;
    self->place = place;
    self->words = words;
    teeny_fiber_switch(&self->fiber, &self->program->scheduler);
}

static void give_stack_back(teeny_emu_thread *thread)
{
    if (thread->stack)
        teeny_fiber_stack_give(&thread->program->stacks, thread->stack);
    thread->stack = NULL;
}

static teeny_emu_thread *first_lane(teeny_emu_program *program, unsigned warp)
{
    return &program->threads[(size_t)warp * TEENY_EMU_LANES];
}

/* Until it waits, has ended, or something is wrong. */
static void run_thread(teeny_emu_thread *thread)
{
    teeny_emu_program *program = thread->program;
    if (thread->state == TEENY_EMU_NEW) {
        thread->stack = teeny_fiber_stack_take(&program->stacks);
        if (!thread->stack) {
            teeny_emu_report(program, thread, NULL, "could not be started: out of host memory");
            return;
        }
        teeny_fiber_make(&thread->fiber, thread->stack, thread_main, thread);
    }
    teeny_fiber_switch(&program->scheduler, &thread->fiber);
    if (thread->state == TEENY_EMU_ENDED)
        give_stack_back(thread);
}

/* ---- Meetings -------------------------------------------------------------------------------- */

static bool is_together(const teeny_emu_thread *a, const teeny_emu_thread *b)
{
    if (a->state != TEENY_EMU_WAITS || b->state != TEENY_EMU_WAITS)
        return a->state == b->state;
    return a->op == b->op && a->place == b->place;
}

/* What lanes wait for, in words. */
static const char *meeting_name(enum nv_op op)
{
    static const char *const names[NV_OP_COUNT] = {
        [NV_BARRIER] = "the barrier",
        [NV_WARP_BARRIER] = "the barrier of the warp",
        [NV_SHUFFLE_XOR] = "the shuffle",
        [NV_SHUFFLE_IDX] = "the shuffle",
        [NV_SHUFFLE_UP] = "the shuffle",
        [NV_SHUFFLE_DOWN] = "the shuffle",
        [NV_VOTE_BALLOT] = "the vote",
        [NV_VOTE_ANY] = "the vote",
        [NV_VOTE_ALL] = "the vote",
        [NV_MMA_M16N8K16_F16] = "the product of matrices",
        [NV_MMA_M16N8K16_BF16] = "the product of matrices",
    };
    return names[op] ? names[op] : "the load of matrices";
}

static void say_where(teeny_string *text, const teeny_emu_thread *thread)
{
    teeny_emu_say_thread(text, thread->number);
    if (thread->state == TEENY_EMU_ENDED)
        teeny_string_add(text, " has ended");
    else
        teeny_string_format(text, " waits at %s at %s", meeting_name(thread->op),
            thread->place[0] ? thread->place : "an unknown place");
}

/* Two threads that will never meet; `a` waits. */
static void report_apart(teeny_emu_program *program, const teeny_emu_thread *a,
    const teeny_emu_thread *b, const char *why)
{
    teeny_string text = {0};
    say_where(&text, a);
    teeny_string_add(&text, ", ");
    say_where(&text, b);
    teeny_emu_report(
        program, NULL, a->place, "goes on no more: %s: %s", teeny_string_text(&text), why);
    teeny_string_free(&text);
}

static void report_warp_apart(
    teeny_emu_program *program, const teeny_emu_thread *a, const teeny_emu_thread *b)
{
    if (a->state != TEENY_EMU_WAITS) {
        const teeny_emu_thread *other = a;
        a = b;
        b = other;
    }
    report_apart(program, a, b, "all lanes of a warp have to take part");
}

/* All lanes have run: what becomes of the warp. True: it can go on. */
static bool settle_warp(teeny_emu_program *program, unsigned warp)
{
    teeny_emu_thread *lanes = first_lane(program, warp);
    for (unsigned i = 1; i < TEENY_EMU_LANES; i++) {
        if (is_together(&lanes[0], &lanes[i]))
            continue;
        report_warp_apart(program, &lanes[0], &lanes[i]);
        return false;
    }
    if (lanes[0].state == TEENY_EMU_ENDED || lanes[0].op == NV_BARRIER)
        return false;
    if (lanes[0].op == NV_WARP_BARRIER)
        program->warp_clock[warp]++;
    else
        teeny_emu_meet(lanes, lanes[0].op);
    for (unsigned i = 0; i < TEENY_EMU_LANES; i++)
        lanes[i].state = TEENY_EMU_READY;
    return true;
}

/* Runs a warp until it has to wait for others. The lanes' order is one way or the other. */
static void run_warp(teeny_emu_program *program, unsigned warp)
{
    unsigned flip = teeny_emu_random(&program->random) >> 63 ? TEENY_EMU_LANES - 1 : 0;
    for (unsigned i = 0; i < TEENY_EMU_LANES && !program->failed; i++)
        run_thread(first_lane(program, warp) + (i ^ flip));
}

/* ---- Barriers -------------------------------------------------------------------------------- */

/* No warp can go on: all have ended, or all wait at barriers and pass them. False: neither. */
static bool settle_program(teeny_emu_program *program)
{
    const teeny_emu_thread *waiting = NULL, *ended = NULL;
    for (unsigned i = 0; i < program->num_warps; i++) {
        const teeny_emu_thread *lane = first_lane(program, i);
        if (lane->state == TEENY_EMU_WAITS)
            waiting = lane;
        else
            ended = lane;
    }
    if (!waiting)
        return true;
    if (ended) {
        report_apart(program, waiting, ended, "all threads of a program have to take part");
        return false;
    }
    program->clock++;
    for (unsigned i = 0; i < program->num_threads; i++)
        program->threads[i].state = TEENY_EMU_READY;
    for (unsigned i = 0; i < program->num_warps; i++)
        program->ready[i] = i;
    program->ready_count = program->num_warps;
    return true;
}

static void run_ready_warps(teeny_emu_program *program)
{
    while (program->ready_count && !program->failed && !atomic_load(&program->launch->is_over)) {
        unsigned at = (unsigned)((teeny_emu_random(&program->random) >> 32) % program->ready_count);
        unsigned warp = program->ready[at];
        run_warp(program, warp);
        if (!program->failed && !settle_warp(program, warp))
            program->ready[at] = program->ready[--program->ready_count];
    }
}

bool teeny_emu_program_run(teeny_emu_program *program, uint64_t number)
{
    start_over(program, number);
    bool goes_on = true;
    while (goes_on && program->ready_count) {
        run_ready_warps(program);
        goes_on =
            !program->failed && !atomic_load(&program->launch->is_over) && settle_program(program);
    }
    for (unsigned i = 0; i < program->num_threads; i++)
        give_stack_back(&program->threads[i]);
    return goes_on;
}
