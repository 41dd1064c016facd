#include <teeny/kernel.h>

TEENY_DEVICE(f32, forever, (f32 x), {
    for (;;)
        x += 1;
});

TEENY_KERNEL(use, (f32 *out), META(), { out[0] = forever(out[0]); });
