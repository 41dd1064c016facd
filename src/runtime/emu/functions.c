/* The emu column of the table of NVIDIA operations, and its shortest functions: where a thread is,
 * and arithmetic. */
#include "runtime/emu/emu.h"

#include <string.h>

emu_function *const teeny_emu_functions[NV_OP_COUNT] = {
#define NV_OP(id, signature, ptx, constraints, emu) [NV_##id] = teeny_##emu,
#include "base/nv_ops.def"
#undef NV_OP
};

#define GIVES(name, expression)                                                                    \
    void teeny_emu_##name(struct emu_thread *base, const char *place, uint64_t *words)             \
    {                                                                                              \
        (void)place;                                                                               \
        const teeny_emu_thread *thread = teeny_emu_thread_of(base);                                \
        words[0] = (expression);                                                                   \
    }

GIVES(thread_id, thread->number)
GIVES(program_id_x, thread->program->id[0])
GIVES(program_id_y, thread->program->id[1])
GIVES(program_id_z, thread->program->id[2])
GIVES(num_programs_x, thread->program->launch->num_programs[0])
GIVES(num_programs_y, thread->program->launch->num_programs[1])
GIVES(num_programs_z, thread->program->launch->num_programs[2])
GIVES(shared_base, (uintptr_t)thread->program->shared)

/* The hardware's quotient may be off by 2 ulp. */
void teeny_emu_divide_fast(struct emu_thread *base, const char *place, uint64_t *words)
{
    (void)base;
    (void)place;
    float operands[2];
    for (unsigned i = 0; i < 2; i++)
        memcpy(&operands[i], &words[i], sizeof operands[i]);
    float quotient = operands[0] / operands[1];
    words[0] = 0;
    memcpy(&words[0], &quotient, sizeof quotient);
}
