/* A CUDA device of libteeny, and how its context is made current. */
#ifndef TEENY_RUNTIME_CUDA_CONTEXT_H
#define TEENY_RUNTIME_CUDA_CONTEXT_H

#include "runtime/cuda/symbols.h"
#include "runtime/driver.h"

#include <pthread.h>

enum { TEENY_CUDA_PLAIN_SHARED_BYTES = 48 * 1024 }; /* more must be asked for */

typedef struct teeny_cuda_stream {
    teeny_stream base;
    CUstream handle;
    /* Of the device's list, guarded by its mutex. */
    struct teeny_cuda_stream *next;
    uint64_t serial;
    unsigned pins; /* threads that wait for it, and need it to be there */
} teeny_cuda_stream;

typedef struct teeny_cuda_device {
    teeny_device base;
    CUdevice handle;
    CUcontext context; /* the primary one, which the program's other users of CUDA share */
    int chip;          /* 90 is sm_90 */
    int multiprocessors;
    int shared_limit; /* bytes of a block, when asked for */
    int cooperates;   /* can run all blocks of a grid at once */
    int has_pools;    /* of memory, in the order of streams */
    pthread_mutex_t mutex;
    pthread_cond_t unpinned;
    teeny_cuda_stream *streams; /* the youngest first */
    uint64_t serials;
} teeny_cuda_device;

typedef struct teeny_cuda_event {
    teeny_event base;
    CUevent handle;
} teeny_cuda_event;

typedef struct teeny_cuda_code {
    teeny_code base;
    CUmodule module;
    CUfunction function;
    unsigned threads; /* of a block */
    unsigned shared_bytes;
    size_t parameter_bytes;
    atomic_uint allowances; /* that launches with options have asked for so far (launch.c) */
} teeny_cuda_code;

static inline teeny_cuda_device *teeny_cuda_device_of(teeny_device *device)
{
    return (teeny_cuda_device *)device;
}

static inline teeny_cuda_stream *teeny_cuda_stream_of(teeny_stream *stream)
{
    return (teeny_cuda_stream *)stream;
}

static inline CUevent teeny_cuda_event_of(teeny_event *event)
{
    return ((teeny_cuda_event *)event)->handle;
}

/* Makes the device's context current to the calling thread. `*out_before` gets the one to put back
 * with teeny_cuda_leave: what else the thread does with CUDA must not land on another device. Where
 * it fails the result is negative: see symbols.h. */
static inline CUresult teeny_cuda_enter(const teeny_cuda_device *device, CUcontext *out_before)
{
    CUresult result = teeny_cuda.context_get_current(out_before);
    if (result == CUDA_SUCCESS && *out_before != device->context)
        result = teeny_cuda.context_set_current(device->context);
    return -result;
}

static inline void teeny_cuda_leave(const teeny_cuda_device *device, CUcontext before)
{
    if (before != device->context)
        teeny_cuda_warn(teeny_cuda.context_set_current(before),
            "cuCtxSetCurrent, to put the thread's own context back");
}

/* The same for calls that are not put on a stream, or not only: allocations, loads, waits, copies
 * of pageable memory. The driver forbids them to a thread that captures a stream, or while another
 * does, unless the thread says that it knows what it does. */
typedef struct teeny_cuda_visit {
    CUcontext before;
    int mode;
} teeny_cuda_visit;

static inline CUresult teeny_cuda_enter_relaxed(
    const teeny_cuda_device *device, teeny_cuda_visit *out_visit)
{
    CUresult result = teeny_cuda_enter(device, &out_visit->before);
    if (result != CUDA_SUCCESS)
        return result;
    out_visit->mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    result = teeny_cuda.thread_exchange_capture_mode(&out_visit->mode);
    if (result != CUDA_SUCCESS)
        teeny_cuda_leave(device, out_visit->before);
    return -result;
}

static inline void teeny_cuda_leave_relaxed(
    const teeny_cuda_device *device, teeny_cuda_visit *visit)
{
    teeny_cuda_warn(teeny_cuda.thread_exchange_capture_mode(&visit->mode),
        "cuThreadExchangeStreamCaptureMode, to put the thread's own mode back");
    teeny_cuda_leave(device, visit->before);
}

/* A driver call with the device's context current, which is put back: of launches, records of
 * events and the like, which the driver takes at any time. */
