/* Memory of a CUDA device and pinned memory of the host, copies and fills. */
#include "runtime/cuda/context.h"
#include "runtime/report.h"

#include <stdint.h>

static CUdeviceptr address_of(const void *pointer)
{
    return (uintptr_t)pointer;
}

/* ---- Device memory --------------------------------------------------------------------------- */

teeny_status teeny_cuda_memory_allocate(teeny_device *device, size_t size, void **out_pointer)
{
    CUdeviceptr pointer = 0;
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(device, &result, teeny_cuda.memory_allocate(&pointer, size));
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuMemAlloc");
    *out_pointer = (void *)(uintptr_t)pointer;
    return TEENY_OK;
}

/* Memory of a pool is free at once, whoever still uses it. */
void teeny_cuda_memory_free(teeny_device *device, void *pointer)
{
    CUresult result;
    teeny_cuda_synchronize(device);
    TEENY_CUDA_WITH_RELAXED(device, &result, teeny_cuda.memory_free(address_of(pointer)));
    teeny_cuda_warn(result, "cuMemFree");
}

teeny_status teeny_cuda_memory_allocate_async(teeny_stream *stream, size_t size, void **out_pointer)
{
    CUdeviceptr pointer = 0;
    CUresult result;
    if (!teeny_cuda_device_of(stream->device)->has_pools)
        return teeny_cuda_memory_allocate(stream->device, size, out_pointer);
    TEENY_CUDA_WITH_RELAXED(stream->device, &result,
        teeny_cuda.memory_allocate_async(&pointer, size, teeny_cuda_stream_of(stream)->handle));
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuMemAllocAsync");
    *out_pointer = (void *)(uintptr_t)pointer;
    return TEENY_OK;
}

teeny_status teeny_cuda_memory_free_async(teeny_stream *stream, void *pointer)
{
    CUresult result;
    if (!teeny_cuda_device_of(stream->device)->has_pools) {
        teeny_cuda_memory_free(stream->device, pointer);
        return TEENY_OK;
    }
    TEENY_CUDA_WITH_RELAXED(stream->device, &result,
        teeny_cuda.memory_free_async(address_of(pointer), teeny_cuda_stream_of(stream)->handle));
    return teeny_cuda_status(result, "cuMemFreeAsync");
}

/* ---- The host's memory ----------------------------------------------------------------------- */

teeny_status teeny_cuda_host_allocate(teeny_device *device, size_t size, void **out_pointer)
{
    void *pointer = NULL;
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(
        device, &result, teeny_cuda.host_allocate(&pointer, size, CU_MEMHOSTALLOC_PORTABLE));
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuMemHostAlloc");
    *out_pointer = pointer;
    return TEENY_OK;
}

void teeny_cuda_host_free(teeny_device *device, void *pointer)
{
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(device, &result, teeny_cuda.host_free(pointer));
    teeny_cuda_warn(result, "cuMemFreeHost");
}

teeny_status teeny_cuda_host_register(teeny_device *device, void *pointer, size_t size)
{
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(
        device, &result, teeny_cuda.host_register(pointer, size, CU_MEMHOSTREGISTER_PORTABLE));
    if (result == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "teeny_host_register: a part of the %zu bytes is registered already", size);
    return teeny_cuda_status(result, "cuMemHostRegister");
}

teeny_status teeny_cuda_host_unregister(teeny_device *device, void *pointer)
{
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(device, &result, teeny_cuda.host_unregister(pointer));
    if (result == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "teeny_host_unregister: nothing is registered that begins there");
    return teeny_cuda_status(result, "cuMemHostUnregister");
}

/* ---- Copies ---------------------------------------------------------------------------------- */

static CUcontext context_of(const teeny_place *place)
{
    return teeny_cuda_device_of(place->device)->context;
}

static CUresult copy(CUstream stream, const teeny_place *destination, const teeny_place *source,
    size_t size, const char **out_call)
{
    CUdeviceptr to = address_of(destination->pointer), from = address_of(source->pointer);
    if (!source->device) {
        *out_call = "cuMemcpyHtoDAsync";
        return teeny_cuda.copy_to_device(to, source->pointer, size, stream);
    }
    if (!destination->device) {
        *out_call = "cuMemcpyDtoHAsync";
        return teeny_cuda.copy_from_device(destination->pointer, from, size, stream);
    }
    if (destination->device == source->device) {
        *out_call = "cuMemcpyDtoDAsync";
        return teeny_cuda.copy_on_device(to, from, size, stream);
    }
    *out_call = "cuMemcpyPeerAsync";
    return teeny_cuda.copy_between_devices(
        to, context_of(destination), from, context_of(source), size, stream);
}

teeny_status teeny_cuda_copy(
    teeny_stream *stream, const teeny_place *destination, const teeny_place *source, size_t size)
{
    const char *call = "a copy";
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(stream->device, &result,
        copy(teeny_cuda_stream_of(stream)->handle, destination, source, size, &call));
    return teeny_cuda_status(result, call);
}

static CUresult fill_units(CUstream stream, const teeny_fill *fill)
{
    CUdeviceptr to = address_of(fill->pointer);
    size_t count = fill->size / fill->unit;
    switch (fill->unit) {
    case 1:
        return teeny_cuda.fill_bytes(to, (unsigned char)fill->pattern, count, stream);
    case 2:
        return teeny_cuda.fill_halves(to, (unsigned short)fill->pattern, count, stream);
    default:
        return teeny_cuda.fill_words(to, fill->pattern, count, stream);
    }
}

teeny_status teeny_cuda_fill(teeny_stream *stream, const teeny_fill *fill)
{
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(
        stream->device, &result, fill_units(teeny_cuda_stream_of(stream)->handle, fill));
    return teeny_cuda_status(result, "cuMemsetD8Async, cuMemsetD16Async or cuMemsetD32Async");
}
