/* Devices that a child process has inherited; see fork.h.
 *
 * What only a thread, a driver or a lock of the parent could do is refused. To destroy something
 * frees its record, which every driver allocates as one block, and leaves alone what is behind it:
 * that is the parent's.
 */
#include "runtime/fork.h"

#include "runtime/report.h"

#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

teeny_status teeny_fail_forked(void)
{
    return teeny_fail(TEENY_DEVICE_LOST,
        "the device was opened before fork(), by the parent of this process, and is of no use "
        "here: open it again in this process (cuda: only where the parent has not opened it), or "
        "call exec()");
}

static teeny_status device_open(int number, teeny_device **out_device)
{
    return teeny_fail_forked();
}

static void device_close(teeny_device *device)
{
    free(device);
}

static void device_synchronize(teeny_device *device) {}

static teeny_status stream_create(teeny_device *device, teeny_stream **out_stream)
{
    return teeny_fail_forked();
}

static void stream_destroy(teeny_stream *stream)
{
    free(stream);
}

static teeny_status stream_synchronize(teeny_stream *stream)
{
    return teeny_fail_forked();
}

static void *stream_native(const teeny_stream *stream)
{
    return NULL;
}

static teeny_status memory_allocate(teeny_device *device, size_t size, void **out_pointer)
{
    return teeny_fail_forked();
}

static void memory_free(teeny_device *device, void *pointer) {}

static teeny_status copy(teeny_stream *stream, void *destination, const void *source, size_t size)
{
    return teeny_fail_forked();
}

static teeny_status code_load(
    teeny_device *device, const teeny_artifact *artifact, teeny_code **out_code)
{
    return teeny_fail_forked();
}

static void code_unload(teeny_code *code)
{
    free(code);
}

static teeny_status launch(
    teeny_stream *stream, teeny_code *code, const teeny_grid *grid, const void *arguments)
{
    return teeny_fail_forked();
}

/* No grid is within its limits. */
const teeny_driver teeny_forked_driver = {
    .name = "",
    .targets = "",
    .grid_limit = {-1, -1, -1},
    .device_open = device_open,
    .device_close = device_close,
    .device_synchronize = device_synchronize,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_synchronize = stream_synchronize,
    .stream_native = stream_native,
    .memory_allocate = memory_allocate,
    .memory_free = memory_free,
    .copy_to_device = copy,
    .copy_from_device = copy,
    .code_load = code_load,
    .code_unload = code_unload,
    .launch = launch,
};
