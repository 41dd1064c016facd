/* The cuda devices: the primary context of each GPU, and the driver's table of functions. */
#include "runtime/cuda/context.h"
#include "runtime/observe/nvtx.h"
#include "runtime/report.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static teeny_status check_number(int number)
{
    int count = 0;
    CUresult result = teeny_cuda.device_get_count(&count);
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuDeviceGetCount");
    if (count == 0)
        return teeny_fail(TEENY_NO_DEVICE, "the CUDA driver finds no GPU");
    if (number >= count)
        return teeny_fail(TEENY_NO_DEVICE,
            "there is no device cuda:%d: the CUDA driver finds %d, from cuda:0 on", number, count);
    return TEENY_OK;
}

static teeny_status describe(teeny_cuda_device *device)
{
    int major = 0, minor = 0;
    const struct {
        int *value, attribute;
    } rows[] = {
        {&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
        {&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
        {&device->multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
        {&device->shared_limit, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
        {&device->cooperates, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH},
    };
    CUresult result =
        teeny_cuda.device_get_name(device->base.model, sizeof device->base.model, device->handle);
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuDeviceGetName");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && result == CUDA_SUCCESS; i++)
        result = teeny_cuda.device_get_attribute(rows[i].value, rows[i].attribute, device->handle);
    device->chip = 10 * major + minor;
    snprintf(device->base.target, sizeof device->base.target, "sm_%d", device->chip);
    return teeny_cuda_status(result, "cuDeviceGetAttribute");
}

/* What is only told: a driver that does not say it does no harm. */
static void measure(teeny_cuda_device *device)
{
    size_t memory = 0;
    CUresult result = teeny_cuda.device_total_memory(&memory, device->handle);
    teeny_cuda_warn(result, "cuDeviceTotalMem");
    device->base.memory = result == CUDA_SUCCESS ? memory : 0;
    device->base.processors = (unsigned)device->multiprocessors;
}

/* Drivers before CUDA 11.2 have neither the functions nor the attribute. */
static int find_pools(CUdevice device)
{
    int has_pools = 0;
    if (!teeny_cuda.memory_allocate_async || !teeny_cuda.memory_free_async)
        return 0;
    CUresult result = teeny_cuda.device_get_attribute(
        &has_pools, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, device);
    teeny_cuda_warn(result, "cuDeviceGetAttribute, of memory pools, which are not used then");
    return result == CUDA_SUCCESS ? has_pools : 0;
}

static teeny_status open_number(teeny_cuda_device *device, int number)
{
    teeny_status status = teeny_cuda_open();
    if (status == TEENY_OK)
        status = check_number(number);
    if (status != TEENY_OK)
        return status;
    CUresult result = teeny_cuda.device_get(&device->handle, number);
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuDeviceGet");
    status = describe(device);
    if (status != TEENY_OK)
        return status;
    measure(device);
    device->has_pools = find_pools(device->handle);
    result = teeny_cuda.primary_context_retain(&device->context, device->handle);
    return result == CUDA_SUCCESS ? TEENY_OK : teeny_cuda_fail(result, "cuDevicePrimaryCtxRetain");
}

static teeny_status device_open(int number, teeny_device **out_device)
{
    teeny_cuda_device *device = calloc(1, sizeof *device);
    if (!device)
        return teeny_fail_memory();
    teeny_status status = open_number(device, number);
    if (status != TEENY_OK) {
        free(device);
        return status;
    }
    char name[64];
    snprintf(name, sizeof name, "cuda:%d", number);
    teeny_nvtx_name_device(device->handle, name);
    pthread_mutex_init(&device->mutex, NULL);
    pthread_cond_init(&device->unpinned, NULL);
    *out_device = &device->base;
    return TEENY_OK;
}

static void device_close(teeny_device *base)
{
    teeny_cuda_device *device = teeny_cuda_device_of(base);
    teeny_cuda_warn(
        teeny_cuda.primary_context_release(device->handle), "cuDevicePrimaryCtxRelease");
    pthread_cond_destroy(&device->unpinned);
    pthread_mutex_destroy(&device->mutex);
    free(device);
}

static teeny_status device_count(int *out_count)
{
    int count = 0;
    teeny_status status = teeny_cuda_open();
    if (status == TEENY_OK) {
        CUresult result = teeny_cuda.device_get_count(&count);
        if (result != CUDA_SUCCESS)
            return teeny_cuda_fail(result, "cuDeviceGetCount");
    } else if (status != TEENY_NO_DRIVER && status != TEENY_NO_DEVICE) {
        return status;
    }
    *out_count = count;
    return TEENY_OK;
}

static teeny_status device_make_current(teeny_device *device)
{
    return teeny_cuda_status(
        teeny_cuda.context_set_current(teeny_cuda_device_of(device)->context), "cuCtxSetCurrent");
}

static teeny_status device_access(teeny_device *device, teeny_device *peer)
{
    const teeny_cuda_device *other = teeny_cuda_device_of(peer);
    int can = 0;
    CUresult result = teeny_cuda.device_can_access_peer(
        &can, teeny_cuda_device_of(device)->handle, other->handle);
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuDeviceCanAccessPeer");
    if (!can)
        return teeny_fail(TEENY_UNSUPPORTED, "kernels of %s cannot reach the memory of %s: copy it",
            device->name, peer->name);
    TEENY_CUDA_WITH_RELAXED(device, &result, teeny_cuda.context_enable_peer(other->context, 0));
    if (result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
        return TEENY_OK;
    return teeny_cuda_status(result, "cuCtxEnablePeerAccess");
}

const teeny_driver teeny_cuda_driver = {
    .name = "cuda",
    .targets = "sm_",
    .specialises = true,
    .numbered = true,
    .shares_events = true,
    .grid_limit = {INT32_MAX, UINT16_MAX, UINT16_MAX},
    .program_limit = INT64_MAX,
    .device_open = device_open,
    .device_close = device_close,
    .device_synchronize = teeny_cuda_synchronize,
    .device_count = device_count,
    .device_make_current = device_make_current,
    .device_access = device_access,
    .stream_create = teeny_cuda_stream_create,
    .stream_wrap = teeny_cuda_stream_wrap,
    .stream_native = teeny_cuda_stream_native,
    .stream_destroy = teeny_cuda_stream_destroy,
    .stream_synchronize = teeny_cuda_stream_synchronize,
    .stream_query = teeny_cuda_stream_query,
    .stream_wait = teeny_cuda_stream_wait,
    .stream_call = teeny_cuda_stream_call,
    .stream_priorities = teeny_cuda_stream_priorities,
    .event_create = teeny_cuda_event_create,
    .event_wrap = teeny_cuda_event_wrap,
    .event_native = teeny_cuda_event_native,
    .event_destroy = teeny_cuda_event_destroy,
    .event_record = teeny_cuda_event_record,
    .event_synchronize = teeny_cuda_event_synchronize,
    .event_query = teeny_cuda_event_query,
    .event_elapsed = teeny_cuda_event_elapsed,
    .memory_allocate = teeny_cuda_memory_allocate,
    .memory_free = teeny_cuda_memory_free,
    .memory_allocate_async = teeny_cuda_memory_allocate_async,
    .memory_free_async = teeny_cuda_memory_free_async,
    .host_allocate = teeny_cuda_host_allocate,
    .host_free = teeny_cuda_host_free,
    .host_register = teeny_cuda_host_register,
    .host_unregister = teeny_cuda_host_unregister,
    .copy = teeny_cuda_copy,
    .fill = teeny_cuda_fill,
    .code_load = teeny_cuda_code_load,
    .code_unload = teeny_cuda_code_unload,
    .code_resources = teeny_cuda_code_resources,
    .launch = teeny_cuda_launch,
    .launch_with = teeny_cuda_launch_with,
    .graphs = &teeny_cuda_graphs,
};
