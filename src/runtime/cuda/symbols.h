/* The CUDA driver's functions that libteeny calls, as one table filled by dlopen.
 *
 * Written from the driver API's public reference: no CUDA header is needed to build. Only files in
 * this directory name a CU type.
 */
#ifndef TEENY_RUNTIME_CUDA_SYMBOLS_H
#define TEENY_RUNTIME_CUDA_SYMBOLS_H

#include "base/string_builder.h"

#include <stddef.h>
#include <teeny/status.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlinkState_st *CUlinkState;

enum { /* CUresult */
    CUDA_SUCCESS = 0,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_INVALID_PTX = 218,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
};

enum { /* CUdevice_attribute */
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
};

enum { CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 }; /* CUfunction_attribute */
enum { CU_STREAM_NON_BLOCKING = 1 };                          /* CUstream_flags */
enum { CU_JIT_INPUT_PTX = 1 };                                /* CUjitInputType */

enum { /* CUjit_option */
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    CU_JIT_TARGET_FROM_CUCONTEXT = 8,
    CU_JIT_GENERATE_LINE_INFO = 13,
};

/* What the `extra` of cuLaunchKernel is made of. */
#define CU_LAUNCH_PARAM_END ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)

/* X(member, symbol, parameters): the symbol is the current version of the function. */
#define TEENY_CUDA_TABLE(X)                                                                        \
    X(init, cuInit, (unsigned flags))                                                              \
    X(get_error_name, cuGetErrorName, (CUresult error, const char **name))                         \
    X(get_error_string, cuGetErrorString, (CUresult error, const char **text))                     \
    X(driver_get_version, cuDriverGetVersion, (int *version))                                      \
    X(device_get_count, cuDeviceGetCount, (int *count))                                            \
    X(device_get, cuDeviceGet, (CUdevice * device, int ordinal))                                   \
    X(device_get_name, cuDeviceGetName, (char *name, int length, CUdevice device))                 \
    X(device_get_attribute, cuDeviceGetAttribute, (int *value, int attribute, CUdevice device))    \
    X(primary_context_retain, cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))    \
    X(primary_context_release, cuDevicePrimaryCtxRelease_v2, (CUdevice device))                    \
    X(context_get_current, cuCtxGetCurrent, (CUcontext * context))                                 \
    X(context_set_current, cuCtxSetCurrent, (CUcontext context))                                   \
    X(context_synchronize, cuCtxSynchronize, (void))                                               \
    X(stream_create, cuStreamCreate, (CUstream * stream, unsigned flags))                          \
    X(stream_destroy, cuStreamDestroy_v2, (CUstream stream))                                       \
    X(stream_synchronize, cuStreamSynchronize, (CUstream stream))                                  \
    X(memory_allocate, cuMemAlloc_v2, (CUdeviceptr * pointer, size_t size))                        \
    X(memory_free, cuMemFree_v2, (CUdeviceptr pointer))                                            \
    X(copy_to_device, cuMemcpyHtoDAsync_v2,                                                        \
        (CUdeviceptr destination, const void *source, size_t size, CUstream stream))               \
    X(copy_from_device, cuMemcpyDtoHAsync_v2,                                                      \
        (void *destination, CUdeviceptr source, size_t size, CUstream stream))                     \
    X(link_create, cuLinkCreate_v2,                                                                \
        (unsigned option_count, int *options, void **values, CUlinkState *state))                  \
    X(link_add_data, cuLinkAddData_v2,                                                             \
        (CUlinkState state, int type, void *data, size_t size, const char *name,                   \
            unsigned option_count, int *options, void **values))                                   \
    X(link_complete, cuLinkComplete, (CUlinkState state, void **cubin, size_t *size))              \
    X(link_destroy, cuLinkDestroy, (CUlinkState state))                                            \
    X(module_load_data, cuModuleLoadData, (CUmodule * module, const void *image))                  \
    X(module_unload, cuModuleUnload, (CUmodule module))                                            \
    X(module_get_function, cuModuleGetFunction,                                                    \
        (CUfunction * function, CUmodule module, const char *name))                                \
    X(function_set_attribute, cuFuncSetAttribute, (CUfunction function, int attribute, int value)) \
    X(launch_kernel, cuLaunchKernel,                                                               \
        (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, \
            unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream,            \
            void **parameters, void **extra))

#define TEENY_CUDA_MEMBER(member, symbol, parameters) CUresult(*member) parameters;
typedef struct teeny_cuda_symbols {
    TEENY_CUDA_TABLE(TEENY_CUDA_MEMBER)
} teeny_cuda_symbols;
#undef TEENY_CUDA_MEMBER

/* The table, once it was opened. */
extern teeny_cuda_symbols teeny_cuda;

/* Opens the driver library and starts the driver, where that has not been done. Not thread-safe:
 * device.c of libteeny opens one device at a time. Errors: TEENY_NO_DRIVER, TEENY_DRIVER_TOO_OLD,
 * TEENY_NO_DEVICE, TEENY_OUT_OF_MEMORY. */
teeny_status teeny_cuda_open(void);

/* The version of CUDA that the driver is for, as it counts: 13000 is 13.0. */
int teeny_cuda_version(void);

/* What follows takes a negative result for its positive, met when the device's context was to be
 * made current for `call` (teeny_cuda_enter). */

/* Adds what the result means, and what to do about it. */
void teeny_cuda_describe(CUresult result, const char *call, teeny_string *text);

/* The status that goes with it. */
teeny_status teeny_cuda_status(CUresult result);

/* Reports that `call` failed. */
teeny_status teeny_cuda_fail(CUresult result, const char *call);

/* The same for the log, where there is nobody to report to; nothing where the call succeeded. */
void teeny_cuda_warn(CUresult result, const char *call);

#endif
