#include <teeny/kernel.h>

TEENY_KERNEL(parts, (tl_tensor(f8e4m3, 1) A, f8e4m3 low, f8e5m2 high), META(), {
    tl_store_block(A, (0), tl_full(f8e4m3, tl_where(tl_cast(f32, high) > 0.0f, low, low), 16));
});
