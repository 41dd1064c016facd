/* How libteeny's own code reports what it does to hooks. */
#ifndef TEENY_RUNTIME_OBSERVE_HOOKS_H
#define TEENY_RUNTIME_OBSERVE_HOOKS_H

#include <stdatomic.h>
#include <teeny/hooks.h>

/* The kinds that somebody wants to hear of. */
extern atomic_uint teeny_hook_kinds;

static inline bool teeny_is_hooked(teeny_hook_kind kind)
{
    return atomic_load_explicit(&teeny_hook_kinds, memory_order_relaxed) & kind;
}

enum {
    TEENY_OWN_HOOK_LIMIT = 2, /* libteeny's: NVTX, and the log's */
    TEENY_HOOK_SLOTS = TEENY_HOOK_LIMIT + TEENY_OWN_HOOK_LIMIT,
};

/* One thing that happens; lives in the frame of the function that does it. */
typedef struct teeny_observation {
    teeny_hook_record record;                         /* filled in by that function */
    teeny_hook_registration *hooks[TEENY_HOOK_SLOTS]; /* those that heard the beginning */
    unsigned count;
    uint64_t begin; /* nanoseconds */
} teeny_observation;

/* Reports the beginning. Each is followed by an end, on the same thread. */
void teeny_observe_begin(teeny_observation *observation);

/* Reports the end with its status, and is the status. The thread's message is what it was. */
teeny_status teeny_observe_end(teeny_observation *observation, teeny_status status);

/* As teeny_hook_register, for a hook of libteeny's own, that stays. */
teeny_status teeny_hook_register_own(const teeny_hook *hook);

/* Nanoseconds of a clock that only goes forward. */
uint64_t teeny_clock(void);

#endif
