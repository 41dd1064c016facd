/* Threads of the emu device, written by hand: what generated code does, as C.
 *
 *     static void code(struct emu_thread *thread, const void *arguments)
 *     {
 *         uint64_t id = OP(THREAD_ID, "k.c:1:1")[0];
 *         OP(STORE_SHARED_32, "k.c:2:1", shared(thread) + 4 * id, id);
 *     }
 */
#ifndef TEENY_TESTS_EMU_CODE_H
#define TEENY_TESTS_EMU_CODE_H

#include "runtime/emu/emu.h"

/* Calls an operation with operands; the results, as an array of words. */
#define OP(op, place, ...)                                                                         \
    code_call(thread, NV_##op, place, (uint64_t[NV_MAX_OPERANDS]){__VA_ARGS__})
uint64_t *code_call(struct emu_thread *thread, enum nv_op op, const char *place, uint64_t *words);

/* Which operations were ever called. */
extern bool code_called[NV_OP_COUNT];

/* The same, where there are none. */
#define OP0(op, place) code_call(thread, NV_##op, place, (uint64_t[NV_MAX_OPERANDS]){0})

unsigned code_thread(struct emu_thread *thread);
uint64_t code_shared(struct emu_thread *thread);

/* One launch, of a grid of `programs`, on all orders that some seeds give. */
typedef struct code_launch {
    emu_entry *entry;
    const void *arguments;
    unsigned programs, warps;        /* 0: 1 */
    unsigned programs_y, programs_z; /* 0: 1 */
    size_t shared_bytes;
    teeny_emu_memory *memory;       /* NULL: none */
    emu_function *const *functions; /* NULL: the right ones */
} code_launch;

/* Fails the test unless every order is right. */
void code_must_run(const code_launch *launch);

/* The same for one order, where a launch takes long. */
void code_must_run_once(const code_launch *launch);

/* Fails the test unless every order is wrong, with a message that has all of the pieces, which end
 * with NULL. */
void code_must_fail(const code_launch *launch, ...);

#endif
