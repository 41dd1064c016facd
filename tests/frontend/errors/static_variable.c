#include <teeny/kernel.h>

TEENY_KERNEL(count, (i32 *out), META(), {
    static i32 calls;
    out[0] = calls++;
});
