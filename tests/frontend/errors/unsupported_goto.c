#include <teeny/kernel.h>

TEENY_KERNEL(count, (i32 *out, i32 n), META(), {
again:
    out[n] = n;
    if (n-- > 0)
        goto again;
});
