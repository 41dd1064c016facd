// What is outside of the language.
#include <teeny/kernel.h>


TEENY_KERNEL(k, (f32 *out, i32 n), META(), {
    goto end;
    asm("nop");
    __builtin_trap();
    out[2] = __builtin_popcount(n);
    out[3] = (f32)(i64)out;
    out[4] = *(i32 *)out;
end:
    out[5] = 1;
});
