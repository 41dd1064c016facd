/* Launches on a CUDA device. */
#include "runtime/cuda/context.h"
#include "runtime/report.h"

#include <stdint.h>

enum {
    CHIP_WITH_CLUSTERS = 90,
    PORTABLE_CLUSTER = 8, /* programs of a cluster that every such chip takes */
};

/* What cuLaunchKernel's `extra` says: the packed arguments. */
#define ARGUMENTS(arguments, size)                                                                 \
    {CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)(arguments), CU_LAUNCH_PARAM_BUFFER_SIZE, (size),     \
        CU_LAUNCH_PARAM_END}

static inline CUresult launch_plain(teeny_stream *stream, const teeny_cuda_code *code,
    const teeny_grid *grid, unsigned shared_bytes, const void *arguments)
{
    size_t size = code->parameter_bytes;
    void *extra[] = ARGUMENTS(arguments, &size);
    return teeny_cuda.launch_kernel(code->function, (unsigned)grid->x, (unsigned)grid->y,
        (unsigned)grid->z, code->threads, 1, 1, shared_bytes, teeny_cuda_stream_of(stream)->handle,
        NULL, extra);
}

teeny_status teeny_cuda_launch(
    teeny_stream *stream, teeny_code *base, const teeny_grid *grid, const void *arguments)
{
    const teeny_cuda_code *code = (const teeny_cuda_code *)base;
    CUresult result;
    TEENY_CUDA_WITH(
        stream->device, &result, launch_plain(stream, code, grid, code->shared_bytes, arguments));
    return result == CUDA_SUCCESS ? TEENY_OK : teeny_cuda_fail(result, "cuLaunchKernel");
}

/* ---- Options --------------------------------------------------------------------------------- */

static uint32_t cluster_size(const teeny_launch_options *options)
{
    return options->cluster[0] * options->cluster[1] * options->cluster[2];
}

/* What only cuLaunchKernelEx can be told. */
static bool takes_attributes(const teeny_launch_options *options)
{
    return options->cluster[0] || options->cooperative || options->programmatic;
}

static teeny_status fail_chip(const teeny_cuda_device *device, const char *what)
{
    return teeny_fail(TEENY_UNSUPPORTED, "%s: they take sm_90 or later; %s is %s", what,
        device->base.name, device->base.target);
}

static teeny_status check(const teeny_cuda_device *device, const teeny_cuda_code *code,
    const teeny_launch_options *options)
{
    uint64_t shared = (uint64_t)code->shared_bytes + options->extra_shared_bytes;
    if (device->chip < CHIP_WITH_CLUSTERS && options->cluster[0])
        return fail_chip(device, "clusters");
    if (device->chip < CHIP_WITH_CLUSTERS && options->programmatic)
        return fail_chip(device, "programmatic launches");
    if (options->cooperative && !device->cooperates)
        return teeny_fail(TEENY_UNSUPPORTED, "a cooperative launch: %s, a %s, has none",
            device->base.name, device->base.model);
    if (shared > (uint64_t)device->shared_limit)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "the kernel's %u bytes of shared memory and %u more: %s gives a program at most %d",
            code->shared_bytes, options->extra_shared_bytes, device->base.name,
            device->shared_limit);
    if (takes_attributes(options) && !teeny_cuda.launch_kernel_with)
        return teeny_cuda_fail_missing("cuLaunchKernelEx", "11.8", "a launch with options");
    return TEENY_OK;
}

/* What the driver allows a function only when it is asked to. */
enum allowance { ALLOWS_SHARED = 1, ALLOWS_CLUSTER = 2 };

static unsigned needed_allowances(const teeny_cuda_code *code, const teeny_launch_options *options)
{
    uint64_t shared = (uint64_t)code->shared_bytes + options->extra_shared_bytes;
    unsigned needed = 0;
    if (options->extra_shared_bytes && shared > TEENY_CUDA_PLAIN_SHARED_BYTES)
        needed |= ALLOWS_SHARED;
    if (cluster_size(options) > PORTABLE_CLUSTER)
        needed |= ALLOWS_CLUSTER;
    return needed;
}

/* Of shared memory the device's most, so that launches of several threads do not take it from each
 * other. */
