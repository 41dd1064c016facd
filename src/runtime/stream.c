/* Streams: argument checks, and the device that they hold on to. */
#include "runtime/driver.h"
#include "runtime/observe/nvtx.h"
#include "runtime/report.h"

teeny_status teeny_stream_create(teeny_device *device, teeny_stream **out_stream)
{
    if (!device || !out_stream)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_stream_create: %s is NULL",
            device ? "out_stream" : "device");
    teeny_stream *stream;
    teeny_status status = device->driver->stream_create(device, &stream);
    if (status != TEENY_OK)
        return status;
    stream->device = teeny_device_retain(device);
    if (device->driver->stream_native)
        teeny_nvtx_name_stream(device->driver->stream_native(stream), device->name);
    *out_stream = stream;
    return TEENY_OK;
}

void teeny_stream_destroy(teeny_stream *stream)
{
    if (!stream)
        return;
    teeny_device *device = stream->device;
    device->driver->stream_destroy(stream);
    teeny_device_close(device);
}

teeny_status teeny_stream_synchronize(teeny_stream *stream)
{
    if (!stream)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_stream_synchronize: stream is NULL");
    return stream->device->driver->stream_synchronize(stream);
}

void *teeny_stream_native(const teeny_stream *stream)
{
    if (!stream || !stream->device->driver->stream_native)
        return NULL;
    return stream->device->driver->stream_native(stream);
}
