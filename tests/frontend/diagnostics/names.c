// Names that a kernel does not see. Each note is given once.
#include <teeny/kernel.h>

static const float factor = 2;
static int counter;
static float host_function(float x) { return x; }
typedef float unseen_type;

TEENY_DEVICE(f32, helper, (f32 x), { return x * missing_in_helper; });

TEENY_KERNEL(k, (f32 *out, i32 n), META(BLOCK = 64), {
    out[0] = factor;
    out[1] = counter;
    out[2] = host_function(1);
    unseen_type t = 1;
    tl_tile(i32, BLOCK) i = tl_arrange(0, BLOCK);
    tl_store(out, i, tl_lod(out, i));
    printf("%d", n);
    out[3] = ünïcode + n;
});

TEENY_KERNEL(another, (f32 *out), META(), { out[0] = helper(1) + BLOCK; });
