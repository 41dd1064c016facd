#include <teeny/kernel.h>

TEENY_KERNEL(leaves_a_loop, (i32 *out, i32 n), META(), {
    for (i32 i = 0; i < n; i++)
        out[i] = ({
            if (i == 3)
                break;
            i;
        });
});

TEENY_KERNEL(returns, (i32 *out, i32 n), META(), {
    out[0] = ({
        if (n < 0)
            return;
        n;
    });
});

TEENY_KERNEL(stays_inside, (i32 *out, i32 n), META(), {
    out[0] = ({
        i32 sum = 0;
        for (i32 i = 0; i < n; i++) {
            if (i == 3)
                break;
            sum += i;
        }
        sum;
    });
});
