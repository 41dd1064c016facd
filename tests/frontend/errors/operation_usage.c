#include <teeny/kernel.h>

TEENY_KERNEL(which, (i32 *out), META(), { out[0] = tl_program_id(3); });
