/* A CUDA device of libteeny, and how its context is made current. */
#ifndef TEENY_RUNTIME_CUDA_CONTEXT_H
#define TEENY_RUNTIME_CUDA_CONTEXT_H

#include "runtime/cuda/symbols.h"
#include "runtime/driver.h"

typedef struct teeny_cuda_device {
    teeny_device base;
    CUdevice handle;
    CUcontext context; /* the primary one, which the program's other users of CUDA share */
} teeny_cuda_device;

typedef struct teeny_cuda_stream {
    teeny_stream base;
    CUstream handle;
} teeny_cuda_stream;

typedef struct teeny_cuda_code {
    teeny_code base;
    CUmodule module;
    CUfunction function;
    unsigned threads; /* of a block */
    unsigned shared_bytes;
    size_t parameter_bytes;
} teeny_cuda_code;

static inline teeny_cuda_device *teeny_cuda_device_of(teeny_device *device)
{
    return (teeny_cuda_device *)device;
}

static inline teeny_cuda_stream *teeny_cuda_stream_of(teeny_stream *stream)
{
    return (teeny_cuda_stream *)stream;
}

/* Makes the device's context current to the calling thread. `*out_before` gets the one to put back
 * with teeny_cuda_leave. A thread that had none keeps ours, as with CUDA's own runtime: it saves
 * two calls at each launch. Where it fails the result is negative: see symbols.h. */
static inline CUresult teeny_cuda_enter(const teeny_cuda_device *device, CUcontext *out_before)
{
    CUresult result = teeny_cuda.context_get_current(out_before);
    if (result == CUDA_SUCCESS && *out_before != device->context)
        result = teeny_cuda.context_set_current(device->context);
    return -result;
}

static inline void teeny_cuda_leave(const teeny_cuda_device *device, CUcontext before)
{
    if (before && before != device->context)
        teeny_cuda_warn(teeny_cuda.context_set_current(before),
            "cuCtxSetCurrent, to put the thread's own context back");
}

/* Loads code of the device; `out_code` is freed with teeny_cuda_code_unload (code.c). */
teeny_status teeny_cuda_code_load(
    teeny_device *device, const teeny_artifact *artifact, teeny_code **out_code);
void teeny_cuda_code_unload(teeny_code *code);

#endif
