/* Launches: what is checked, and what is passed on. This is the path that has to be short. */
#include "runtime/callback.h"
#include "runtime/fork.h"
#include "runtime/observe/calls.h"
#include "runtime/recording.h"
#include "runtime/report.h"

#include <string.h>

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

/* A launch that is captured, or that has options. */
static teeny_status put(teeny_stream *stream, teeny_function *function, const teeny_grid *grid,
    const teeny_launch_options *options, const void *arguments)
{
    teeny_code *code = teeny_function_code(function, arguments);
    const teeny_operation operation = {
        .kind = TEENY_OPERATION_LAUNCH,
        .launch = {function, code, *grid, options, (void *)arguments},
    };
    return teeny_operation_put(stream, &operation);
}

static teeny_status check(
    teeny_stream *stream, const teeny_function *function, const teeny_grid *grid, size_t size)
{
    if (size != function->arguments_size)
        return fail_arguments_size(size, function->arguments_size);
    return check_grid(grid, stream->device);
}

static bool is_empty(const teeny_grid *grid)
{
    return grid->x == 0 || grid->y == 0 || grid->z == 0;
}

static teeny_status launch(teeny_stream *stream, teeny_function *function, const teeny_grid *grid,
    const void *arguments, size_t size)
{
    teeny_status status = check(stream, function, grid, size);
    if (status != TEENY_OK || is_empty(grid))
        return status;
    if (teeny_stream_is_recorded(stream))
        return put(stream, function, grid, NULL, arguments);
    teeny_code *code = teeny_function_code(function, arguments);
    return stream->device->driver->launch(stream, code, grid, arguments);
}

/* ---- Options --------------------------------------------------------------------------------- */

enum { LARGEST_CLUSTER = 16 };

static teeny_status fail_cluster(const teeny_launch_options *options)
{
    return teeny_fail(TEENY_INVALID_ARGUMENT,
        "a cluster of %u x %u x %u programs: the largest has %d", options->cluster[0],
        options->cluster[1], options->cluster[2], LARGEST_CLUSTER);
}

/* Fills in dimensions that were left out; all 0: no clusters. */
static teeny_status check_cluster(const teeny_grid *grid, teeny_launch_options *options)
{
    const int64_t programs[3] = {grid->x, grid->y, grid->z};
    uint32_t *cluster = options->cluster;
    if (!cluster[0] && !cluster[1] && !cluster[2])
        return TEENY_OK;
    for (int i = 0; i < 3; i++)
        cluster[i] = cluster[i] ? cluster[i] : 1;
    uint64_t count = 1;
    for (int i = 0; i < 3; i++) {
        count *= cluster[i];
        if (cluster[i] > LARGEST_CLUSTER || count > LARGEST_CLUSTER)
            return fail_cluster(options);
    }
    for (int i = 0; i < 3; i++)
        if (programs[i] % cluster[i])
            return teeny_fail(TEENY_INVALID_GRID,
                "grid dimension %c is %lld, not a multiple of the cluster's %u", 'x' + i,
                (long long)programs[i], cluster[i]);
    return TEENY_OK;
}

/* A device without launch_with does not promise to run all programs at once. */
static teeny_status check_promises(
    const teeny_device *device, const teeny_grid *grid, const teeny_launch_options *options)
{
    bool is_one = grid->x == 1 && grid->y == 1 && grid->z == 1;
    if (device->driver->launch_with || !options->cooperative || is_one)
        return TEENY_OK;
    return teeny_fail(TEENY_UNSUPPORTED,
        "a cooperative launch: device %s does not run all programs of a grid at once",
        device->name);
}

