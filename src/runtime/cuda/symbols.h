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
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUgraphNode_st *CUgraphNode;

enum { /* CUresult */
    CUDA_SUCCESS = 0,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_INVALID_PTX = 218,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
    CUDA_ERROR_INVALID_CLUSTER_SIZE = 912,
};

enum { /* CUdevice_attribute */
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
};

enum { /* CUfunction_attribute */
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
    CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
};

enum { CU_STREAM_NON_BLOCKING = 1 };         /* CUstream_flags */
enum { CU_EVENT_DISABLE_TIMING = 2 };        /* CUevent_flags */
enum { CU_MEMHOSTALLOC_PORTABLE = 1 };       /* for all contexts */
enum { CU_MEMHOSTREGISTER_PORTABLE = 1 };    /* the same */
enum { CU_STREAM_CAPTURE_MODE_RELAXED = 2 }; /* CUstreamCaptureMode */
enum { CU_STREAM_CAPTURE_STATUS_NONE = 0 };  /* CUstreamCaptureStatus */
enum { CU_JIT_INPUT_PTX = 1 };               /* CUjitInputType */

/* The default streams, where a handle is asked for. */
#define CU_STREAM_LEGACY ((CUstream)1)
#define CU_STREAM_PER_THREAD ((CUstream)2)

enum { /* CUlaunchAttributeID */
    CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
    CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
    CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
};

typedef struct CUlaunchAttribute {
    int id;
    char padding[4];
    union {
        char padding[64];
        int is_on; /* of the cooperative and the programmatic one */
        struct {
            unsigned x, y, z;
        } cluster;
    } value;
} CUlaunchAttribute;

typedef struct CUlaunchConfig {
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
    CUstream stream;
    CUlaunchAttribute *attributes;
    unsigned attribute_count;
} CUlaunchConfig;

typedef struct CUgraphExecUpdateResultInfo {
    int result;
    CUgraphNode node, from;
} CUgraphExecUpdateResultInfo;

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
    X(device_total_memory, cuDeviceTotalMem_v2, (size_t *bytes, CUdevice device))                  \
    X(primary_context_retain, cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))    \
    X(primary_context_release, cuDevicePrimaryCtxRelease_v2, (CUdevice device))                    \
    X(context_get_current, cuCtxGetCurrent, (CUcontext * context))                                 \
    X(context_set_current, cuCtxSetCurrent, (CUcontext context))                                   \
    X(context_priorities, cuCtxGetStreamPriorityRange, (int *least, int *greatest))                \
    X(context_enable_peer, cuCtxEnablePeerAccess, (CUcontext peer, unsigned flags))                \
    X(device_can_access_peer, cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer))   \
    X(stream_create, cuStreamCreate, (CUstream * stream, unsigned flags))                          \
    X(stream_create_with_priority, cuStreamCreateWithPriority,                                     \
        (CUstream * stream, unsigned flags, int priority))                                         \
    X(stream_context, cuStreamGetCtx, (CUstream stream, CUcontext * context))                      \
    X(stream_query, cuStreamQuery, (CUstream stream))                                              \
    X(stream_wait_event, cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))      \
    X(stream_call, cuLaunchHostFunc, (CUstream stream, void (*function)(void *user), void *user))  \
    X(stream_begin_capture, cuStreamBeginCapture_v2, (CUstream stream, int mode))                  \
    X(stream_end_capture, cuStreamEndCapture, (CUstream stream, CUgraph * graph))                  \
    X(stream_is_capturing, cuStreamIsCapturing, (CUstream stream, int *status))                    \
    X(thread_exchange_capture_mode, cuThreadExchangeStreamCaptureMode, (int *mode))                \
    X(event_create, cuEventCreate, (CUevent * event, unsigned flags))                              \
    X(event_destroy, cuEventDestroy_v2, (CUevent event))                                           \
    X(event_record, cuEventRecord, (CUevent event, CUstream stream))                               \
    X(event_synchronize, cuEventSynchronize, (CUevent event))                                      \
    X(event_query, cuEventQuery, (CUevent event))                                                  \
    X(event_elapsed, cuEventElapsedTime, (float *milliseconds, CUevent begin, CUevent end))        \
    X(graph_launch, cuGraphLaunch, (CUgraphExec graph, CUstream stream))                           \
    X(graph_destroy, cuGraphDestroy, (CUgraph graph))                                              \
    X(graph_exec_destroy, cuGraphExecDestroy, (CUgraphExec graph))                                 \
    X(stream_destroy, cuStreamDestroy_v2, (CUstream stream))                                       \
    X(stream_synchronize, cuStreamSynchronize, (CUstream stream))                                  \
    X(memory_allocate, cuMemAlloc_v2, (CUdeviceptr * pointer, size_t size))                        \
    X(memory_free, cuMemFree_v2, (CUdeviceptr pointer))                                            \
    X(copy_to_device, cuMemcpyHtoDAsync_v2,                                                        \
        (CUdeviceptr destination, const void *source, size_t size, CUstream stream))               \
    X(copy_from_device, cuMemcpyDtoHAsync_v2,                                                      \
        (void *destination, CUdeviceptr source, size_t size, CUstream stream))                     \
    X(copy_on_device, cuMemcpyDtoDAsync_v2,                                                        \
        (CUdeviceptr destination, CUdeviceptr source, size_t size, CUstream stream))               \
    X(copy_between_devices, cuMemcpyPeerAsync,                                                     \
        (CUdeviceptr destination, CUcontext destination_context, CUdeviceptr source,               \
            CUcontext source_context, size_t size, CUstream stream))                               \
    X(fill_bytes, cuMemsetD8Async,                                                                 \
        (CUdeviceptr pointer, unsigned char value, size_t count, CUstream stream))                 \
    X(fill_halves, cuMemsetD16Async,                                                               \
        (CUdeviceptr pointer, unsigned short value, size_t count, CUstream stream))                \
    X(fill_words, cuMemsetD32Async,                                                                \
        (CUdeviceptr pointer, unsigned value, size_t count, CUstream stream))                      \
    X(host_allocate, cuMemHostAlloc, (void **pointer, size_t size, unsigned flags))                \
    X(host_free, cuMemFreeHost, (void *pointer))                                                   \
    X(host_register, cuMemHostRegister_v2, (void *pointer, size_t size, unsigned flags))           \
    X(host_unregister, cuMemHostUnregister, (void *pointer))                                       \
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
    X(function_get_attribute, cuFuncGetAttribute,                                                  \
        (int *value, int attribute, CUfunction function))                                          \
    X(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor,                                      \
        (int *blocks, CUfunction function, int threads, size_t shared_bytes))                      \
    X(launch_kernel, cuLaunchKernel,                                                               \
        (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, \
            unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream,            \
            void **parameters, void **extra))

