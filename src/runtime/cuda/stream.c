/* Streams of a CUDA device: libteeny's own, and those of others. */
#include "runtime/cuda/context.h"
#include "runtime/report.h"

#include <stdlib.h>

/* ---- The device's list ----------------------------------------------------------------------- */

static void list(teeny_cuda_device *device, teeny_cuda_stream *stream)
{
    pthread_mutex_lock(&device->mutex);
    stream->serial = ++device->serials;
    stream->next = device->streams;
    device->streams = stream;
    pthread_mutex_unlock(&device->mutex);
}

/* Comes back when nobody waits for the stream any more. */
static void unlist(teeny_cuda_device *device, teeny_cuda_stream *stream)
{
    pthread_mutex_lock(&device->mutex);
    teeny_cuda_stream **link = &device->streams;
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    while (stream->pins)
        pthread_cond_wait(&device->unpinned, &device->mutex);
    pthread_mutex_unlock(&device->mutex);
}

/* With the mutex held: the next stream that is older than `serial`; NULL: there is none. */
static teeny_cuda_stream *older_than(const teeny_cuda_device *device, uint64_t serial)
{
    teeny_cuda_stream *stream = device->streams;
    while (stream && stream->serial >= serial)
        stream = stream->next;
    return stream;
}

/* What went wrong on it is for whoever waits for the stream itself; the log hears of it too. */
static void wait_unless_captured(teeny_cuda_device *device, teeny_cuda_stream *stream)
{
    int status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUresult result;
    TEENY_CUDA_WITH(
        &device->base, &result, teeny_cuda.stream_is_capturing(stream->handle, &status));
    if (result == CUDA_SUCCESS && status == CU_STREAM_CAPTURE_STATUS_NONE)
        TEENY_CUDA_WITH_RELAXED(
            &device->base, &result, teeny_cuda.stream_synchronize(stream->handle));
    teeny_cuda_warn(result, "cuStreamIsCapturing and cuStreamSynchronize");
}

/* Not the whole context: the driver refuses to wait for that while anybody captures a stream of
 * it, and gives the capture up. */
void teeny_cuda_synchronize(teeny_device *base)
{
    teeny_cuda_device *device = teeny_cuda_device_of(base);
    pthread_mutex_lock(&device->mutex);
    teeny_cuda_stream *stream = older_than(device, UINT64_MAX);
    while (stream) {
        uint64_t serial = stream->serial;
        stream->pins++;
        pthread_mutex_unlock(&device->mutex);
        wait_unless_captured(device, stream);
        pthread_mutex_lock(&device->mutex);
        if (--stream->pins == 0)
            pthread_cond_broadcast(&device->unpinned);
        stream = older_than(device, serial);
    }
    pthread_mutex_unlock(&device->mutex);
}

/* ---- Making and freeing ---------------------------------------------------------------------- */

static CUresult create(const teeny_stream_options *options, CUstream *out_handle)
{
    unsigned flags = options->blocking ? 0 : CU_STREAM_NON_BLOCKING;
    if (options->priority == 0)
        return teeny_cuda.stream_create(out_handle, flags);
    return teeny_cuda.stream_create_with_priority(out_handle, flags, options->priority);
}

teeny_status teeny_cuda_stream_create(
    teeny_device *device, const teeny_stream_options *options, teeny_stream **out_stream)
{
    teeny_cuda_stream *stream = calloc(1, sizeof *stream);
    CUresult result;
    if (!stream)
        return teeny_fail_memory();
    TEENY_CUDA_WITH_RELAXED(device, &result, create(options, &stream->handle));
    if (result != CUDA_SUCCESS) {
        free(stream);
        return teeny_cuda_fail(
            result, options->priority ? "cuStreamCreateWithPriority" : "cuStreamCreate");
    }
    list(teeny_cuda_device_of(device), stream);
    *out_stream = &stream->base;
    return TEENY_OK;
}

/* The default streams are every context's. Of some kinds of streams the driver does not say. */
static teeny_status check_context(teeny_device *device, CUstream handle)
{
    CUcontext context = NULL;
    CUresult result;
    if (handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD)
        return TEENY_OK;
    TEENY_CUDA_WITH_RELAXED(device, &result, teeny_cuda.stream_context(handle, &context));
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return TEENY_OK;
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuStreamGetCtx");
    if (context != teeny_cuda_device_of(device)->context)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "teeny_stream_wrap: the stream is not of %s's primary context", device->name);
    return TEENY_OK;
}

teeny_status teeny_cuda_stream_wrap(teeny_device *device, void *native, teeny_stream **out_stream)
{
    CUstream handle = native ? (CUstream)native : CU_STREAM_LEGACY;
    teeny_status status = check_context(device, handle);
    if (status != TEENY_OK)
        return status;
    teeny_cuda_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return teeny_fail_memory();
    stream->handle = handle;
    list(teeny_cuda_device_of(device), stream);
    *out_stream = &stream->base;
    return TEENY_OK;
}

void *teeny_cuda_stream_native(const teeny_stream *stream)
{
    return ((const teeny_cuda_stream *)stream)->handle;
}

void teeny_cuda_stream_destroy(teeny_stream *base)
{
    teeny_cuda_stream *stream = teeny_cuda_stream_of(base);
    teeny_cuda_device *device = teeny_cuda_device_of(base->device);
    unlist(device, stream);
    if (!base->is_wrapped) {
        CUresult result;
        wait_unless_captured(device, stream);
        TEENY_CUDA_WITH_RELAXED(base->device, &result, teeny_cuda.stream_destroy(stream->handle));
        teeny_cuda_warn(result, "cuStreamDestroy");
    }
    free(stream);
}

/* ---- Order ----------------------------------------------------------------------------------- */

teeny_status teeny_cuda_stream_synchronize(teeny_stream *stream)
{
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(stream->device, &result,
        teeny_cuda.stream_synchronize(teeny_cuda_stream_of(stream)->handle));
    return teeny_cuda_status(result, "cuStreamSynchronize");
}

teeny_status teeny_cuda_stream_query(teeny_stream *stream, bool *out_done)
{
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(
        stream->device, &result, teeny_cuda.stream_query(teeny_cuda_stream_of(stream)->handle));
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY)
        return teeny_cuda_fail(result, "cuStreamQuery");
    *out_done = result == CUDA_SUCCESS;
    return TEENY_OK;
}

teeny_status teeny_cuda_stream_wait(teeny_stream *stream, teeny_event *event)
{
    CUresult result;
    TEENY_CUDA_WITH(stream->device, &result,
        teeny_cuda.stream_wait_event(
            teeny_cuda_stream_of(stream)->handle, teeny_cuda_event_of(event), 0));
    return teeny_cuda_status(result, "cuStreamWaitEvent");
}

teeny_status teeny_cuda_stream_call(teeny_stream *stream, void (*function)(void *user), void *user)
{
    CUresult result;
    TEENY_CUDA_WITH(stream->device, &result,
        teeny_cuda.stream_call(teeny_cuda_stream_of(stream)->handle, function, user));
    return teeny_cuda_status(result, "cuLaunchHostFunc");
}

teeny_status teeny_cuda_stream_priorities(teeny_device *device, int *out_least, int *out_greatest)
{
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(
        device, &result, teeny_cuda.context_priorities(out_least, out_greatest));
    return teeny_cuda_status(result, "cuCtxGetStreamPriorityRange");
}