static teeny_status launch_with(teeny_stream *stream, teeny_function *function,
    const teeny_grid *grid, const teeny_launch_options *given, const void *arguments, size_t size)
{
    if (!given)
        return launch(stream, function, grid, arguments, size);
    teeny_launch_options options = *given;
    teeny_status status = check(stream, function, grid, size);
    if (status != TEENY_OK || is_empty(grid)) /* no program, no promise */
        return status;
    status = check_cluster(grid, &options);
    if (status == TEENY_OK)
        status = check_promises(stream->device, grid, &options);
    if (status != TEENY_OK)
        return status;
    return put(stream, function, grid, &options, arguments);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

static teeny_status fail_null(
    const char *call, const teeny_stream *stream, const void *what, const char *name)
{
    return teeny_fail(TEENY_INVALID_ARGUMENT, "%s: %s is NULL", call,
        !stream ? "stream"
        : !what ? name
                : "arguments");
}

/* Of the function that was given, or of the kernel's own. */
static teeny_status launch_call(const teeny_launch_call *call)
{
    teeny_function *function = call->function;
    teeny_status status = TEENY_OK;
    if (!function)
        status = teeny_function_default(call->stream->device, call->kernel, &function);
    return status == TEENY_OK ? launch_with(call->stream, function, &call->grid, call->options,
                                    call->arguments, call->arguments_size)
                              : status;
}

/* The call, where hooks hear of it. */
static teeny_status observe(teeny_stream *stream, const teeny_kernel *kernel,
    teeny_function *function, teeny_grid grid, const teeny_launch_options *options,
    const void *arguments, size_t size)
{
    const teeny_launch_call call = {stream, kernel, function, grid, options, arguments, size};
    return teeny_launch_observed(&call, launch_call);
}

teeny_status teeny_launch(teeny_stream *stream, const teeny_kernel *kernel, teeny_grid grid,
    const void *arguments, size_t arguments_size)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!stream || !kernel || (!arguments && arguments_size))
        return fail_null("teeny_launch", stream, kernel, "kernel");
    if (teeny_is_hooked(TEENY_HOOK_LAUNCH))
        return observe(stream, kernel, NULL, grid, NULL, arguments, arguments_size);
    teeny_function *function;
    teeny_status status = teeny_function_default(stream->device, kernel, &function);
    if (status != TEENY_OK)
        return status;
    return launch(stream, function, &grid, arguments, arguments_size);
}

teeny_status teeny_launch_function(teeny_stream *stream, teeny_function *function, teeny_grid grid,
    const void *arguments, size_t arguments_size)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!stream || !function || (!arguments && arguments_size))
        return fail_null("teeny_launch_function", stream, function, "function");
    if (stream->device != function->device)
        return teeny_device_fail_stream(__func__, "the function", function->device, stream);
    if (teeny_is_hooked(TEENY_HOOK_LAUNCH))
        return observe(stream, function->kernel, function, grid, NULL, arguments, arguments_size);
    return launch(stream, function, &grid, arguments, arguments_size);
}

teeny_status teeny_launch_with(teeny_stream *stream, const teeny_kernel *kernel, teeny_grid grid,
    const teeny_launch_options *options, const void *arguments, size_t arguments_size)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!stream || !kernel || (!arguments && arguments_size))
        return fail_null("teeny_launch_with", stream, kernel, "kernel");
    if (teeny_is_hooked(TEENY_HOOK_LAUNCH))
        return observe(stream, kernel, NULL, grid, options, arguments, arguments_size);
    teeny_function *function;
    teeny_status status = teeny_function_default(stream->device, kernel, &function);
    if (status != TEENY_OK)
        return status;
    return launch_with(stream, function, &grid, options, arguments, arguments_size);
}

teeny_status teeny_launch_function_with(teeny_stream *stream, teeny_function *function,
    teeny_grid grid, const teeny_launch_options *options, const void *arguments,
    size_t arguments_size)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!stream || !function || (!arguments && arguments_size))
        return fail_null("teeny_launch_function_with", stream, function, "function");
    if (stream->device != function->device)
        return teeny_device_fail_stream(__func__, "the function", function->device, stream);
    if (teeny_is_hooked(TEENY_HOOK_LAUNCH))
        return observe(
            stream, function->kernel, function, grid, options, arguments, arguments_size);
    return launch_with(stream, function, &grid, options, arguments, arguments_size);
}

/* One name is most often one string: compilers and linkers make it so. */
static bool is_named(const teeny_function *function, const char *kernel)
{
    const char *name = function->kernel->text.name;
    return name == kernel || strcmp(name, kernel) == 0;
}

teeny_status teeny_launch_function_of(teeny_stream *stream, const char *kernel,
    teeny_function *function, teeny_grid grid, const teeny_launch_options *options,
    const void *arguments, size_t arguments_size)
{
    const char *call = options ? "TEENY_LAUNCH_FUNCTION_WITH" : "TEENY_LAUNCH_FUNCTION";
    if (teeny_callback_refuses(call))
        return TEENY_IN_CALLBACK;
    if (!stream || !function || (!arguments && arguments_size))
        return fail_null(call, stream, function, "function");
    if (kernel && !is_named(function, kernel))
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "the function is of kernel `%s`; the launch has the arguments of kernel `%s`",
            function->kernel->text.name, kernel);
    if (!options)
        return teeny_launch_function(stream, function, grid, arguments, arguments_size);
    return teeny_launch_function_with(stream, function, grid, options, arguments, arguments_size);
}
