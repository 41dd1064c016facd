/* Buffers: device memory that knows its length, and where it comes from. */
#include "runtime/buffer.h"

#include "runtime/callback.h"
#include "runtime/fork.h"
#include "runtime/recording.h"
#include "runtime/report.h"

#include <pthread.h>
#include <stdlib.h>

/* ---- The caller's allocator ------------------------------------------------------------------ */

/* Guards the allocators of all devices. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void start_anew(void)
{
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
TEENY_AFTER_FORK(start_anew)

teeny_status teeny_device_set_allocator(teeny_device *device, const teeny_allocator *allocator)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    static const teeny_allocator none;
    if (!device)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_device_set_allocator: device is NULL");
    if (allocator && (!allocator->allocate || !allocator->free))
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "teeny_device_set_allocator: the allocator has no %s",
            allocator->allocate ? "free" : "allocate");
    pthread_mutex_lock(&mutex);
    device->allocator = allocator ? *allocator : none;
    pthread_mutex_unlock(&mutex);
    return TEENY_OK;
}

static teeny_allocator allocator_of(const teeny_device *device)
{
    pthread_mutex_lock(&mutex);
    teeny_allocator allocator = device->allocator;
    pthread_mutex_unlock(&mutex);
    return allocator;
}

static teeny_status adopt(teeny_buffer *buffer, size_t size)
{
    teeny_device *device = buffer->device;
    if (!device->driver->memory_adopt)
        return TEENY_OK;
    return device->driver->memory_adopt(device, buffer->pointer, size);
}

static void disown(const teeny_buffer *buffer)
{
    if (buffer->device->driver->memory_disown)
        buffer->device->driver->memory_disown(buffer->device, buffer->pointer);
}

static void call_allocate(teeny_buffer *buffer, size_t size, void *native)
{
    const teeny_allocator *allocator = &buffer->allocator;
    teeny_callback before = teeny_callback_begin(TEENY_CALLBACK_ALLOCATOR);
    buffer->pointer = allocator->allocate(allocator->user, size, native);
    teeny_callback_end(before);
}

static void call_free(const teeny_buffer *buffer, size_t size, void *native)
{
    const teeny_allocator *allocator = &buffer->allocator;
    teeny_callback before = teeny_callback_begin(TEENY_CALLBACK_ALLOCATOR);
    allocator->free(allocator->user, buffer->pointer, size, native);
    teeny_callback_end(before);
}

static teeny_status take_memory(teeny_buffer *buffer, size_t size)
{
    enum { ALIGNMENT = 256 };
    if ((uintptr_t)buffer->pointer % ALIGNMENT == 0)
        return adopt(buffer, size);
    return teeny_fail(TEENY_INVALID_ARGUMENT,
        "the allocator of device %s gave memory at %p, which is not aligned to %d bytes",
        buffer->device->name, buffer->pointer, ALIGNMENT);
}

static teeny_status ask_allocator(teeny_buffer *buffer, size_t size, void *native)
{
    buffer->origin = TEENY_BUFFER_OF_ALLOCATOR;
    call_allocate(buffer, size, native);
    if (!buffer->pointer)
        return teeny_fail(TEENY_OUT_OF_MEMORY, "the allocator of device %s has no %zu bytes left",
            buffer->device->name, size);
    teeny_status status = take_memory(buffer, size);
    if (status != TEENY_OK)
        call_free(buffer, size, NULL);
    return status;
}

/* ---- Making and freeing ---------------------------------------------------------------------- */

/* Drivers refuse nothing; a buffer of nothing still has an address of its own. */
static size_t size_of_memory(const teeny_buffer *buffer)
{
    return buffer->size ? buffer->size : 1;
}

static teeny_status allocate(teeny_buffer *buffer, teeny_stream *stream)
{
    teeny_device *device = buffer->device;
    size_t size = size_of_memory(buffer);
    buffer->allocator = allocator_of(device);
    if (buffer->allocator.allocate)
        return ask_allocator(buffer, size, teeny_stream_native(stream));
    if (!stream)
        return device->driver->memory_allocate(device, size, &buffer->pointer);
    buffer->origin = TEENY_BUFFER_OF_STREAM;
    return device->driver->memory_allocate_async(stream, size, &buffer->pointer);
}

/* `stream` is NULL where the memory is to be ready at once. */
static teeny_status make(
    teeny_device *device, teeny_stream *stream, size_t size, teeny_buffer **out_buffer)
{
    teeny_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return teeny_fail_memory();
    buffer->device = device;
    buffer->size = size;
    teeny_status status = allocate(buffer, stream);
    if (status != TEENY_OK) {
        free(buffer);
        return status;
    }
    teeny_device_retain(device);
    *out_buffer = buffer;
    return TEENY_OK;
}

