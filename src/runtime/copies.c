/* Copies and fills that stay inside of their buffers, and the host's memory for them. */
#include "runtime/buffer.h"
#include "runtime/callback.h"
#include "runtime/recording.h"
#include "runtime/report.h"

#include <string.h>

static teeny_status check_range(
    const char *call, const teeny_buffer *buffer, size_t offset, size_t size)
{
    if (offset <= buffer->size && size <= buffer->size - offset)
        return TEENY_OK;
    return teeny_fail(TEENY_OUT_OF_BOUNDS,
        "%s: %zu bytes from byte %zu on do not lie in a buffer of %zu bytes", call, size, offset,
        buffer->size);
}

static teeny_status check(const char *call, const teeny_stream *stream, const teeny_buffer *buffer,
    size_t offset, const void *host, size_t size)
{
    if (!stream || !buffer || (!host && size))
        return teeny_fail(TEENY_INVALID_ARGUMENT, "%s: %s is NULL", call,
            !stream   ? "stream"
            : !buffer ? "buffer"
                      : "the host's memory");
    if (stream->device != buffer->device)
        return teeny_device_fail_stream(call, "the buffer", buffer->device, stream);
    return check_range(call, buffer, offset, size);
}

static teeny_place place_in(const teeny_buffer *buffer, size_t offset)
{
    teeny_device *device = buffer->device;
    return (teeny_place){
        device->driver->host_memory ? NULL : device, (char *)buffer->pointer + offset};
}

static teeny_status put_copy(
    teeny_stream *stream, teeny_place destination, teeny_place source, size_t size)
{
    const teeny_operation copy = {
        .kind = TEENY_OPERATION_COPY,
        .copy = {destination, source, size},
    };
    return size ? teeny_operation_put(stream, &copy) : TEENY_OK;
}

/* ---- From and to the host -------------------------------------------------------------------- */

static teeny_status write(const char *call, teeny_stream *stream, teeny_buffer *buffer,
    size_t offset, const void *source, size_t size)
{
    teeny_status status = check(call, stream, buffer, offset, source, size);
    if (status != TEENY_OK)
        return status;
    return put_copy(stream, place_in(buffer, offset), (teeny_place){NULL, (void *)source}, size);
}

static teeny_status read(const char *call, teeny_stream *stream, const teeny_buffer *buffer,
    size_t offset, void *destination, size_t size)
{
    teeny_status status = check(call, stream, buffer, offset, destination, size);
    if (status != TEENY_OK)
        return status;
    return put_copy(stream, (teeny_place){NULL, destination}, place_in(buffer, offset), size);
}

/* Before and behind a copy that is to be done when its call returns. */
static teeny_status begin(const char *call, teeny_stream *stream)
{
    return stream ? teeny_stream_check_uncaptured(stream, call) : TEENY_OK;
}

static teeny_status finish(teeny_stream *stream, teeny_status status, size_t size)
{
    if (status != TEENY_OK || size == 0)
        return status;
    return stream->device->driver->stream_synchronize(stream);
}

teeny_status teeny_buffer_write(
    teeny_stream *stream, teeny_buffer *buffer, size_t offset, const void *source, size_t size)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    static const char call[] = "teeny_buffer_write";
    teeny_status status = begin(call, stream);
    if (status == TEENY_OK)
        status = write(call, stream, buffer, offset, source, size);
    return finish(stream, status, size);
}

teeny_status teeny_buffer_read(
    teeny_stream *stream, const teeny_buffer *buffer, size_t offset, void *destination, size_t size)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    static const char call[] = "teeny_buffer_read";
    teeny_status status = begin(call, stream);
    if (status == TEENY_OK)
        status = read(call, stream, buffer, offset, destination, size);
    return finish(stream, status, size);
}

teeny_status teeny_buffer_write_async(
    teeny_stream *stream, teeny_buffer *buffer, size_t offset, const void *source, size_t size)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    return write("teeny_buffer_write_async", stream, buffer, offset, source, size);
}

teeny_status teeny_buffer_read_async(
    teeny_stream *stream, const teeny_buffer *buffer, size_t offset, void *destination, size_t size)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    return read("teeny_buffer_read_async", stream, buffer, offset, destination, size);
}

/* ---- From buffer to buffer ------------------------------------------------------------------- */

/* A driver with memory of its own has to know one of the two, and can reach its own devices' and
 * the host's memory. */
static bool can_copy(
    const teeny_stream *stream, const teeny_buffer *destination, const teeny_buffer *source)
{
    const teeny_driver *driver = stream->device->driver;
    bool to_host = destination->device->driver->host_memory;
    bool from_host = source->device->driver->host_memory;
    if (driver->host_memory)
        return to_host && from_host;
    return (destination->device == stream->device || source->device == stream->device) &&
           (to_host || destination->device->driver == driver) &&
           (from_host || source->device->driver == driver);
}

