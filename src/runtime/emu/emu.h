/* The emu device's insides: a launch, its programs, and their threads.
 *
 *   launch ─┬─ program (a worker's: one after the other, in shuffled order)
 *           │     └─ threads, each a fiber; 32 are a warp
 *           └─ program (another worker's)
 *
 * A thread runs until it does something together with others: a barrier, a shuffle, a product of
 * matrices. It then waits; when all lanes of the warp wait at the same place, the operation is done
 * for all of them, and when all warps wait at a barrier, they pass it. The first thing that is
 * wrong ends the launch.
 */
#ifndef TEENY_RUNTIME_EMU_EMU_H
#define TEENY_RUNTIME_EMU_EMU_H

#include "base/string_builder.h"
#include "runtime/emu/fiber.h"
#include "runtime/emu/memory.h"

#include <stdint.h>

#include "base/emu_image.h"

enum { TEENY_EMU_LANES = 32, TEENY_EMU_WARP_LIMIT = 32 };
enum { TEENY_EMU_THREAD_LIMIT = TEENY_EMU_LANES * TEENY_EMU_WARP_LIMIT };

typedef struct teeny_emu_program teeny_emu_program;
typedef struct teeny_emu_copies teeny_emu_copies;

/* What workers leave for those of the next launch: stacks above all. Starts as all zero. */
typedef struct teeny_emu_idle {
    teeny_emu_program *first;
} teeny_emu_idle;

/* When no launch is under way. */
void teeny_emu_idle_free(teeny_emu_idle *idle);

/* ---- Launches -------------------------------------------------------------------------------- */

typedef struct teeny_emu_launch {
    emu_entry *entry;
    const void *arguments;
    uint32_t num_programs[3];
    unsigned num_warps;
    size_t shared_bytes;
    uint64_t seed;                  /* of the order of programs, warps and lanes */
    unsigned workers;               /* threads of the host */
    emu_function *const *functions; /* NULL: teeny_emu_functions */
    teeny_emu_memory *memory;
    teeny_emu_idle *idle;

    /* Set by teeny_emu_run. */
    uint64_t serial; /* tells the launches on one memory apart */
    uint64_t total, offset, stride;
    _Atomic(uint64_t) next;
    _Atomic(bool) is_over; /* something is wrong */
    pthread_mutex_t mutex;
    teeny_string message; /* what; guarded by the mutex, as is `idle` */
} teeny_emu_launch;

/* Runs a launch to its end. False where something was wrong: `launch->message` says what, and the
 * caller frees it in any case. */
bool teeny_emu_run(teeny_emu_launch *launch);

/* ---- Programs and threads -------------------------------------------------------------------- */

typedef enum teeny_emu_state {
    TEENY_EMU_NEW,
    TEENY_EMU_READY,
    TEENY_EMU_WAITS, /* with `op`, `place` and `words` */
    TEENY_EMU_ENDED,
} teeny_emu_state;

typedef struct teeny_emu_thread {
    struct emu_thread base; /* what the code gets */
    teeny_emu_program *program;
    unsigned number;
    teeny_emu_state state;
    enum nv_op op;
    const char *place;
    uint64_t *words;
    void *stack; /* NULL where it is not under way */
    teeny_fiber fiber;
    teeny_emu_copies *copies; /* NULL: none was ever made */
    const char *written;      /* what the store that is checked writes; NULL: it is none */
} teeny_emu_thread;

/* One worker's. */
struct teeny_emu_program {
    teeny_emu_program *next_idle;
    teeny_emu_launch *launch;
    uint64_t number; /* in the grid, x fastest */
    uint32_t id[3];
    unsigned num_threads, num_warps;
    uint32_t clock;                            /* barriers passed, from 1 on */
    uint16_t warp_clock[TEENY_EMU_WARP_LIMIT]; /* barriers of the warp */
    unsigned ready[TEENY_EMU_WARP_LIMIT];      /* the warps that can go on */
    unsigned ready_count;
    uint64_t random;
    uint8_t *shared; /* aligned to 128 bytes */
    size_t shared_capacity;
    teeny_shadow shared_shadow;
    uint64_t stamp; /* tells apart the programs that had this shared memory */
    teeny_emu_buffer *last_buffer;
    teeny_fiber scheduler;
    teeny_fiber_stacks stacks;
    bool failed;
    teeny_emu_thread threads[TEENY_EMU_THREAD_LIMIT];
};

/* Takes one that is idle, or makes one. NULL where memory is out. */
teeny_emu_program *teeny_emu_program_take(teeny_emu_launch *launch);
void teeny_emu_program_give(teeny_emu_program *program);

/* Runs one program of the grid. False where something was wrong, which was reported. */
bool teeny_emu_program_run(teeny_emu_program *program, uint64_t number);

/* The next number of a generator (xorshift64*), whose state is not 0. */
uint64_t teeny_emu_random(uint64_t *state);

/* ---- What the functions of the table use ----------------------------------------------------- */

/* One for each operation, teeny_emu_NAME. */
#define NV_OP(id, signature, ptx, constraints, emu) emu_function teeny_##emu;
#include "base/nv_ops.def"
#undef NV_OP

/* All of them, in the table's order. */
extern emu_function *const teeny_emu_functions[NV_OP_COUNT];

static inline teeny_emu_thread *teeny_emu_thread_of(struct emu_thread *thread)
{
    return (teeny_emu_thread *)thread;
}

/* Waits with the others of the warp, or of the program. */
void teeny_emu_wait(struct emu_thread *thread, enum nv_op op, const char *place, uint64_t *words);

/* Does an operation for all lanes of a warp, which wait for it: `lanes` points to the first. False
 * where it is none of a warp. */
bool teeny_emu_meet(teeny_emu_thread *lanes, enum nv_op op);
typedef void teeny_emu_meeting(teeny_emu_thread *lanes);
teeny_emu_meeting teeny_emu_meet_ldmatrix, teeny_emu_meet_ldmatrix_trans, teeny_emu_meet_mma_f16,
    teeny_emu_meet_mma_bf16;

/* Checks an access of `size` bytes, and records it. Comes back only where it is right, with its
 * place in the host's memory. */
void *teeny_emu_access_global(teeny_emu_thread *thread, const char *place, uint64_t address,
    size_t size, teeny_access_kind kind);
void *teeny_emu_access_shared(teeny_emu_thread *thread, const char *place, uint64_t address,
    size_t size, teeny_access_kind kind);

/* Forgets the copies of a thread that starts anew. */
void teeny_emu_copies_clear(teeny_emu_thread *thread);

/* ---- Reports --------------------------------------------------------------------------------- */

/* How a record keeps a place: an image's text and code lie close together. */
int32_t teeny_emu_place(const teeny_emu_launch *launch, const char *place);
const char *teeny_emu_place_text(const teeny_emu_launch *launch, int32_t place);

/* Ends the launch, unless it is already over. A `thread` of NULL is none in particular. */
void teeny_emu_report(teeny_emu_program *program, const teeny_emu_thread *thread, const char *place,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Leaves a thread for good: something was reported. Does not come back. */
void teeny_emu_stop(teeny_emu_thread *thread);

/* Reports and stops. Does not come back. */
void teeny_emu_fail(teeny_emu_thread *thread, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "thread 37 (warp 1, lane 5)" */
void teeny_emu_say_thread(teeny_string *text, unsigned thread);

#endif
