// Carets under UTF-8: ä€😀.
#include <teeny/kernel.h>

TEENY_KERNEL(k, (f32 *out), META(), {
    /* ä€😀 */ out[0] = missing;
    /* ��[31m */ out[1] = absent;
});
