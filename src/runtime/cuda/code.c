/* Kernels on a CUDA device: PTX or a kept cubin becomes a function that can be launched. */
#include "runtime/cuda/cubin.h"
#include "runtime/report.h"

#include <stdlib.h>

enum {
    WARP_SIZE = 32,
    MOST_WARPS = 32,
    PLAIN_SHARED_BYTES = 48 * 1024, /* more must be asked for */
};

static teeny_status find_function(teeny_cuda_code *code, const char *entry)
{
    CUresult result = teeny_cuda.module_get_function(&code->function, code->module, entry);
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuModuleGetFunction");
    if (code->shared_bytes <= PLAIN_SHARED_BYTES)
        return TEENY_OK;
    result = teeny_cuda.function_set_attribute(
        code->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)code->shared_bytes);
    return result == CUDA_SUCCESS ? TEENY_OK : teeny_cuda_fail(result, "cuFuncSetAttribute");
}

static CUresult load_cubin(teeny_cuda_code *code, const teeny_bytes *cubin)
{
    return teeny_cuda.module_load_data(&code->module, cubin->data);
}

/* A kept cubin that the driver refuses is made again. */
static teeny_status load_module(
    teeny_cuda_device *device, const teeny_artifact *artifact, teeny_cuda_code *code)
{
    teeny_bytes cubin;
    if (teeny_cubin_read(device, artifact, &cubin)) {
        CUresult result = load_cubin(code, &cubin);
        teeny_bytes_free(&cubin);
        if (result == CUDA_SUCCESS)
            return TEENY_OK;
        teeny_cuda_warn(result, "cuModuleLoadData, of a kept cubin, which is made again");
    }
    teeny_status status = teeny_cubin_make(device, artifact, &cubin);
    if (status != TEENY_OK)
        return status;
    CUresult result = load_cubin(code, &cubin);
    teeny_bytes_free(&cubin);
    return result == CUDA_SUCCESS ? TEENY_OK : teeny_cuda_fail(result, "cuModuleLoadData");
}

static teeny_status load(
    teeny_cuda_device *device, const teeny_artifact *artifact, teeny_cuda_code *code)
{
    const teeny_metadata *metadata = &artifact->metadata;
    if (metadata->num_warps < 1 || metadata->num_warps > MOST_WARPS)
        return teeny_fail(TEENY_ARTIFACT_INVALID, "kernel `%s` has %u warps, not 1 to %d",
            artifact->stem, metadata->num_warps, MOST_WARPS);
    code->base.device = &device->base;
    code->threads = metadata->num_warps * WARP_SIZE;
    code->shared_bytes = metadata->shared_bytes;
    code->parameter_bytes = metadata->parameters_end;
    teeny_status status = load_module(device, artifact, code);
    if (status != TEENY_OK)
        return status;
    status = find_function(code, metadata->entry);
    if (status != TEENY_OK)
        teeny_cuda_warn(teeny_cuda.module_unload(code->module), "cuModuleUnload");
    return status;
}

teeny_status teeny_cuda_code_load(
    teeny_device *device, const teeny_artifact *artifact, teeny_code **out_code)
{
    teeny_cuda_device *own = teeny_cuda_device_of(device);
    teeny_cuda_code *code = calloc(1, sizeof *code);
    if (!code)
        return teeny_fail_memory();
    CUcontext before;
    CUresult result = teeny_cuda_enter(own, &before);
    teeny_status status = result == CUDA_SUCCESS ? load(own, artifact, code)
                                                 : teeny_cuda_fail(result, "cuModuleLoadData");
    if (result == CUDA_SUCCESS)
        teeny_cuda_leave(own, before);
    if (status == TEENY_OK)
        *out_code = &code->base;
    else
        free(code);
    return status;
}

void teeny_cuda_code_unload(teeny_code *code)
{
    teeny_cuda_code *own = (teeny_cuda_code *)code;
    teeny_cuda_device *device = teeny_cuda_device_of(code->device);
    CUcontext before;
    CUresult result = teeny_cuda_enter(device, &before);
    if (result == CUDA_SUCCESS) {
        /* A launch may still be using it. */
        teeny_cuda_warn(teeny_cuda.context_synchronize(), "cuCtxSynchronize");
        result = teeny_cuda.module_unload(own->module);
        teeny_cuda_leave(device, before);
    }
    teeny_cuda_warn(result, "cuModuleUnload");
    free(own);
}
