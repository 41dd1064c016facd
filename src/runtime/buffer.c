/* Buffers: device memory that knows its length, and copies that stay inside. */
#include "runtime/driver.h"
#include "runtime/report.h"

#include <stdlib.h>

struct teeny_buffer {
    teeny_device *device;
    void *pointer;
    size_t size;
};

teeny_status teeny_buffer_create(teeny_device *device, size_t size, teeny_buffer **out_buffer)
{
    if (!device || !out_buffer)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_buffer_create: %s is NULL",
            device ? "out_buffer" : "device");
    teeny_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return teeny_fail_memory();
    /* Drivers refuse nothing; a buffer of nothing still has an address of its own. */
    teeny_status status =
        device->driver->memory_allocate(device, size ? size : 1, &buffer->pointer);
    if (status != TEENY_OK) {
        free(buffer);
        return status;
    }
    buffer->device = teeny_device_retain(device);
    buffer->size = size;
    *out_buffer = buffer;
    return TEENY_OK;
}

void teeny_buffer_destroy(teeny_buffer *buffer)
{
    if (!buffer)
        return;
    teeny_device *device = buffer->device;
    device->driver->device_synchronize(device);
    device->driver->memory_free(device, buffer->pointer);
    free(buffer);
    teeny_device_close(device);
}

size_t teeny_buffer_size(const teeny_buffer *buffer)
{
    return buffer->size;
}

void *teeny_buffer_pointer(const teeny_buffer *buffer)
{
    return buffer->pointer;
}

static teeny_status check_copy(const char *call, const teeny_stream *stream,
    const teeny_buffer *buffer, size_t offset, const void *host, size_t size)
{
    if (!stream || !buffer || (!host && size))
        return teeny_fail(TEENY_INVALID_ARGUMENT, "%s: %s is NULL", call,
            !stream   ? "stream"
            : !buffer ? "buffer"
                      : "the host's memory");
    if (stream->device != buffer->device)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "%s: the buffer is on %s, the stream on %s", call,
            buffer->device->name, stream->device->name);
    if (offset > buffer->size || size > buffer->size - offset)
        return teeny_fail(TEENY_OUT_OF_BOUNDS,
            "%s: %zu bytes from byte %zu on do not lie in a buffer of %zu bytes", call, size,
            offset, buffer->size);
    return TEENY_OK;
}

teeny_status teeny_buffer_write(
    teeny_stream *stream, teeny_buffer *buffer, size_t offset, const void *source, size_t size)
{
    teeny_status status = check_copy("teeny_buffer_write", stream, buffer, offset, source, size);
    if (status != TEENY_OK || size == 0)
        return status;
    return stream->device->driver->copy_to_device(
        stream, (char *)buffer->pointer + offset, source, size);
}

teeny_status teeny_buffer_read(
    teeny_stream *stream, const teeny_buffer *buffer, size_t offset, void *destination, size_t size)
{
    teeny_status status =
        check_copy("teeny_buffer_read", stream, buffer, offset, destination, size);
    if (status != TEENY_OK || size == 0)
        return status;
    return stream->device->driver->copy_from_device(
        stream, destination, (const char *)buffer->pointer + offset, size);
}
