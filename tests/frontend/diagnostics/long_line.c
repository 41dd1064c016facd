#include <teeny/kernel.h>

TEENY_KERNEL(k, (f32 *out), META(), {
    /* before before before before before before before before before before before before before before before before before before before before before before before before before before before before before before before before before before before before before before before before  */ out[0] = missing; /* behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind  */
    out[1] = absent; /* behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind  */
    /* ääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää */ out[2] = gone;
});
