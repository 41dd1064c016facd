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

/* ---- Arithmetic: correctly rounded, or nearly, where the hardware's is within 2 ulp -------------
 */

static float number_at(const uint64_t *words, unsigned index)
{
    float number;
    memcpy(&number, &words[index], sizeof number);
    return number;
}

static void give_number(uint64_t *words, float number)
{
    words[0] = 0;
    memcpy(words, &number, sizeof number);
}

void teeny_emu_divide_fast(struct emu_thread *base, const char *place, uint64_t *words)
{
    (void)base;
    (void)place;
    give_number(words, number_at(words, 0) / number_at(words, 1));
}

/* 2^x of -150 <= x <= 128 by the series of e^r, r = x ln 2 / 2^10, squared ten times. */
static double exp2_within(double x)
{
    const double r = x * 0x1.62e42fefa39efp-1 * 0x1p-10;
    double sum = 1;
    for (int k = 8; k > 0; k--)
        sum = 1 + sum * r / k;
    for (int i = 0; i < 10; i++)
        sum *= sum;
    return sum;
}

void teeny_emu_exp2(struct emu_thread *base, const char *place, uint64_t *words)
{
    (void)base;
    (void)place;
    const float x = number_at(words, 0);
    const double within = x < -150 ? -150 : x > 128 ? 128 : x;
    const float result = x != x ? x : (float)exp2_within(within);
    give_number(words, result < 0x1p-126f ? 0 : result);
}

void teeny_emu_rsqrt(struct emu_thread *base, const char *place, uint64_t *words)
{
    (void)base;
    (void)place;
    give_number(words, (float)(1 / __builtin_sqrt(number_at(words, 0))));
}
