// Which text is alive: what teenyc can tell of conditions, and what it reads where it cannot.
#include <teeny/kernel.h>

#ifndef TEENYC
TEENY_KERNEL(not_in_teenyc, (f32 *out), META(), { out[0] = missing_1; });
#endif
#ifndef __cplusplus
TEENY_KERNEL(in_c, (f32 *out), META(), { out[0] = missing_2; });
#else
TEENY_KERNEL(in_cpp, (f32 *out), META(), { out[0] = missing_3; });
#endif
#else
#endif
#if 1
TEENY_KERNEL(chosen, (f32 *out), META(), { out[0] = missing_4; });
#elif SOMETHING
TEENY_KERNEL(behind, (f32 *out), META(), { out[0] = missing_5; });
#endif