teeny_status teeny_buffer_create(teeny_device *device, size_t size, teeny_buffer **out_buffer)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!device || !out_buffer)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_buffer_create: %s is NULL",
            device ? "out_buffer" : "device");
    return make(device, NULL, size, out_buffer);
}

/* What is allocated in a graph belongs to its launches, which buffers know nothing of. */
static teeny_status check_order(teeny_stream *stream, const char *call)
{
    return teeny_stream_check_no_graph(stream, call, ": allocate and free outside of graphs");
}

teeny_status teeny_buffer_create_async(teeny_stream *stream, size_t size, teeny_buffer **out_buffer)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!stream || !out_buffer)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_buffer_create_async: %s is NULL",
            stream ? "out_buffer" : "stream");
    teeny_status status = check_order(stream, "teeny_buffer_create_async");
    return status == TEENY_OK ? make(stream->device, stream, size, out_buffer) : status;
}

teeny_status teeny_buffer_wrap(
    teeny_device *device, void *pointer, size_t size, teeny_buffer **out_buffer)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!device || !out_buffer || (!pointer && size))
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_buffer_wrap: %s is NULL",
            !device       ? "device"
            : !out_buffer ? "out_buffer"
                          : "the memory");
    if (size > UINTPTR_MAX - (uintptr_t)pointer)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "teeny_buffer_wrap: no memory has %zu bytes from %p on", size, pointer);
    teeny_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return teeny_fail_memory();
    *buffer = (teeny_buffer){
        .device = device, .pointer = pointer, .size = size, .origin = TEENY_BUFFER_OF_OTHERS};
    teeny_status status = size ? adopt(buffer, size) : TEENY_OK;
    if (status != TEENY_OK) {
        free(buffer);
        return status;
    }
    teeny_device_retain(device);
    *out_buffer = buffer;
    return TEENY_OK;
}

static void free_buffer(teeny_buffer *buffer)
{
    teeny_device *device = buffer->device;
    free(buffer);
    teeny_device_close(device);
}

static void give_to_allocator(teeny_buffer *buffer, void *native)
{
    disown(buffer);
    call_free(buffer, size_of_memory(buffer), native);
}

void teeny_buffer_destroy(teeny_buffer *buffer)
{
    if (!buffer || teeny_callback_ignores(__func__))
        return;
    teeny_device *device = buffer->device;
    switch (buffer->origin) {
    case TEENY_BUFFER_OF_DEVICE:
    case TEENY_BUFFER_OF_STREAM:
        device->driver->memory_free(device, buffer->pointer);
        break;
    case TEENY_BUFFER_OF_ALLOCATOR:
        device->driver->device_synchronize(device);
        give_to_allocator(buffer, NULL);
        break;
    case TEENY_BUFFER_OF_OTHERS:
        if (buffer->size)
            disown(buffer);
    }
    free_buffer(buffer);
}

/* The driver frees in a stream's order what it allocated so, and all of the host's memory. */
static bool frees_async(const teeny_buffer *buffer)
{
    return buffer->origin == TEENY_BUFFER_OF_STREAM ||
           (buffer->origin == TEENY_BUFFER_OF_DEVICE && buffer->device->driver->host_memory);
}

teeny_status teeny_buffer_destroy_async(teeny_stream *stream, teeny_buffer *buffer)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!stream)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_buffer_destroy_async: stream is NULL");
    if (!buffer)
        return TEENY_OK;
    if (stream->device != buffer->device)
        return teeny_device_fail_stream(__func__, "the buffer", buffer->device, stream);
    teeny_status status = check_order(stream, "teeny_buffer_destroy_async");
    if (status != TEENY_OK)
        return status;
    void *native = teeny_stream_native(stream);
    if (buffer->origin == TEENY_BUFFER_OF_ALLOCATOR && native) {
        give_to_allocator(buffer, native);
    } else if (frees_async(buffer)) {
        status = stream->device->driver->memory_free_async(stream, buffer->pointer);
        if (status != TEENY_OK)
            return status;
    } else {
        teeny_buffer_destroy(buffer);
        return TEENY_OK;
    }
    free_buffer(buffer);
    return TEENY_OK;
}

size_t teeny_buffer_size(const teeny_buffer *buffer)
{
    return buffer ? buffer->size : 0;
}

void *teeny_buffer_pointer(const teeny_buffer *buffer)
{
    return buffer ? buffer->pointer : NULL;
}
