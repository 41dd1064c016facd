/* Events of a CUDA device: libteeny's own, and those of others. */
#include "runtime/cuda/context.h"
#include "runtime/report.h"

#include <stdlib.h>

teeny_status teeny_cuda_event_create(teeny_device *device, bool timed, teeny_event **out_event)
{
    teeny_cuda_event *event = calloc(1, sizeof *event);
    CUresult result;
    if (!event)
        return teeny_fail_memory();
    TEENY_CUDA_WITH_RELAXED(device, &result,
        teeny_cuda.event_create(&event->handle, timed ? 0 : CU_EVENT_DISABLE_TIMING));
    if (result != CUDA_SUCCESS) {
        free(event);
        return teeny_cuda_fail(result, "cuEventCreate");
    }
    *out_event = &event->base;
    return TEENY_OK;
}

teeny_status teeny_cuda_event_wrap(teeny_device *device, void *native, teeny_event **out_event)
{
    (void)device;
    teeny_cuda_event *event = calloc(1, sizeof *event);
    if (!event)
        return teeny_fail_memory();
    event->handle = native;
    *out_event = &event->base;
    return TEENY_OK;
}

void *teeny_cuda_event_native(const teeny_event *event)
{
    return ((const teeny_cuda_event *)event)->handle;
}

void teeny_cuda_event_destroy(teeny_event *event)
{
    CUresult result = CUDA_SUCCESS;
    if (!event->is_wrapped)
        TEENY_CUDA_WITH_RELAXED(
            event->device, &result, teeny_cuda.event_destroy(teeny_cuda_event_of(event)));
    teeny_cuda_warn(result, "cuEventDestroy");
    free(event);
}

teeny_status teeny_cuda_event_record(teeny_event *event, teeny_stream *stream)
{
    CUresult result;
    TEENY_CUDA_WITH(stream->device, &result,
        teeny_cuda.event_record(teeny_cuda_event_of(event), teeny_cuda_stream_of(stream)->handle));
    return teeny_cuda_status(result, "cuEventRecord");
}

teeny_status teeny_cuda_event_synchronize(teeny_event *event)
{
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(
        event->device, &result, teeny_cuda.event_synchronize(teeny_cuda_event_of(event)));
    return teeny_cuda_status(result, "cuEventSynchronize");
}

teeny_status teeny_cuda_event_query(teeny_event *event, bool *out_done)
{
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(
        event->device, &result, teeny_cuda.event_query(teeny_cuda_event_of(event)));
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY)
        return teeny_cuda_fail(result, "cuEventQuery");
    *out_done = result == CUDA_SUCCESS;
    return TEENY_OK;
}

teeny_status teeny_cuda_event_elapsed(teeny_event *begin, teeny_event *end, double *out_seconds)
{
    float milliseconds;
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(begin->device, &result,
        teeny_cuda.event_elapsed(
            &milliseconds, teeny_cuda_event_of(begin), teeny_cuda_event_of(end)));
    if (result == CUDA_ERROR_NOT_READY)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_event_elapsed: the events are not done");
    if (result == CUDA_ERROR_INVALID_HANDLE)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "teeny_event_elapsed: an event does not keep the time, or was never recorded");
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuEventElapsedTime");
    *out_seconds = (double)milliseconds * 1e-3;
    return TEENY_OK;
}
