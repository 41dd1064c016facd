/* Fills the cache with what the program will ask for, each variant in turn. */
#include <stdio.h>
#include <teeny/teeny.h>

#include "kernels.c"

int main(void)
{
    static const teeny_options wide = {.meta = {{"BLOCK", 1024}}};
    static const teeny_compile_item items[] = {
        {TEENY_KERNEL_OF(scale), "sm_90", NULL, NULL},
        {TEENY_KERNEL_OF(scale), "sm_90", NULL, "0=16,1=16"}, /* for aligned pointers */
        {TEENY_KERNEL_OF(scale), "sm_90", &wide, NULL},
        {TEENY_KERNEL_OF(scale), "cpu", NULL, NULL},
    };
    enum { COUNT = sizeof items / sizeof items[0] };
    teeny_compile_result results[COUNT];
    teeny_status status = teeny_compile_many(items, COUNT, 0, results);
    for (int i = 0; i < COUNT; i++)
        printf("%s: %s\n", items[i].target, teeny_status_name(results[i].status));
    teeny_compile_results_free(results, COUNT);
    return status != TEENY_OK;
}
