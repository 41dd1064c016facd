#include <teeny/kernel.h>

TEENY_KERNEL(sum, (f32 *out, const f32 *in), META(), {
    f32 parts[4] = {in[0], in[1], in[2], in[3]};
    out[0] = parts[0] + parts[1] + parts[2] + parts[3];
});
