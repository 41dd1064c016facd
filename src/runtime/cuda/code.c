/* Kernels on a CUDA device: PTX or a kept cubin becomes a function that can be launched. */
#include "runtime/cuda/cubin.h"
#include "runtime/report.h"

#include <stdlib.h>
#include <string.h>

enum { WARP_SIZE = 32, MOST_WARPS = 32 };

static teeny_status find_function(teeny_cuda_code *code, const char *entry)
{
    CUresult result = teeny_cuda.module_get_function(&code->function, code->module, entry);
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuModuleGetFunction");
    if (code->shared_bytes <= TEENY_CUDA_PLAIN_SHARED_BYTES)
        return TEENY_OK;
    result = teeny_cuda.function_set_attribute(
        code->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)code->shared_bytes);
    return result == CUDA_SUCCESS ? TEENY_OK : teeny_cuda_fail(result, "cuFuncSetAttribute");
}

static CUresult load_cubin(teeny_cuda_code *code, const teeny_bytes *cubin)
{
    return teeny_cuda.module_load_data(&code->module, cubin->data);
}

static teeny_status load_given_cubin(const teeny_artifact *artifact, teeny_cuda_code *code)
{
    CUresult result = load_cubin(code, teeny_artifact_code(artifact));
    return result == CUDA_SUCCESS ? TEENY_OK : teeny_cuda_fail(result, "cuModuleLoadData");
}

/* A kept cubin that the driver refuses is made again. */
static teeny_status load_module(
    teeny_cuda_device *device, const teeny_artifact *artifact, teeny_cuda_code *code)
{
    teeny_bytes cubin;
    if (strcmp(artifact->object, "cubin") == 0)
        return load_given_cubin(artifact, code);
    if (teeny_cubin_read(device, artifact, &cubin)) {
        CUresult result = load_cubin(code, &cubin);
        teeny_bytes_free(&cubin);
        if (result == CUDA_SUCCESS) {
            code->base.origin = "the kept cubin";
            return TEENY_OK;
        }
        teeny_cuda_warn(result, "cuModuleLoadData, of a kept cubin, which is made again");
    }
    code->base.origin = "PTX that the driver compiled";
    teeny_status status = teeny_cubin_make(device, artifact, &cubin);
    if (status != TEENY_OK)
        return status;
    CUresult result = load_cubin(code, &cubin);
    teeny_bytes_free(&cubin);
    return result == CUDA_SUCCESS ? TEENY_OK : teeny_cuda_fail(result, "cuModuleLoadData");
}

static teeny_status fail_shared(const teeny_cuda_device *device, const teeny_artifact *artifact)
{
    return teeny_fail(TEENY_ARTIFACT_INVALID,
        "kernel `%s` takes %u bytes of shared memory; %s, a %s, gives a program at most %d: make "
        "its tiles or num_stages smaller",
        artifact->stem, artifact->metadata.shared_bytes, device->base.name, device->base.model,
        device->shared_limit);
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
    if (metadata->shared_bytes > (unsigned)device->shared_limit)
        return fail_shared(device, artifact);
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
    teeny_cuda_visit visit;
    CUresult result = teeny_cuda_enter_relaxed(own, &visit);
    teeny_status status = result == CUDA_SUCCESS ? load(own, artifact, code)
                                                 : teeny_cuda_fail(result, "cuModuleLoadData");
    if (result == CUDA_SUCCESS)
        teeny_cuda_leave_relaxed(own, &visit);
    if (status == TEENY_OK)
        *out_code = &code->base;
    else
        free(code);
    return status;
}

void teeny_cuda_code_unload(teeny_code *code)
{
    teeny_cuda_code *own = (teeny_cuda_code *)code;
    CUresult result;
    teeny_cuda_synchronize(code->device); /* a launch may still be using it */
    TEENY_CUDA_WITH_RELAXED(code->device, &result, teeny_cuda.module_unload(own->module));
    teeny_cuda_warn(result, "cuModuleUnload");
    free(own);
}

/* ---- What it takes --------------------------------------------------------------------------- */

static CUresult read_attributes(const teeny_cuda_code *code, teeny_resources *resources)
{
    int shared = 0, active = 0;
    const struct {
        void *value; /* an int, or a uint32_t that is no larger */
        int attribute;
    } rows[] = {
        {&resources->max_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
        {&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES},
        {&resources->constant_bytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES},
        {&resources->local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES},
        {&resources->registers, CU_FUNC_ATTRIBUTE_NUM_REGS},
        {&resources->ptx_version, CU_FUNC_ATTRIBUTE_PTX_VERSION},
        {&resources->binary_version, CU_FUNC_ATTRIBUTE_BINARY_VERSION},
    };
    CUresult result =
        teeny_cuda.occupancy(&active, code->function, (int)code->threads, code->shared_bytes);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && result == CUDA_SUCCESS; i++)
        result =
            teeny_cuda.function_get_attribute(rows[i].value, rows[i].attribute, code->function);
    resources->shared_bytes = code->shared_bytes + (unsigned)shared;
    resources->active_programs = (unsigned)active;
    return result;
}

teeny_status teeny_cuda_code_resources(teeny_code *base, teeny_resources *out_resources)
{
    const teeny_cuda_code *code = (const teeny_cuda_code *)base;
    CUresult result;
    out_resources->num_warps = code->threads / WARP_SIZE;
    out_resources->threads = code->threads;
    out_resources->multiprocessors = (unsigned)teeny_cuda_device_of(base->device)->multiprocessors;
    TEENY_CUDA_WITH_RELAXED(base->device, &result, read_attributes(code, out_resources));
    return teeny_cuda_status(
        result, "cuOccupancyMaxActiveBlocksPerMultiprocessor and cuFuncGetAttribute");
}
