/* The CUDA driver as a program calls it that knows nothing of libteeny; opened by gpu_check. */
#ifndef TEENY_TESTS_STREAMS_RAW_H
#define TEENY_TESTS_STREAMS_RAW_H

#include <stddef.h>
#include <stdint.h>

/* X(member, symbol, parameters) */
#define RAW_TABLE(X)                                                                               \
    X(device_get, cuDeviceGet, (int *out, int number))                                             \
    X(primary_retain, cuDevicePrimaryCtxRetain, (void **out, int device))                          \
    X(primary_release, cuDevicePrimaryCtxRelease_v2, (int device))                                 \
    X(context_create, cuCtxCreate_v2, (void **out, unsigned flags, int device))                    \
    X(context_destroy, cuCtxDestroy_v2, (void *context))                                           \
    X(get_current, cuCtxGetCurrent, (void **out))                                                  \
    X(set_current, cuCtxSetCurrent, (void *context))                                               \
    X(stream_create, cuStreamCreate, (void **out, unsigned flags))                                 \
    X(stream_destroy, cuStreamDestroy_v2, (void *stream))                                          \
    X(stream_synchronize, cuStreamSynchronize, (void *stream))                                     \
    X(begin_capture, cuStreamBeginCapture_v2, (void *stream, int mode))                            \
    X(end_capture, cuStreamEndCapture, (void *stream, void **out))                                 \
    X(is_capturing, cuStreamIsCapturing, (void *stream, int *out))                                 \
    X(graph_instantiate, cuGraphInstantiateWithFlags,                                              \
        (void **out, void *graph, unsigned long long flags))                                       \
    X(graph_launch, cuGraphLaunch, (void *graph, void *stream))                                    \
    X(graph_exec_destroy, cuGraphExecDestroy, (void *graph))                                       \
    X(graph_destroy, cuGraphDestroy, (void *graph))                                                \
    X(event_create, cuEventCreate, (void **out, unsigned flags))                                   \
    X(event_record, cuEventRecord, (void *event, void *stream))                                    \
    X(event_destroy, cuEventDestroy_v2, (void *event))                                             \
    X(allocate, cuMemAlloc_v2, (uint64_t *out, size_t size))                                       \
    X(free_memory, cuMemFree_v2, (uint64_t pointer))                                               \
    X(fill, cuMemsetD32_v2, (uint64_t pointer, unsigned value, size_t count))                      \
    X(read, cuMemcpyDtoH_v2, (void *to, uint64_t from, size_t size))

#define RAW_MEMBER(member, symbol, parameters) int(*member) parameters;
typedef struct raw_driver {
    RAW_TABLE(RAW_MEMBER)
} raw_driver;
#undef RAW_MEMBER

extern raw_driver raw;

/* Fills the table and makes the primary context of the device's GPU current. False: the check has
 * failed. raw_close puts back what was current. */
bool raw_open(void);
void raw_close(void);

/* The primary context. */
extern void *raw_context;

/* Ends the check where a call of the driver gives another result. */
#define RAW_GIVES(expected, call)                                                                  \
    do {                                                                                           \
        int result_ = (call);                                                                      \
        REQUIRE(result_ == (expected), "%s gives %d, not %d", #call, result_, expected);           \
    } while (0)
#define RAW(call) RAW_GIVES(0, call)

#endif
