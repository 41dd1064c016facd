#include <teeny/kernel.h>

TEENY_DEVICE(f32, twice, (f32 x), { return x + x; });
TEENY_DEVICE(f32, by_16, (f32 x), { return twice(twice(twice(twice(x)))); });
TEENY_DEVICE(f32, by_16_to_4, (f32 x), { return by_16(by_16(by_16(by_16(x)))); });
TEENY_DEVICE(f32, by_16_to_16, (f32 x), { return by_16_to_4(by_16_to_4(by_16_to_4(by_16_to_4(x)))); });
TEENY_DEVICE(f32, to_64, (f32 x), { return by_16_to_16(by_16_to_16(by_16_to_16(by_16_to_16(x)))); });
TEENY_DEVICE(f32, to_256, (f32 x), { return to_64(to_64(to_64(to_64(x)))); });
TEENY_DEVICE(f32, to_1024, (f32 x), { return to_256(to_256(to_256(to_256(x)))); });
TEENY_DEVICE(f32, to_4096, (f32 x), { return to_1024(to_1024(to_1024(to_1024(x)))); });

TEENY_KERNEL(use, (f32 *out), META(), { out[0] = to_4096(to_4096(to_4096(to_4096(1)))); });
