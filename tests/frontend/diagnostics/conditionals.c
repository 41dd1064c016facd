#include <teeny/kernel.h>

TEENY_KERNEL(unterminated, (f32 *out), META(), {
#if 1
    out[0] = 1;
});
TEENY_KERNEL(no_if, (f32 *out), META(), {
    out[0] = 1;
#endif
});
TEENY_KERNEL(wrong, (f32 *out), META(), {
#if 1 +
    out[0] = 1;
#elif 1
#error not this way
#endif
});
