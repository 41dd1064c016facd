#include <teeny/kernel.h>

TEENY_KERNEL(copy, (tl_tensor(f16, 1) A), META(), { tl_store_block(A, (0), tl_zeros(f32, 64)); });
