#include <teeny/kernel.h>

TEENY_KERNEL(nothing, (i32 *out), META(), {
    __asm__("nop");
    out[0] = 1;
});
