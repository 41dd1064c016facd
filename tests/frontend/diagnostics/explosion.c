// Twenty lines that would be a million calls.
#include <teeny/kernel.h>

TEENY_DEVICE(f32, g0, (f32 x), { return x; });
TEENY_DEVICE(f32, g1, (f32 x), { return g0(x) + g0(x + 1); });
TEENY_DEVICE(f32, g2, (f32 x), { return g1(x) + g1(x + 1); });
TEENY_DEVICE(f32, g3, (f32 x), { return g2(x) + g2(x + 1); });
TEENY_DEVICE(f32, g4, (f32 x), { return g3(x) + g3(x + 1); });
TEENY_DEVICE(f32, g5, (f32 x), { return g4(x) + g4(x + 1); });
TEENY_DEVICE(f32, g6, (f32 x), { return g5(x) + g5(x + 1); });
TEENY_DEVICE(f32, g7, (f32 x), { return g6(x) + g6(x + 1); });
TEENY_DEVICE(f32, g8, (f32 x), { return g7(x) + g7(x + 1); });
TEENY_DEVICE(f32, g9, (f32 x), { return g8(x) + g8(x + 1); });
TEENY_DEVICE(f32, g10, (f32 x), { return g9(x) + g9(x + 1); });
TEENY_DEVICE(f32, g11, (f32 x), { return g10(x) + g10(x + 1); });
TEENY_DEVICE(f32, g12, (f32 x), { return g11(x) + g11(x + 1); });
TEENY_DEVICE(f32, g13, (f32 x), { return g12(x) + g12(x + 1); });
TEENY_DEVICE(f32, g14, (f32 x), { return g13(x) + g13(x + 1); });
TEENY_DEVICE(f32, g15, (f32 x), { return g14(x) + g14(x + 1); });
TEENY_DEVICE(f32, g16, (f32 x), { return g15(x) + g15(x + 1); });
TEENY_DEVICE(f32, g17, (f32 x), { return g16(x) + g16(x + 1); });
TEENY_DEVICE(f32, g18, (f32 x), { return g17(x) + g17(x + 1); });
TEENY_DEVICE(f32, g19, (f32 x), { return g18(x) + g18(x + 1); });
TEENY_DEVICE(f32, g20, (f32 x), { return g19(x) + g19(x + 1); });

TEENY_KERNEL(k, (f32 *out), META(), { out[0] = g20(1); });
