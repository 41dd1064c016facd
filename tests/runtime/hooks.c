/* See hooks.h. */
#include "hooks.h"
#include "kernels.h"

teeny_device *hook_device;
teeny_stream *hook_stream;
float hook_values[16];

int hook_open(void **state)
{
    return support_open_cpu(state, &hook_device, &hook_stream);
}

int hook_close(void **state)
{
    return support_close_cpu(state, hook_device, hook_stream);
}

teeny_status hook_launch(teeny_grid grid)
{
    return TEENY_LAUNCH(vector_add, hook_stream, grid, hook_values, hook_values, hook_values, 16);
}

teeny_hook_registration *hook_register(const teeny_hook *hook)
{
    teeny_hook_registration *registration;
    assert_ok(teeny_hook_register(hook, &registration));
    return registration;
}

void hook_count(const teeny_hook_record *record, void *user)
{
    (void)record;
    (*(unsigned *)user)++;
}
