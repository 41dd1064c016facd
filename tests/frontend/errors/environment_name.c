#include <teeny/kernel.h>

TEENY_KERNEL(copy, (f32 *out, const f32 *in), META(), {
    f32 teeny_value_ = in[0];
    out[0] = teeny_value_;
});
