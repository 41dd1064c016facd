#include <teeny/kernel.h>

TEENY_KERNEL(copy, (f32 *out, const f32 *in, i32 n), META(), {
    for (i32 i = 0; i < n; i++)
        out[i] = ({
            if (in[i] < 0)
                break;
            in[i];
        });
});
