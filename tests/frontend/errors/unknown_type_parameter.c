#include <teeny/kernel.h>

TEENY_TYPE(T, f16);
TEENY_KERNEL(copy, (T *out, const T *in), META(), { out[0] = in[0]; });
// teenyc: --check unknown_type_parameter.c --type U=bf16
