/* Streams: argument checks, and the device that they hold on to. */
#include "runtime/callback.h"
#include "runtime/observe/nvtx.h"
#include "runtime/recording.h"
#include "runtime/report.h"

/* The driver's part is made; the common one is all zero but for this. */
static void finish(teeny_stream *stream, teeny_device *device, bool is_wrapped)
{
    stream->device = teeny_device_retain(device);
    stream->is_wrapped = is_wrapped;
}

static const teeny_stream_options defaults;

/* For the public function that is called so. */
static teeny_status create(const char *call, teeny_device *device,
    const teeny_stream_options *options, teeny_stream **out_stream)
{
    if (teeny_callback_refuses(call))
        return TEENY_IN_CALLBACK;
    if (!device || !out_stream)
        return teeny_fail(
            TEENY_INVALID_ARGUMENT, "%s: %s is NULL", call, device ? "out_stream" : "device");
    teeny_stream *stream;
    teeny_status status = device->driver->stream_create(device, options, &stream);
    if (status != TEENY_OK)
        return status;
    finish(stream, device, false);
    if (device->driver->stream_native)
        teeny_nvtx_name_stream(device->driver->stream_native(stream), device->name);
    *out_stream = stream;
    return TEENY_OK;
}

teeny_status teeny_stream_create_with(
    teeny_device *device, const teeny_stream_options *options, teeny_stream **out_stream)
{
    return create(__func__, device, options ? options : &defaults, out_stream);
}

teeny_status teeny_stream_create(teeny_device *device, teeny_stream **out_stream)
{
    return create(__func__, device, &defaults, out_stream);
}

teeny_status teeny_stream_wrap(teeny_device *device, void *native, teeny_stream **out_stream)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!device || !out_stream)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_stream_wrap: %s is NULL",
            device ? "out_stream" : "device");
    if (!device->driver->stream_wrap)
        return teeny_fail(TEENY_UNSUPPORTED,
            "teeny_stream_wrap: device %s has no streams but libteeny's", device->name);
    teeny_stream *stream;
    teeny_status status = device->driver->stream_wrap(device, native, &stream);
    if (status != TEENY_OK)
        return status;
    finish(stream, device, true);
    *out_stream = stream;
    return TEENY_OK;
}

teeny_status teeny_stream_priorities(teeny_device *device, int *out_least, int *out_greatest)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!device)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_stream_priorities: device is NULL");
    int least = 0, greatest = 0;
    if (device->driver->stream_priorities) {
        teeny_status status = device->driver->stream_priorities(device, &least, &greatest);
        if (status != TEENY_OK)
            return status;
    }
    if (out_least)
        *out_least = least;
    if (out_greatest)
        *out_greatest = greatest;
    return TEENY_OK;
}

void teeny_stream_destroy(teeny_stream *stream)
{
    if (!stream || teeny_callback_ignores(__func__))
        return;
    teeny_device *device = stream->device;
    teeny_recording_forget_stream(stream);
    device->driver->stream_destroy(stream);
    teeny_device_close(device);
}

teeny_status teeny_stream_synchronize(teeny_stream *stream)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!stream)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_stream_synchronize: stream is NULL");
    teeny_status status = teeny_stream_check_uncaptured(stream, "teeny_stream_synchronize");
    if (status != TEENY_OK)
        return status;
    return stream->device->driver->stream_synchronize(stream);
}

teeny_status teeny_stream_query(teeny_stream *stream, bool *out_done)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!stream || !out_done)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_stream_query: %s is NULL",
            stream ? "out_done" : "stream");
    teeny_status status = teeny_stream_check_uncaptured(stream, "teeny_stream_query");
    if (status != TEENY_OK)
        return status;
    return stream->device->driver->stream_query(stream, out_done);
}

teeny_status teeny_stream_call(teeny_stream *stream, void (*function)(void *user), void *user)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!stream || !function)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_stream_call: %s is NULL",
            stream ? "function" : "stream");
    const teeny_operation call = {
        .kind = TEENY_OPERATION_CALL,
        .call = {function, user},
    };
    return teeny_operation_put(stream, &call);
}

teeny_device *teeny_stream_device(const teeny_stream *stream)
{
    return stream ? stream->device : NULL;
}

void *teeny_stream_native(const teeny_stream *stream)
{
    if (!stream || !stream->device->driver->stream_native)
        return NULL;
    return stream->device->driver->stream_native(stream);
}
