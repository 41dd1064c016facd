/* What bench.py calls through ctypes: one device, one stream, kernels by name. Every function that
 * can fail hands back 0, or NULL, where it did; teeny_message() says why. */
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

static teeny_device *device;
static teeny_stream *stream;

/* The CUstream that everything is put on. */
void *bench_open(const char *name)
{
    if (teeny_device_open(name, &device) || teeny_stream_create(device, &stream))
        return NULL;
    return teeny_stream_native(stream);
}

static const teeny_kernel *find(const char *name)
{
    for (size_t i = 0; bench_kernels[i].name; i++)
        if (strcmp(bench_kernels[i].name, name) == 0)
            return bench_kernels[i].kernel;
    return NULL;
}

/* `meta` has `count` names, each with the value of the same place in `values`. */
teeny_function *bench_load(const char *name, const char *type, const char *const *meta,
    const int64_t *values, int count, int num_warps)
{
    teeny_options options = {.num_warps = num_warps, .types = {{"T", type}}};
    for (int i = 0; i < count && i < TEENY_META_LIMIT; i++)
        options.meta[i] = (teeny_meta_value){meta[i], values[i]};
    const teeny_kernel *kernel = find(name);
    teeny_function *function = NULL;
    if (!kernel || teeny_load(device, kernel, &options, &function))
        return NULL;
    return function;
}

int bench_launch(teeny_function *function, int64_t x, int64_t y, const void *arguments, size_t size)
{
    return teeny_launch_function(stream, function, teeny_grid2(x, y), arguments, size) == TEENY_OK;
}

const char *bench_message(void)
{
    return teeny_message();
}
