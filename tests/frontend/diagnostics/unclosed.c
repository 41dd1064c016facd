// An unbalanced parenthesis takes in the rest of the file: there is no second error.
#include <teeny/kernel.h>

TEENY_KERNEL(k, (f32 *out), META(), {
    out[0] = (1 + 2;
});

TEENY_KERNEL(other, (f32 *out), META(), { out[0] = 1; });
