/* The cuda devices: the primary context of each GPU, its streams, memory and launches. */
#include "runtime/cuda/context.h"
#include "runtime/report.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A driver call with the device's context current; the thread's own is put back. */
#define WITH_CONTEXT(device, out_result, call)                                                     \
    do {                                                                                           \
        CUcontext before_;                                                                         \
        const teeny_cuda_device *device_ = teeny_cuda_device_of(device);                           \
        *(out_result) = teeny_cuda_enter(device_, &before_);                                       \
        if (*(out_result) == CUDA_SUCCESS) {                                                       \
            *(out_result) = (call);                                                                \
            teeny_cuda_leave(device_, before_);                                                    \
        }                                                                                          \
    } while (0)

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

static teeny_status get_attribute(const teeny_cuda_device *device, int attribute, int *out_value)
{
    CUresult result = teeny_cuda.device_get_attribute(out_value, attribute, device->handle);
    return result == CUDA_SUCCESS ? TEENY_OK : teeny_cuda_fail(result, "cuDeviceGetAttribute");
}

static teeny_status describe(teeny_cuda_device *device)
{
    int major = 0, minor = 0;
    CUresult result =
        teeny_cuda.device_get_name(device->base.model, sizeof device->base.model, device->handle);
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuDeviceGetName");
    teeny_status status =
        get_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major);
    if (status == TEENY_OK)
        status = get_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor);
    snprintf(device->base.target, sizeof device->base.target, "sm_%d%d", major, minor);
    return status;
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
    result = teeny_cuda.primary_context_retain(&device->context, device->handle);
    return result == CUDA_SUCCESS ? TEENY_OK : teeny_cuda_fail(result, "cuDevicePrimaryCtxRetain");
}

static teeny_status device_open(int number, teeny_device **out_device)
{
    teeny_cuda_device *device = calloc(1, sizeof *device);
    if (!device)
        return teeny_fail_memory();
    teeny_status status = open_number(device, number);
    if (status == TEENY_OK)
        *out_device = &device->base;
    else
        free(device);
    return status;
}

/* Threads that got the context from teeny_cuda_enter may still have it as their current one, as
 * with any other user of the primary context. */
static void device_close(teeny_device *base)
{
    teeny_cuda_warn(teeny_cuda.primary_context_release(teeny_cuda_device_of(base)->handle),
        "cuDevicePrimaryCtxRelease");
    free(base);
}

static void device_synchronize(teeny_device *device)
{
    CUresult result;
    WITH_CONTEXT(device, &result, teeny_cuda.context_synchronize());
    teeny_cuda_warn(result, "cuCtxSynchronize");
}

static teeny_status stream_create(teeny_device *device, teeny_stream **out_stream)
{
    teeny_cuda_stream *stream = calloc(1, sizeof *stream);
    CUresult result;
    if (!stream)
        return teeny_fail_memory();
    WITH_CONTEXT(
        device, &result, teeny_cuda.stream_create(&stream->handle, CU_STREAM_NON_BLOCKING));
    if (result != CUDA_SUCCESS) {
        free(stream);
        return teeny_cuda_fail(result, "cuStreamCreate");
    }
    *out_stream = &stream->base;
    return TEENY_OK;
}

static CUresult synchronize(teeny_stream *stream)
{
    CUresult result;
    WITH_CONTEXT(stream->device, &result,
        teeny_cuda.stream_synchronize(teeny_cuda_stream_of(stream)->handle));
    return result;
}

static teeny_status stream_synchronize(teeny_stream *stream)
{
    CUresult result = synchronize(stream);
    return result == CUDA_SUCCESS ? TEENY_OK : teeny_cuda_fail(result, "cuStreamSynchronize");
}

static void *stream_native(const teeny_stream *stream)
{
    return ((const teeny_cuda_stream *)stream)->handle;
}

static void stream_destroy(teeny_stream *stream)
{
    CUresult result;
    teeny_cuda_warn(synchronize(stream), "cuStreamSynchronize");
    WITH_CONTEXT(
        stream->device, &result, teeny_cuda.stream_destroy(teeny_cuda_stream_of(stream)->handle));
    teeny_cuda_warn(result, "cuStreamDestroy");
    free(stream);
}

static teeny_status memory_allocate(teeny_device *device, size_t size, void **out_pointer)
{
    CUdeviceptr pointer = 0;
    CUresult result;
    WITH_CONTEXT(device, &result, teeny_cuda.memory_allocate(&pointer, size));
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuMemAlloc");
    *out_pointer = (void *)(uintptr_t)pointer;
    return TEENY_OK;
}

static void memory_free(teeny_device *device, void *pointer)
{
    CUresult result;
    WITH_CONTEXT(device, &result, teeny_cuda.memory_free((uintptr_t)pointer));
    teeny_cuda_warn(result, "cuMemFree");
}

static teeny_status finish_copy(teeny_stream *stream, CUresult result, const char *call)
{
    return result == CUDA_SUCCESS ? stream_synchronize(stream) : teeny_cuda_fail(result, call);
}

static teeny_status copy_to_device(
    teeny_stream *stream, void *destination, const void *source, size_t size)
{
    CUresult result;
    WITH_CONTEXT(stream->device, &result,
        teeny_cuda.copy_to_device(
            (uintptr_t)destination, source, size, teeny_cuda_stream_of(stream)->handle));
    return finish_copy(stream, result, "cuMemcpyHtoDAsync");
}

static teeny_status copy_from_device(
    teeny_stream *stream, void *destination, const void *source, size_t size)
{
    CUresult result;
    WITH_CONTEXT(stream->device, &result,
        teeny_cuda.copy_from_device(
            destination, (uintptr_t)source, size, teeny_cuda_stream_of(stream)->handle));
    return finish_copy(stream, result, "cuMemcpyDtoHAsync");
}

static teeny_status launch(
    teeny_stream *stream, teeny_code *base, const teeny_grid *grid, const void *arguments)
{
    const teeny_cuda_code *code = (const teeny_cuda_code *)base;
    size_t size = code->parameter_bytes;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)arguments, CU_LAUNCH_PARAM_BUFFER_SIZE,
        &size, CU_LAUNCH_PARAM_END};
    CUresult result;
    WITH_CONTEXT(stream->device, &result,
        teeny_cuda.launch_kernel(code->function, (unsigned)grid->x, (unsigned)grid->y,
            (unsigned)grid->z, code->threads, 1, 1, code->shared_bytes,
            teeny_cuda_stream_of(stream)->handle, NULL, extra));
    return result == CUDA_SUCCESS ? TEENY_OK : teeny_cuda_fail(result, "cuLaunchKernel");
}

const teeny_driver teeny_cuda_driver = {
    .name = "cuda",
    .targets = "sm_",
    .specialises = true,
    .numbered = true,
    .grid_limit = {INT32_MAX, UINT16_MAX, UINT16_MAX},
    .program_limit = INT64_MAX,
    .device_open = device_open,
    .device_close = device_close,
    .device_synchronize = device_synchronize,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_synchronize = stream_synchronize,
    .stream_native = stream_native,
    .memory_allocate = memory_allocate,
    .memory_free = memory_free,
    .copy_to_device = copy_to_device,
    .copy_from_device = copy_from_device,
    .code_load = teeny_cuda_code_load,
    .code_unload = teeny_cuda_code_unload,
    .launch = launch,
};
