/* A kernel that host compilers take and teenyc does not: libteeny's message has teenyc's words, at the
 * place in this file, though what it was given is one line. */
#include <stdio.h>
#include <string.h>

#include <teeny/kernel.h>
#include <teeny/teeny.h>

TEENY_DEVICE(i32, endless, (i32 n), {
    // one call too many
    return 1 + endless(n - 1);
});

TEENY_KERNEL(wrong, (i32 *out), META(), {
    /* several lines */
    out[0] = endless(3);
    out[1] = 2;
});

int main(void)
{
    teeny_artifact *artifact = NULL;
    teeny_status status = teeny_compile_kernel(TEENY_KERNEL_OF(wrong), "sm_80", NULL, &artifact);
    if (status != TEENY_KERNEL_INVALID || artifact) {
        printf("%s: %s\n", teeny_status_name(status), teeny_message());
        return 1;
    }
    static const char *const parts[] = {"wrong.c:11:16: error: 'endless' calls itself",
        "   11 |     return 1 + endless(n - 1);\n", "      |                ^"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strstr(teeny_message(), parts[i]))
            continue;
        printf("<%s> is not in: %s\n", parts[i], teeny_message());
        return 1;
    }
    return 0;
}
