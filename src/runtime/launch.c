/* Launches: what is checked, and what is passed on. This is the path that has to be short. */
#include "runtime/function.h"
#include "runtime/observe/hooks.h"
#include "runtime/report.h"

static teeny_status fail_grid(
    const char *dimension, int64_t value, int64_t limit, const char *device)
{
    if (value < 0)
        return teeny_fail(TEENY_INVALID_GRID, "grid dimension %s is %lld, which is negative",
            dimension, (long long)value);
    return teeny_fail(TEENY_INVALID_GRID, "grid dimension %s is %lld; %s takes at most %lld",
        dimension, (long long)value, device, (long long)limit);
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
        return fail_grid("x", grid->x, limit->x, device->name);
    if (!fits(grid->y, limit->y))
        return fail_grid("y", grid->y, limit->y, device->name);
    if (!fits(grid->z, limit->z))
        return fail_grid("z", grid->z, limit->z, device->name);
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

static teeny_status launch_default(teeny_stream *stream, const teeny_kernel *kernel,
    const teeny_grid *grid, const void *arguments, size_t size)
{
    teeny_function *function;
    teeny_status status = teeny_function_default(stream->device, kernel, &function);
    return status == TEENY_OK ? launch(stream, function, grid, arguments, size) : status;
}

/* ---- With hooks ------------------------------------------------------------------------------ */

static teeny_observation observe(teeny_stream *stream, const teeny_kernel *kernel,
    const teeny_grid *grid, const void *arguments, size_t size)
{
    return (teeny_observation){.record = {.kind = TEENY_HOOK_LAUNCH,
                                   .kernel = kernel->text.name,
                                   .target = stream->device->target,
                                   .device = stream->device,
                                   .stream = stream,
                                   .grid = *grid,
                                   .arguments = arguments,
                                   .arguments_size = size}};
}

static teeny_status launch_function_observed(teeny_stream *stream, teeny_function *function,
    const teeny_grid *grid, const void *arguments, size_t size)
{
    teeny_observation observation = observe(stream, function->kernel, grid, arguments, size);
    teeny_hook_record *record = &observation.record;
    record->target = function->generic.artifact->metadata.target;
    record->artifact = function->generic.artifact;
    teeny_observe_begin(&observation);
    teeny_status status = launch(stream, function, grid, arguments, size);
    record->artifact =
        status == TEENY_OK ? teeny_function_variant_artifact(function, arguments) : NULL;
    return teeny_observe_end(&observation, status);
}

/* The report begins before the kernel is compiled, if it is not yet. */
static teeny_status launch_default_observed(teeny_stream *stream, const teeny_kernel *kernel,
    const teeny_grid *grid, const void *arguments, size_t size)
{
    teeny_function *function = teeny_function_table_find(&stream->device->table, kernel);
    if (function)
        return launch_function_observed(stream, function, grid, arguments, size);
    teeny_observation observation = observe(stream, kernel, grid, arguments, size);
    teeny_observe_begin(&observation);
    teeny_status status = launch_default(stream, kernel, grid, arguments, size);
    function = teeny_function_table_find(&stream->device->table, kernel);
    if (status == TEENY_OK && function)
        observation.record.artifact = teeny_function_variant_artifact(function, arguments);
    return teeny_observe_end(&observation, status);
}

/* ---- The public side ------------------------------------------------------------------------- */

teeny_status teeny_launch(teeny_stream *stream, const teeny_kernel *kernel, teeny_grid grid,
    const void *arguments, size_t arguments_size)
{
    if (!stream || !kernel || (!arguments && arguments_size))
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_launch: %s is NULL",
            !stream   ? "stream"
            : !kernel ? "kernel"
                      : "arguments");
    if (teeny_is_hooked(TEENY_HOOK_LAUNCH))
        return launch_default_observed(stream, kernel, &grid, arguments, arguments_size);
    return launch_default(stream, kernel, &grid, arguments, arguments_size);
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
    if (teeny_is_hooked(TEENY_HOOK_LAUNCH))
        return launch_function_observed(stream, function, &grid, arguments, arguments_size);
    return launch(stream, function, &grid, arguments, arguments_size);
}
