/* A kernel that host compilers take and teenyc does not: libteeny's message has teenyc's words, at the
 * place in this file, though what it was given is one line. And options that are not the kernel's: the
 * status tells them from a wrong kernel. */
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

TEENY_TYPE(T, f32);
TEENY_KERNEL(right, (T *out), META(VALUE = 1), { out[0] = VALUE; });

static int fails(const teeny_kernel *kernel, const char *target, const teeny_options *options,
    teeny_status expected, const char *part)
{
    teeny_artifact *artifact = NULL;
    teeny_status status = teeny_compile_kernel(kernel, target, options, &artifact);
    if (status == expected && !artifact && strstr(teeny_message(), part))
        return 1;
    printf("%s, not %s with <%s>: %s\n", teeny_status_name(status), teeny_status_name(expected), part,
        teeny_message());
    return 0;
}

int main(void)
{
    static const char *const parts[] = {"wrong.c:12:16: error: 'endless' calls itself",
        "   12 |     return 1 + endless(n - 1);\n", "      |                ^"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!fails(TEENY_KERNEL_OF(wrong), "sm_80", NULL, TEENY_KERNEL_INVALID, parts[i]))
            return 1;
    const teeny_options meta = {.meta = {{"VALEU", 2}}};
    const teeny_options type = {.types = {{"U", "f16"}}};
    const teeny_options element = {.types = {{"T", "f17"}}};
    const teeny_kernel *kernel = TEENY_KERNEL_OF(right);
    return !(fails(kernel, "cpu", &meta, TEENY_OPTION_INVALID, "no META named 'VALEU'") &&
             fails(kernel, "cpu", &type, TEENY_OPTION_INVALID, "no TEENY_TYPE named 'U'") &&
             fails(kernel, "cpu", &element, TEENY_OPTION_INVALID, "'f17' is no element type") &&
             fails(kernel, "sm_99", NULL, TEENY_UNKNOWN_TARGET, "no target 'sm_99'"));
}
