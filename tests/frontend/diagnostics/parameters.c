#include <teeny/kernel.h>

TEENY_DECL(typedef struct { f32 a, b; } pair;);

TEENY_KERNEL(variadic, (f32 *out, ...), META(), { out[0] = 1; });
TEENY_KERNEL(nameless, (f32 *, i32 n), META(), { i32 m = n; });
TEENY_KERNEL(others, (void *p, f32 **pp, pair q, pair *qs, tl_tile(f32, 8, 16) t, volatile f32 *v,
                         long double x, __int128 y, f32 (*f)(f32)), META(), { i32 m = 1; });
