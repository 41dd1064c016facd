#include <teeny/kernel.h>

TEENY_KERNEL(which, (i32 *out, i32 axis), META(), { out[0] = tl_program_id(axis); });
