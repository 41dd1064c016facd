#include <teeny/kernel.h>

TEENY_KERNEL(copy, (tl_tensor(f32, 1) A, f32 at), META(), {
    tl_store_block(A, (at), tl_zeros(f32, 64));
});
