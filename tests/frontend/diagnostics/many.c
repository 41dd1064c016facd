// The twenty-first error is not shown.
#include <teeny/kernel.h>

TEENY_KERNEL(k, (f32 *out), META(), {
    out[0] = missing_0;
    out[1] = missing_1;
    out[2] = missing_2;
    out[3] = missing_3;
    out[4] = missing_4;
    out[5] = missing_5;
    out[6] = missing_6;
    out[7] = missing_7;
    out[8] = missing_8;
    out[9] = missing_9;
    out[10] = missing_10;
    out[11] = missing_11;
    out[12] = missing_12;
    out[13] = missing_13;
    out[14] = missing_14;
    out[15] = missing_15;
    out[16] = missing_16;
    out[17] = missing_17;
    out[18] = missing_18;
    out[19] = missing_19;
    out[20] = missing_20;
    out[21] = missing_21;
});
