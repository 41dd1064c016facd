#include <teeny/kernel.h>

TEENY_TYPE(T, f12);
TEENY_TYPE(U, unsigned int);

TEENY_KERNEL(k, (T *out), META(), { out[0] = 1; });