/* Y(member, symbol, parameters): what drivers may lack; NULL where they do. cuMemAllocAsync came
 * with CUDA 11.2, cuGraphInstantiateWithFlags with 11.4, cuLaunchKernelEx with 11.8 and
 * cuGraphExecUpdate_v2 with 12.0. */
#define TEENY_CUDA_OPTIONAL_TABLE(Y)                                                               \
    Y(memory_allocate_async, cuMemAllocAsync,                                                      \
        (CUdeviceptr * pointer, size_t size, CUstream stream))                                     \
    Y(memory_free_async, cuMemFreeAsync, (CUdeviceptr pointer, CUstream stream))                   \
    Y(graph_instantiate, cuGraphInstantiateWithFlags,                                              \
        (CUgraphExec * graph, CUgraph capture, unsigned long long flags))                          \
    Y(graph_instantiate_2, cuGraphInstantiate_v2,                                                  \
        (CUgraphExec * graph, CUgraph capture, CUgraphNode * error, char *log, size_t size))       \
    Y(graph_update, cuGraphExecUpdate_v2,                                                          \
        (CUgraphExec graph, CUgraph capture, CUgraphExecUpdateResultInfo * info))                  \
    Y(graph_update_1, cuGraphExecUpdate,                                                           \
        (CUgraphExec graph, CUgraph capture, CUgraphNode * error, int *result))                    \
    Y(launch_kernel_with, cuLaunchKernelEx,                                                        \
        (const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra))

#define TEENY_CUDA_MEMBER(member, symbol, parameters) CUresult(*member) parameters;
typedef struct teeny_cuda_symbols {
    TEENY_CUDA_TABLE(TEENY_CUDA_MEMBER)
    TEENY_CUDA_OPTIONAL_TABLE(TEENY_CUDA_MEMBER)
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

/* The file that the driver library was loaded from; NULL where there is none. */
const char *teeny_cuda_library(void);
/* What follows takes a negative result for its positive, met when the device's context was to be
 * made current for `call` (teeny_cuda_enter). */

/* Adds what the result means, and what to do about it. */
void teeny_cuda_describe(CUresult result, const char *call, teeny_string *text);

/* The status that goes with it. */
teeny_status teeny_cuda_meaning(CUresult result);

/* Reports that the driver lacks a function, which came with CUDA `since`, for what is wanted. */
teeny_status teeny_cuda_fail_missing(const char *symbol, const char *since, const char *wanted);

/* Reports that `call` failed. */
teeny_status teeny_cuda_fail(CUresult result, const char *call);

/* The same for the log, where there is nobody to report to; nothing where the call succeeded. */
void teeny_cuda_warn(CUresult result, const char *call);

#endif
