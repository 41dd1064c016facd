#include <teeny/kernel.h>

TEENY_DEVICE(i32, factorial, (i32 n), { return n < 2 ? 1 : n * factorial(n - 1); });

TEENY_KERNEL(use, (i32 *out, i32 n), META(), { out[0] = factorial(n); });