/* Addresses are all of one space: the driver's unified one has the host's, too. */
static teeny_status check_apart(const char *call, const teeny_buffer *destination,
    size_t destination_offset, const teeny_buffer *source, size_t source_offset, size_t size)
{
    uintptr_t to = (uintptr_t)destination->pointer + destination_offset;
    uintptr_t from = (uintptr_t)source->pointer + source_offset;
    if ((to > from ? to - from : from - to) >= size)
        return TEENY_OK;
    return teeny_fail(TEENY_INVALID_ARGUMENT,
        "%s: the %zu bytes from byte %zu of the source on overlap those from byte %zu of the "
        "destination on",
        call, size, source_offset, destination_offset);
}

teeny_status teeny_buffer_copy(teeny_stream *stream, teeny_buffer *destination,
    size_t destination_offset, const teeny_buffer *source, size_t source_offset, size_t size)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    static const char call[] = "teeny_buffer_copy";
    if (!stream || !destination || !source)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "%s: %s is NULL", call,
            !stream        ? "stream"
            : !destination ? "destination"
                           : "source");
    if (!can_copy(stream, destination, source))
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "%s: a stream of %s cannot copy from a buffer on %s to one on %s", call,
            stream->device->name, source->device->name, destination->device->name);
    teeny_status status = check_range(call, destination, destination_offset, size);
    if (status == TEENY_OK)
        status = check_range(call, source, source_offset, size);
    if (status == TEENY_OK)
        status = check_apart(call, destination, destination_offset, source, source_offset, size);
    if (status != TEENY_OK)
        return status;
    return put_copy(
        stream, place_in(destination, destination_offset), place_in(source, source_offset), size);
}

/* ---- Fills ----------------------------------------------------------------------------------- */

static uint32_t read_pattern(const void *pattern, size_t size)
{
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    switch (size) {
    case 1:
        memcpy(&byte, pattern, sizeof byte);
        return byte;
    case 2:
        memcpy(&half, pattern, sizeof half);
        return half;
    default:
        memcpy(&word, pattern, sizeof word);
        return word;
    }
}

teeny_status teeny_buffer_fill(teeny_stream *stream, teeny_buffer *buffer, size_t offset,
    size_t size, const void *pattern, size_t pattern_size)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    static const char call[] = "teeny_buffer_fill";
    if (!pattern)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "%s: pattern is NULL", call);
    teeny_status status = check(call, stream, buffer, offset, pattern, size);
    if (status != TEENY_OK)
        return status;
    if (pattern_size != 1 && pattern_size != 2 && pattern_size != 4)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "%s: a pattern of %zu bytes, not of 1, 2 or 4",
            call, pattern_size);
    void *pointer = (char *)buffer->pointer + offset;
    if ((uintptr_t)pointer % pattern_size || size % pattern_size)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "%s: %zu bytes from byte %zu on are no whole number of aligned patterns of %zu bytes",
            call, size, offset, pattern_size);
    const teeny_operation fill = {
        .kind = TEENY_OPERATION_FILL,
        .fill = {pointer, size, (unsigned)pattern_size, read_pattern(pattern, pattern_size)},
    };
    return size ? teeny_operation_put(stream, &fill) : TEENY_OK;
}

/* ---- The host's memory ----------------------------------------------------------------------- */

teeny_status teeny_host_allocate(teeny_device *device, size_t size, void **out_pointer)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!device || !out_pointer)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_host_allocate: %s is NULL",
            device ? "out_pointer" : "device");
    return device->driver->host_allocate(device, size ? size : 1, out_pointer);
}

void teeny_host_free(teeny_device *device, void *pointer)
{
    if (teeny_callback_ignores(__func__))
        return;
    if (device && pointer)
        device->driver->host_free(device, pointer);
}

teeny_status teeny_host_register(teeny_device *device, void *pointer, size_t size)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!device || !pointer || size == 0)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_host_register: %s",
            !device    ? "device is NULL"
            : !pointer ? "pointer is NULL"
                       : "0 bytes");
    if (!device->driver->host_register)
        return TEENY_OK;
    return device->driver->host_register(device, pointer, size);
}

teeny_status teeny_host_unregister(teeny_device *device, void *pointer)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!device || !pointer)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_host_unregister: %s is NULL",
            device ? "pointer" : "device");
    if (!device->driver->host_unregister)
        return TEENY_OK;
    return device->driver->host_unregister(device, pointer);
}
