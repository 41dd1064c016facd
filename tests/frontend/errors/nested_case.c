#include <teeny/kernel.h>

TEENY_KERNEL(send, (i32 *out, i32 n), META(), {
    switch (n % 2) {
    case 0:
        while (n > 0) {
            out[n--] = 0;
    case 1:
            out[n--] = 1;
        }
    }
});
