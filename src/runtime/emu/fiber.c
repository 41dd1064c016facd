/* See fiber.h. On x86-64 a switch is a handful of instructions: ucontext asks the system for the
 * signal mask each time, which takes a hundred times as long. */
#define _GNU_SOURCE 1 /* MAP_STACK, MAP_NORESERVE */
#include "runtime/emu/fiber.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { STACK_BYTES = 1 << 20, GUARD_BYTES = 1 << 16 };

/* ---- Stacks ---------------------------------------------------------------------------------- */

/* Pages cost nothing before they are touched; what runs over the end meets the guard. */
static void *map_stack(void)
{
    char *mapping = mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (mapping == MAP_FAILED)
        return NULL;
    if (mprotect(mapping, GUARD_BYTES, PROT_NONE) == 0)
        return mapping + GUARD_BYTES;
    munmap(mapping, GUARD_BYTES + STACK_BYTES);
    return NULL;
}

static void unmap_stack(void *stack)
{
    munmap((char *)stack - GUARD_BYTES, GUARD_BYTES + STACK_BYTES);
}

void *teeny_fiber_stack_take(teeny_fiber_stacks *stacks)
{
    return stacks->count ? stacks->unused[--stacks->count] : map_stack();
}

void teeny_fiber_stack_give(teeny_fiber_stacks *stacks, void *stack)
{
    if (stacks->count == stacks->capacity) {
        size_t capacity = stacks->capacity ? 2 * stacks->capacity : 64;
        void **grown = realloc(stacks->unused, capacity * sizeof *grown);
        if (!grown) {
            unmap_stack(stack);
            return;
        }
        stacks->unused = grown;
        stacks->capacity = capacity;
    }
    stacks->unused[stacks->count++] = stack;
}

void teeny_fiber_stacks_free(teeny_fiber_stacks *stacks)
{
    for (size_t i = 0; i < stacks->count; i++)
        unmap_stack(stacks->unused[i]);
    free(stacks->unused);
    *stacks = (teeny_fiber_stacks){0};
}

/* ---- The sanitizer --------------------------------------------------------------------------- */

#if defined(__SANITIZE_ADDRESS__)

void __asan_unpoison_memory_region(const volatile void *address, size_t size);
void __sanitizer_start_switch_fiber(void **fake_stack, const void *stack, size_t size);
void __sanitizer_finish_switch_fiber(void *fake_stack, const void **old_stack, size_t *old_size);

static _Thread_local teeny_fiber *left;

/* What a forgotten fiber left on the stack means nothing. */
static void tell_made(teeny_fiber *fiber, void *stack)
{
    __asan_unpoison_memory_region(stack, STACK_BYTES);
    fiber->stack = stack;
    fiber->stack_bytes = STACK_BYTES;
}

static void tell_leaving(teeny_fiber *from, const teeny_fiber *to)
{
    left = from;
    __sanitizer_start_switch_fiber(&from->fake_stack, to->stack, to->stack_bytes);
}

/* The host's own stack becomes known when it is left. */
static void tell_arrived(const teeny_fiber *fiber, bool is_first)
{
    void *fake_stack = is_first ? NULL : fiber->fake_stack;
    __sanitizer_finish_switch_fiber(fake_stack, &left->stack, &left->stack_bytes);
}

#else

static void tell_made(const teeny_fiber *fiber, const void *stack)
{
    (void)fiber, (void)stack;
}

static void tell_leaving(const teeny_fiber *from, const teeny_fiber *to)
{
    (void)from, (void)to;
}

static void tell_arrived(const teeny_fiber *fiber, bool is_first)
{
    (void)fiber, (void)is_first;
}

#endif

/* ---- Switches -------------------------------------------------------------------------------- */

#if defined(__x86_64__)

/* Saves what a call must keep, and the stack pointer in *save; takes both up from `load`. */
void teeny_fiber_swap(void **save, void *load);
/* Where a new fiber starts: teeny_fiber_enter(r12). */
void teeny_fiber_start(void);
void teeny_fiber_enter(teeny_fiber *fiber);

__asm__(".pushsection .text\n"
        ".hidden teeny_fiber_swap\n"
        ".globl teeny_fiber_swap\n"
        ".type teeny_fiber_swap, @function\n"
        "teeny_fiber_swap:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size teeny_fiber_swap, . - teeny_fiber_swap\n"
        ".hidden teeny_fiber_start\n"
        ".globl teeny_fiber_start\n"
        ".type teeny_fiber_start, @function\n"
        "teeny_fiber_start:\n"
        "    movq %r12, %rdi\n"
        "    callq teeny_fiber_enter\n"
        "    ud2\n"
        ".size teeny_fiber_start, . - teeny_fiber_start\n"
        ".popsection\n");

/* In the order in which teeny_fiber_swap takes them up. With all of it taken up, the stack pointer
 * is at the stack's end, a multiple of 16. */
struct frame {
    void *r15, *r14, *r13;
    teeny_fiber *fiber; /* r12 */
    void *rbx, *rbp;
    void (*start)(void);
};

void teeny_fiber_enter(teeny_fiber *fiber)
{
    tell_arrived(fiber, true);
    fiber->main(fiber->argument);
}

static void make(teeny_fiber *fiber, void *stack)
{
    struct frame *frame = (struct frame *)((char *)stack + STACK_BYTES) - 1;
    *frame = (struct frame){.fiber = fiber, .start = teeny_fiber_start};
    fiber->stack_pointer = frame;
}

static void swap(teeny_fiber *from, teeny_fiber *to)
{
    teeny_fiber_swap(&from->stack_pointer, to->stack_pointer);
}

#else

/* makecontext passes integers only: the address goes in two halves. */
static void start(unsigned high, unsigned low)
{
    teeny_fiber *fiber = (teeny_fiber *)(((uintptr_t)high << 16 << 16) | low);
    tell_arrived(fiber, true);
    fiber->main(fiber->argument);
}

static void make(teeny_fiber *fiber, void *stack)
{
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = stack;
    fiber->context.uc_stack.ss_size = STACK_BYTES;
    fiber->context.uc_link = NULL;
    uintptr_t address = (uintptr_t)fiber;
    makecontext(&fiber->context, (void (*)(void))start, 2, (unsigned)(address >> 16 >> 16),
        (unsigned)address);
}

static void swap(teeny_fiber *from, teeny_fiber *to)
{
    swapcontext(&from->context, &to->context);
}

#endif

void teeny_fiber_make(teeny_fiber *fiber, void *stack, teeny_fiber_main *main, void *argument)
{
    fiber->main = main;
    fiber->argument = argument;
    tell_made(fiber, stack);
    make(fiber, stack);
}

void teeny_fiber_switch(teeny_fiber *from, teeny_fiber *to)
{
    tell_leaving(from, to);
    swap(from, to);
    tell_arrived(from, false);
}
