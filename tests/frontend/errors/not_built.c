#include <teeny/kernel.h>

TEENY_KERNEL(letters, (i8 *out), META(), { out[0] = "text"[0]; });
