/* A second file of kernels, with a helper of the same name and a text of its own. */
#include <teeny/kernel.h>

#include "kernels.h"

TEENY_DECL(enum { SHIFT = 40 };);
TEENY_DEVICE(i32, scaled, (i32 x), { return x + SHIFT; });
TEENY_KERNEL(own, (i32 *out), META(), { out[0] = scaled(2); });

/* A kernel that a macro of the file writes. */
#define STORE_ONE(T) TEENY_KERNEL(one_##T, (T *out), META(BITS = 8 * sizeof(T)), { out[0] = BITS; })
STORE_ONE(u16);

/* Its packed arguments take no byte, in C++ neither. */
TEENY_KERNEL(nothing, (void), META(), {});