#define TEENY_CUDA_WITH(device, out_result, call)                                                  \
    do {                                                                                           \
        CUcontext before_;                                                                         \
        const teeny_cuda_device *device_ = teeny_cuda_device_of(device);                           \
        *(out_result) = teeny_cuda_enter(device_, &before_);                                       \
        if (*(out_result) == CUDA_SUCCESS) {                                                       \
            *(out_result) = (call);                                                                \
            teeny_cuda_leave(device_, before_);                                                    \
        }                                                                                          \
    } while (0)

/* The same for all other calls. */
#define TEENY_CUDA_WITH_RELAXED(device, out_result, call)                                          \
    do {                                                                                           \
        teeny_cuda_visit visit_;                                                                   \
        const teeny_cuda_device *device_ = teeny_cuda_device_of(device);                           \
        *(out_result) = teeny_cuda_enter_relaxed(device_, &visit_);                                \
        if (*(out_result) == CUDA_SUCCESS) {                                                       \
            *(out_result) = (call);                                                                \
            teeny_cuda_leave_relaxed(device_, &visit_);                                            \
        }                                                                                          \
    } while (0)

static inline teeny_status teeny_cuda_status(CUresult result, const char *call)
{
    return result == CUDA_SUCCESS ? TEENY_OK : teeny_cuda_fail(result, call);
}

/* The driver table's functions, by the file that has them. */

/* stream.c */
teeny_status teeny_cuda_stream_create(
    teeny_device *device, const teeny_stream_options *options, teeny_stream **out_stream);
teeny_status teeny_cuda_stream_wrap(teeny_device *device, void *native, teeny_stream **out_stream);
void *teeny_cuda_stream_native(const teeny_stream *stream);
void teeny_cuda_stream_destroy(teeny_stream *base);
teeny_status teeny_cuda_stream_synchronize(teeny_stream *stream);
teeny_status teeny_cuda_stream_query(teeny_stream *stream, bool *out_done);
teeny_status teeny_cuda_stream_wait(teeny_stream *stream, teeny_event *event);
teeny_status teeny_cuda_stream_call(teeny_stream *stream, void (*function)(void *user), void *user);
teeny_status teeny_cuda_stream_priorities(teeny_device *device, int *out_least, int *out_greatest);
void teeny_cuda_synchronize(teeny_device *base);

/* event.c */
teeny_status teeny_cuda_event_create(teeny_device *device, bool timed, teeny_event **out_event);
teeny_status teeny_cuda_event_wrap(teeny_device *device, void *native, teeny_event **out_event);
void *teeny_cuda_event_native(const teeny_event *event);
void teeny_cuda_event_destroy(teeny_event *event);
teeny_status teeny_cuda_event_record(teeny_event *event, teeny_stream *stream);
teeny_status teeny_cuda_event_synchronize(teeny_event *event);
teeny_status teeny_cuda_event_query(teeny_event *event, bool *out_done);
teeny_status teeny_cuda_event_elapsed(teeny_event *begin, teeny_event *end, double *out_seconds);

/* memory.c */
teeny_status teeny_cuda_memory_allocate(teeny_device *device, size_t size, void **out_pointer);
void teeny_cuda_memory_free(teeny_device *device, void *pointer);
teeny_status teeny_cuda_memory_allocate_async(
    teeny_stream *stream, size_t size, void **out_pointer);
teeny_status teeny_cuda_memory_free_async(teeny_stream *stream, void *pointer);
teeny_status teeny_cuda_host_allocate(teeny_device *device, size_t size, void **out_pointer);
void teeny_cuda_host_free(teeny_device *device, void *pointer);
teeny_status teeny_cuda_host_register(teeny_device *device, void *pointer, size_t size);
teeny_status teeny_cuda_host_unregister(teeny_device *device, void *pointer);
teeny_status teeny_cuda_copy(
    teeny_stream *stream, const teeny_place *destination, const teeny_place *source, size_t size);
teeny_status teeny_cuda_fill(teeny_stream *stream, const teeny_fill *fill);

/* code.c */
teeny_status teeny_cuda_code_load(
    teeny_device *device, const teeny_artifact *artifact, teeny_code **out_code);
void teeny_cuda_code_unload(teeny_code *code);
teeny_status teeny_cuda_code_resources(teeny_code *base, teeny_resources *out_resources);

/* launch.c */
teeny_status teeny_cuda_launch(
    teeny_stream *stream, teeny_code *base, const teeny_grid *grid, const void *arguments);
teeny_status teeny_cuda_launch_with(teeny_stream *stream, teeny_code *base, const teeny_grid *grid,
    const teeny_launch_options *options, const void *arguments);

/* graph.c */
extern const teeny_graph_driver teeny_cuda_graphs;

#endif
