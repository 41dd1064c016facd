#include <teeny/kernel.h>

TEENY_DECL(typedef struct { f32 x, y; } point;);

TEENY_KERNEL(length, (f32 *out, point p), META(), { out[0] = 1; });