static CUresult ask(const teeny_cuda_device *device, const teeny_cuda_code *code, unsigned missing)
{
    CUresult result = CUDA_SUCCESS;
    if (missing & ALLOWS_SHARED)
        result = teeny_cuda.function_set_attribute(
            code->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, device->shared_limit);
    if (result == CUDA_SUCCESS && missing & ALLOWS_CLUSTER)
        result = teeny_cuda.function_set_attribute(
            code->function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    return result;
}

/* Once a function: threads that are the first at once set the same. */
static CUresult allow(
    teeny_device *device, teeny_cuda_code *code, const teeny_launch_options *options)
{
    unsigned missing = needed_allowances(code, options) & ~atomic_load(&code->allowances);
    CUresult result = CUDA_SUCCESS;
    if (!missing)
        return result;
    TEENY_CUDA_WITH_RELAXED(device, &result, ask(teeny_cuda_device_of(device), code, missing));
    if (result == CUDA_SUCCESS)
        atomic_fetch_or(&code->allowances, missing);
    return result;
}

static unsigned make_attributes(
    const teeny_launch_options *options, CUlaunchAttribute *out_attributes)
{
    unsigned count = 0;
    if (options->cluster[0]) {
        CUlaunchAttribute *attribute = &out_attributes[count++];
        attribute->id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attribute->value.cluster.x = options->cluster[0];
        attribute->value.cluster.y = options->cluster[1];
        attribute->value.cluster.z = options->cluster[2];
    }
    if (options->cooperative) {
        CUlaunchAttribute *attribute = &out_attributes[count++];
        attribute->id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        attribute->value.is_on = 1;
    }
    if (options->programmatic) {
        CUlaunchAttribute *attribute = &out_attributes[count++];
        attribute->id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
        attribute->value.is_on = 1;
    }
    return count;
}

static CUresult launch_with_attributes(teeny_stream *stream, const teeny_cuda_code *code,
    const teeny_grid *grid, const teeny_launch_options *options, const void *arguments)
{
    CUlaunchAttribute attributes[3] = {0};
    size_t size = code->parameter_bytes;
    void *extra[] = ARGUMENTS(arguments, &size);
    const CUlaunchConfig config = {
        .grid_x = (unsigned)grid->x,
        .grid_y = (unsigned)grid->y,
        .grid_z = (unsigned)grid->z,
        .block_x = code->threads,
        .block_y = 1,
        .block_z = 1,
        .shared_bytes = code->shared_bytes + options->extra_shared_bytes,
        .stream = teeny_cuda_stream_of(stream)->handle,
        .attributes = attributes,
        .attribute_count = make_attributes(options, attributes),
    };
    return teeny_cuda.launch_kernel_with(&config, code->function, NULL, extra);
}

static CUresult launch(teeny_stream *stream, const teeny_cuda_code *code, const teeny_grid *grid,
    const teeny_launch_options *options, const void *arguments)
{
    if (takes_attributes(options))
        return launch_with_attributes(stream, code, grid, options, arguments);
    return launch_plain(
        stream, code, grid, code->shared_bytes + options->extra_shared_bytes, arguments);
}

static teeny_status fail(
    const teeny_cuda_device *device, const teeny_launch_options *options, CUresult result)
{
    if (result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE)
        return teeny_fail(TEENY_INVALID_GRID,
            "a cooperative launch: the grid's programs do not all fit on the %d multiprocessors of "
            "%s at once (teeny_kernel_info says how many do on one)",
            device->multiprocessors, device->base.name);
    if (result == CUDA_ERROR_INVALID_CLUSTER_SIZE)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "a cluster of %u programs of this kernel does not fit on %s", cluster_size(options),
            device->base.name);
    return teeny_cuda_fail(result, "cuLaunchKernelEx");
}

teeny_status teeny_cuda_launch_with(teeny_stream *stream, teeny_code *base, const teeny_grid *grid,
    const teeny_launch_options *options, const void *arguments)
{
    const teeny_cuda_device *device = teeny_cuda_device_of(stream->device);
    teeny_cuda_code *code = (teeny_cuda_code *)base;
    teeny_status status = check(device, code, options);
    if (status != TEENY_OK)
        return status;
    CUresult result = allow(stream->device, code, options);
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuFuncSetAttribute");
    TEENY_CUDA_WITH(stream->device, &result, launch(stream, code, grid, options, arguments));
    return result == CUDA_SUCCESS ? TEENY_OK : fail(device, options, result);
}
