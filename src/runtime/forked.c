/* Devices that a child process has inherited; see fork.h.
 *
 * What only a thread, a driver or a lock of the parent could do is refused. To destroy something
 * frees its record, which every driver allocates as one block, and leaves alone what is behind it:
 * that is the parent's, or, like the arguments of launches under way, what a thread of the parent
 * was perhaps replacing at that very moment, so that its pointer may not be freed here.
 */
#include "runtime/fork.h"

#include "runtime/report.h"

#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"
/* NOLINTBEGIN(misc-unused-parameters) */

void teeny_message_set_forked(void)
{
    teeny_message_set(TEENY_DEVICE_LOST,
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

static teeny_status device_count(int *out_count)
{
    return teeny_fail_forked();
}

static teeny_status device_make_current(teeny_device *device)
{
    return teeny_fail_forked();
}

static teeny_status device_access(teeny_device *device, teeny_device *peer)
{
    return teeny_fail_forked();
}

/* ---- Streams --------------------------------------------------------------------------------- */

static teeny_status stream_create(
    teeny_device *device, const teeny_stream_options *options, teeny_stream **out_stream)
{
    return teeny_fail_forked();
}

static teeny_status stream_wrap(teeny_device *device, void *native, teeny_stream **out_stream)
{
    return teeny_fail_forked();
}

static void *stream_native(const teeny_stream *stream)
{
    return NULL;
}

static void stream_destroy(teeny_stream *stream)
{
    free(stream);
}

static teeny_status stream_synchronize(teeny_stream *stream)
{
    return teeny_fail_forked();
}

static teeny_status stream_query(teeny_stream *stream, bool *out_done)
{
    return teeny_fail_forked();
}

static teeny_status stream_wait(teeny_stream *stream, teeny_event *event)
{
    return teeny_fail_forked();
}

static teeny_status stream_call(teeny_stream *stream, void (*function)(void *user), void *user)
{
    return teeny_fail_forked();
}

static teeny_status stream_priorities(teeny_device *device, int *out_least, int *out_greatest)
{
    return teeny_fail_forked();
}

/* ---- Events ---------------------------------------------------------------------------------- */

static teeny_status event_create(teeny_device *device, bool timed, teeny_event **out_event)
{
    return teeny_fail_forked();
}

static teeny_status event_wrap(teeny_device *device, void *native, teeny_event **out_event)
{
    return teeny_fail_forked();
}

static void *event_native(const teeny_event *event)
{
    return NULL;
}

static void event_destroy(teeny_event *event)
{
    free(event);
}

static teeny_status event_record(teeny_event *event, teeny_stream *stream)
{
    return teeny_fail_forked();
}

static teeny_status event_synchronize(teeny_event *event)
{
    return teeny_fail_forked();
}

static teeny_status event_query(teeny_event *event, bool *out_done)
{
    return teeny_fail_forked();
}

static teeny_status event_elapsed(teeny_event *begin, teeny_event *end, double *out_seconds)
{
    return teeny_fail_forked();
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static teeny_status memory_allocate(teeny_device *device, size_t size, void **out_pointer)
{
    return teeny_fail_forked();
}

static void memory_free(teeny_device *device, void *pointer) {}

static teeny_status memory_allocate_async(teeny_stream *stream, size_t size, void **out_pointer)
{
    return teeny_fail_forked();
}

static teeny_status memory_free_async(teeny_stream *stream, void *pointer)
{
    return teeny_fail_forked();
}

static teeny_status memory_adopt(teeny_device *device, void *pointer, size_t size)
{
    return teeny_fail_forked();
}

static teeny_status host_register(teeny_device *device, void *pointer, size_t size)
{
    return teeny_fail_forked();
}

static teeny_status host_unregister(teeny_device *device, void *pointer)
{
    return teeny_fail_forked();
}

static teeny_status copy(
    teeny_stream *stream, const teeny_place *destination, const teeny_place *source, size_t size)
{
    return teeny_fail_forked();
}

static teeny_status fill(teeny_stream *stream, const teeny_fill *fill)
{
    return teeny_fail_forked();
}

/* ---- Code ------------------------------------------------------------------------------------ */

static teeny_status code_load(
    teeny_device *device, const teeny_artifact *artifact, teeny_code **out_code)
{
    return teeny_fail_forked();
}

static void code_unload(teeny_code *code)
{
    free(code);
}

static teeny_status code_resources(teeny_code *code, teeny_resources *out_resources)
{
    return teeny_fail_forked();
}

static teeny_status launch(
    teeny_stream *stream, teeny_code *code, const teeny_grid *grid, const void *arguments)
{
    return teeny_fail_forked();
}

static teeny_status launch_with(teeny_stream *stream, teeny_code *code, const teeny_grid *grid,
    const teeny_launch_options *options, const void *arguments)
{
    return teeny_fail_forked();
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

static teeny_status begin(teeny_stream *stream)
{
    return teeny_fail_forked();
}

static teeny_status end(teeny_stream *stream, void **out_capture)
{
    return teeny_fail_forked();
}

static void drop(teeny_device *device, void *capture) {}

static teeny_status make(teeny_device *device, void *capture, void **out_graph)
{
    return teeny_fail_forked();
}

static teeny_status update(teeny_device *device, void *capture, void **graph)
{
    return teeny_fail_forked();
}

static teeny_status launch_graph(teeny_stream *stream, void *graph)
{
    return teeny_fail_forked();
}

static void destroy(teeny_device *device, void *graph) {}

static teeny_status is_active(teeny_stream *stream, bool *out_active)
{
    return teeny_fail_forked();
}

static const teeny_graph_driver graphs = {
    .begin = begin,
    .end = end,
    .drop = drop,
    .make = make,
    .update = update,
    .launch = launch_graph,
    .destroy = destroy,
    .is_active = is_active,
};

/* No grid is within its limits. */
const teeny_driver teeny_forked_driver = {
    .name = "",
    .targets = "",
    .grid_limit = {-1, -1, -1},
    .device_open = device_open,
    .device_close = device_close,
    .device_synchronize = device_synchronize,
    .device_count = device_count,
    .device_make_current = device_make_current,
    .device_access = device_access,
    .stream_create = stream_create,
    .stream_wrap = stream_wrap,
    .stream_native = stream_native,
    .stream_destroy = stream_destroy,
    .stream_synchronize = stream_synchronize,
    .stream_query = stream_query,
    .stream_wait = stream_wait,
    .stream_call = stream_call,
    .stream_priorities = stream_priorities,
    .event_create = event_create,
    .event_wrap = event_wrap,
    .event_native = event_native,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_synchronize = event_synchronize,
    .event_query = event_query,
    .event_elapsed = event_elapsed,
    .memory_allocate = memory_allocate,
    .memory_free = memory_free,
    .memory_allocate_async = memory_allocate_async,
    .memory_free_async = memory_free_async,
    .memory_adopt = memory_adopt,
    .memory_disown = memory_free,
    .host_allocate = memory_allocate,
    .host_free = memory_free,
    .host_register = host_register,
    .host_unregister = host_unregister,
    .copy = copy,
    .fill = fill,
    .code_load = code_load,
    .code_unload = code_unload,
    .code_resources = code_resources,
    .launch = launch,
    .launch_with = launch_with,
    .graphs = &graphs,
};
/* NOLINTEND(misc-unused-parameters) */
