#include <teeny/kernel.h>

TEENY_KERNEL(copy, (tl_tensor(f32, 1) out, tl_tensor(f32, 1) in), META(), {
    tl_tensor(f32, 1) view = in;
    view = out;
    tl_store_block(out, (0), tl_load_block(view, (0), (64)));
});
