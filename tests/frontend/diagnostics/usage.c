// How the operations are called.
#include <teeny/kernel.h>

TEENY_KERNEL(usage, (f32 *out, i32 n), META(), {
    tl_store();
    tl_store(out, 0);
    tl_store(out, 0, 1, 1, 1, 1);
    tl_load(out);
    tl_load(out, 0, 1, 1, 1, 1);
    tl_load(n, 0);
    tl_program_id(3);
    tl_program_id(n);
    tl_arange(0, n);
    tl_arange(0, 48);
    tl_arange(8, 0);
    tl_zeros(f32, n);
    tl_zeros(f32);
    tl_zeros(f31, 8);
    tl_full(f32, 1);
});
