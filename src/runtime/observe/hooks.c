/* Hooks: the list of them, and who calls which; see hooks.h and teeny/hooks.h.
 *
 *   registered --unregister--> gone: no call begins --last call ends--> released
 *
 * One mutex guards the list and every registration's counts; it is never held while a hook runs. A
 * registration is freed when neither the list nor an observation refers to it.
 */
#include "runtime/observe/hooks.h"

#include "runtime/callback.h"
#include "runtime/fork.h"
#include "runtime/report.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct teeny_hook_registration {
    teeny_hook hook;
    unsigned references; /* the list's, and of observations between beginning and end */
    unsigned calls;      /* that run now */
    bool is_own;
    bool is_gone;
    bool is_awaited; /* a thread in teeny_hook_unregister releases it */
};

enum { ALL_KINDS = TEENY_HOOK_COMPILE | TEENY_HOOK_LOAD | TEENY_HOOK_LAUNCH };

atomic_uint teeny_hook_kinds;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t call_ended = PTHREAD_COND_INITIALIZER;
static teeny_hook_registration *list[TEENY_HOOK_SLOTS]; /* in order of registration */
static unsigned list_count;
static atomic_uint_fast64_t last_number;

/* A child's hooks are its parent's, but for the calls that other threads were in. */
static void start_anew(void)
{
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    call_ended = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    for (unsigned i = 0; i < list_count; i++)
        list[i]->calls = 0;
}
TEENY_AFTER_FORK(start_anew)

/* How many hooks run on this thread, one inside the other. */
static _Thread_local unsigned depth;

uint64_t teeny_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- The list, with the mutex held ----------------------------------------------------------- */

static void update_kinds(void)
{
    unsigned kinds = 0;
    for (unsigned i = 0; i < list_count; i++)
        kinds |= list[i]->hook.kinds;
    atomic_store_explicit(&teeny_hook_kinds, kinds, memory_order_relaxed);
}

static bool has_room(bool is_own)
{
    unsigned same = 0;
    for (unsigned i = 0; i < list_count; i++)
        same += list[i]->is_own == is_own;
    return same < (is_own ? TEENY_OWN_HOOK_LIMIT : TEENY_HOOK_LIMIT);
}

static void remove_from_list(const teeny_hook_registration *registration)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < list_count; i++)
        if (list[i] != registration)
            list[kept++] = list[i];
    list_count = kept;
    update_kinds();
}

static void drop_reference(teeny_hook_registration *registration)
{
    if (--registration->references == 0)
        free(registration);
}

/* ---- Registering ----------------------------------------------------------------------------- */

static bool add(teeny_hook_registration *registration)
{
    pthread_mutex_lock(&mutex);
    bool is_added = has_room(registration->is_own);
    if (is_added) {
        list[list_count++] = registration;
        update_kinds();
    }
    pthread_mutex_unlock(&mutex);
    return is_added;
}

static teeny_status register_hook(
    const teeny_hook *hook, bool is_own, teeny_hook_registration **out_registration)
{
    teeny_hook_registration *registration = calloc(1, sizeof *registration);
    if (!registration)
        return teeny_fail_memory();
    *registration = (teeny_hook_registration){.hook = *hook, .references = 1, .is_own = is_own};
    if (!add(registration)) {
        free(registration);
        return teeny_fail(
            TEENY_OUT_OF_MEMORY, "there are %d hooks already, which is the most", TEENY_HOOK_LIMIT);
    }
    *out_registration = registration;
    return TEENY_OK;
}

teeny_status teeny_hook_register(const teeny_hook *hook, teeny_hook_registration **out_registration)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!hook || !out_registration)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_hook_register: %s is NULL",
            hook ? "out_registration" : "hook");
    if (!hook->function)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_hook_register: the hook has no function");
    if (hook->kinds == 0 || hook->kinds & ~(unsigned)ALL_KINDS)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "teeny_hook_register: 0x%x is no set of teeny_hook_kind values", hook->kinds);
    return register_hook(hook, false, out_registration);
}

teeny_status teeny_hook_register_own(const teeny_hook *hook)
{
    teeny_hook_registration *ignored;
    return register_hook(hook, true, &ignored);
}

static void release(teeny_hook_registration *registration)
{
    if (registration->hook.release)
        registration->hook.release(registration->hook.user);
}

void teeny_hook_unregister(teeny_hook_registration *registration)
{
    if (!registration || teeny_callback_ignores(__func__))
        return;
    pthread_mutex_lock(&mutex);
    remove_from_list(registration);
    registration->is_gone = true;
    registration->is_awaited = depth == 0;
    while (registration->is_awaited && registration->calls)
        pthread_cond_wait(&call_ended, &mutex);
    bool is_over = registration->calls == 0;
    pthread_mutex_unlock(&mutex);
    if (is_over)
        release(registration);
    pthread_mutex_lock(&mutex);
    drop_reference(registration);
    pthread_mutex_unlock(&mutex);
}

/* ---- Calling --------------------------------------------------------------------------------- */

static bool begin_call(teeny_hook_registration *registration)
{
    pthread_mutex_lock(&mutex);
    bool is_heard = !registration->is_gone;
    registration->calls += is_heard;
    pthread_mutex_unlock(&mutex);
    return is_heard;
}

static void end_call(teeny_hook_registration *registration)
{
    pthread_mutex_lock(&mutex);
    registration->calls--;
    bool is_last = registration->is_gone && registration->calls == 0;
    bool is_released_here = is_last && !registration->is_awaited;
    if (is_last)
        pthread_cond_broadcast(&call_ended);
    pthread_mutex_unlock(&mutex);
    if (is_released_here)
        release(registration);
}

static void call(teeny_hook_registration *registration, const teeny_hook_record *record)
{
    if (!begin_call(registration))
        return;
    depth++;
    registration->hook.function(record, registration->hook.user);
    depth--;
    end_call(registration);
}

/* Those that want to hear of it, each with a reference. */
static void gather(teeny_observation *observation)
{
    pthread_mutex_lock(&mutex);
    for (unsigned i = 0; i < list_count; i++) {
        if (!(list[i]->hook.kinds & observation->record.kind))
            continue;
        list[i]->references++;
        observation->hooks[observation->count++] = list[i];
    }
    pthread_mutex_unlock(&mutex);
}

void teeny_observe_begin(teeny_observation *observation)
{
    observation->count = 0;
    if (depth)
        return;
    gather(observation);
    observation->record.number = atomic_fetch_add(&last_number, 1) + 1;
    for (unsigned i = 0; i < observation->count; i++)
        call(observation->hooks[i], &observation->record);
    observation->begin = teeny_clock();
}

/* What hooks fail with must not take the place of what the caller is to read. */
static void call_with_message(const teeny_observation *observation)
{
    teeny_status status = observation->record.status;
    char *message = status == TEENY_OK ? NULL : strdup(teeny_message());
    for (unsigned i = observation->count; i-- > 0;)
        call(observation->hooks[i], &observation->record);
    if (message && strcmp(message, teeny_message()) != 0)
        teeny_message_set(status, "%s", message);
    free(message);
}

teeny_status teeny_observe_end(teeny_observation *observation, teeny_status status)
{
    if (!observation->count)
        return status;
    observation->record.nanoseconds = teeny_clock() - observation->begin;
    observation->record.is_exit = true;
    observation->record.status = status;
    call_with_message(observation);
    pthread_mutex_lock(&mutex);
    for (unsigned i = 0; i < observation->count; i++)
        drop_reference(observation->hooks[i]);
    pthread_mutex_unlock(&mutex);
    return status;
}
