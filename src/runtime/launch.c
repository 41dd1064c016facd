/* Launches: what is checked, and what is passed on. This is the path that has to be short. */
#include "runtime/fork.h"
#include "runtime/function.h"
#include "runtime/report.h"

static teeny_status fail_grid(
    const char *dimension, int64_t value, int64_t limit, const teeny_device *device)
{
    if (teeny_device_is_inherited(device))
        return teeny_fail_forked();
    if (value < 0)
        return teeny_fail(TEENY_INVALID_GRID, "grid dimension %s is %lld, which is negative",
            dimension, (long long)value);
    return teeny_fail(TEENY_INVALID_GRID, "grid dimension %s is %lld; %s takes at most %lld",
        dimension, (long long)value, device->name, (long long)limit);
}

static bool fits(int64_t value, int64_t limit)
{
    return value >= 0 && value <= limit;
}

/* The limits of two dimensions are below 2^32, so that their product is no trouble. */
static bool fits_in_all(const teeny_grid *grid, int64_t limit)
{
    return grid->x == 0 || grid->y == 0 || grid->z <= limit / grid->x / grid->y;
}

static teeny_status check_grid(const teeny_grid *grid, const teeny_device *device)
{
    const teeny_grid *limit = &device->driver->grid_limit;
    if (!fits(grid->x, limit->x))
        return fail_grid("x", grid->x, limit->x, device);
    if (!fits(grid->y, limit->y))
        return fail_grid("y", grid->y, limit->y, device);
    if (!fits(grid->z, limit->z))
        return fail_grid("z", grid->z, limit->z, device);
    if (!fits_in_all(grid, device->driver->program_limit))
        return teeny_fail(TEENY_INVALID_GRID,
            "a grid of %lld x %lld x %lld programs: %s takes at most %lld in all",
            (long long)grid->x, (long long)grid->y, (long long)grid->z, device->name,
            (long long)device->driver->program_limit);
    return TEENY_OK;
}

static teeny_status fail_arguments_size(size_t given, size_t expected)
{
    return teeny_fail(TEENY_INVALID_ARGUMENT,
        "the packed arguments are %zu bytes; the kernel's parameters take %zu", given, expected);
}

static teeny_status launch(teeny_stream *stream, teeny_function *function, const teeny_grid *grid,
    const void *arguments, size_t size)
{
    if (size != function->arguments_size)
        return fail_arguments_size(size, function->arguments_size);
    teeny_status status = check_grid(grid, stream->device);
    if (status != TEENY_OK || grid->x == 0 || grid->y == 0 || grid->z == 0)
        return status;
    teeny_code *code = teeny_function_code(function, arguments);
    return stream->device->driver->launch(stream, code, grid, arguments);
}

teeny_status teeny_launch(teeny_stream *stream, const teeny_kernel *kernel, teeny_grid grid,
    const void *arguments, size_t arguments_size)
{
    if (!stream || !kernel || (!arguments && arguments_size))
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_launch: %s is NULL",
            !stream   ? "stream"
            : !kernel ? "kernel"
                      : "arguments");
    teeny_function *function;
    teeny_status status = teeny_function_default(stream->device, kernel, &function);
    if (status != TEENY_OK)
        return status;
    return launch(stream, function, &grid, arguments, arguments_size);
}

teeny_status teeny_launch_function(teeny_stream *stream, teeny_function *function, teeny_grid grid,
    const void *arguments, size_t arguments_size)
{
    if (!stream || !function || (!arguments && arguments_size))
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_launch_function: %s is NULL",
            !stream     ? "stream"
            : !function ? "function"
                        : "arguments");
    if (stream->device != function->device)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "the function is on %s, the stream on %s",
            function->device->name, stream->device->name);
    return launch(stream, function, &grid, arguments, arguments_size);
}
