/* Fibers: calls that can be left in the middle and taken up again, each on a stack of its own.
 *
 * A fiber that is not to go on is forgotten: nothing on its stack is undone.
 */
#ifndef TEENY_RUNTIME_EMU_FIBER_H
#define TEENY_RUNTIME_EMU_FIBER_H

#include <stdbool.h>
#include <stddef.h>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

typedef void teeny_fiber_main(void *argument);

typedef struct teeny_fiber {
    teeny_fiber_main *main;
    void *argument;
#if defined(__x86_64__)
    void *stack_pointer; /* while it does not run */
#else
    ucontext_t context;
#endif
#if defined(__SANITIZE_ADDRESS__)
    const void *stack; /* its lowest byte */
    size_t stack_bytes;
    void *fake_stack;
#endif
} teeny_fiber;

/* Stacks that are used again, for the fibers of one thread of the host. Starts as all zero. */
typedef struct teeny_fiber_stacks {
    void **unused;
    size_t count, capacity;
} teeny_fiber_stacks;

/* NULL where memory is out. */
void *teeny_fiber_stack_take(teeny_fiber_stacks *stacks);
void teeny_fiber_stack_give(teeny_fiber_stacks *stacks, void *stack);
void teeny_fiber_stacks_free(teeny_fiber_stacks *stacks);

/* Makes a fiber that runs `main` when it is switched to for the first time; `main` never returns.
 */
void teeny_fiber_make(teeny_fiber *fiber, void *stack, teeny_fiber_main *main, void *argument);

/* Leaves the running call, kept in `from`, for `to`. */
void teeny_fiber_switch(teeny_fiber *from, teeny_fiber *to);

#endif
