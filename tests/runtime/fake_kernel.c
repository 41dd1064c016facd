/* The machine code of the tests' kernel: out = x + y, what teenyc would make for cpu.
 *
 * Compiled freestanding and cut out of its object file by fake_teenyc's build rule, so it must be
 * one function without constants or calls. The block's size is worked out from the grid. Each
 * program leaves a trace in its scratch memory, which shows that the memory is there.
 */
#include <stdint.h>

#include "base/cpu_image.h"

struct arguments {
    float *out;
    const float *x, *y;
    int32_t n;
};

void entry(const cpu_call *call, uint64_t first_program, uint64_t last_program);

void entry(const cpu_call *call, uint64_t first_program, uint64_t last_program)
{
    const struct arguments *arguments = call->arguments;
    uint64_t programs =
        (uint64_t)call->num_programs[0] * call->num_programs[1] * call->num_programs[2];
    uint64_t n = arguments->n > 0 ? (uint64_t)arguments->n : 0;
    uint64_t block = (n + programs - 1) / programs;
    volatile uint64_t *scratch = call->scratch;
    for (uint64_t program = first_program; program < last_program; program++) {
        scratch[program % 8] = program;
        for (uint64_t i = program * block; i < (program + 1) * block && i < n; i++)
            arguments->out[i] = arguments->x[i] + arguments->y[i];
    }
}
