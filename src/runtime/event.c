/* Events: argument checks, and where they are points of a graph. */
#include "runtime/callback.h"
#include "runtime/recording.h"
#include "runtime/report.h"

/* The driver's part is made; the common one is all zero but for this. */
static void finish(teeny_event *event, teeny_device *device, bool is_timed, bool is_wrapped)
{
    event->device = teeny_device_retain(device);
    event->is_timed = is_timed;
    event->is_wrapped = is_wrapped;
    atomic_store(&event->is_recorded, is_wrapped); /* of others' only the driver knows */
}

teeny_status teeny_event_create(teeny_device *device, bool timed, teeny_event **out_event)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!device || !out_event)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_event_create: %s is NULL",
            device ? "out_event" : "device");
    teeny_event *event;
    teeny_status status = device->driver->event_create(device, timed, &event);
    if (status != TEENY_OK)
        return status;
    finish(event, device, timed, false);
    *out_event = event;
    return TEENY_OK;
}

teeny_status teeny_event_wrap(teeny_device *device, void *native, teeny_event **out_event)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!device || !native || !out_event)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_event_wrap: %s is NULL",
            !device   ? "device"
            : !native ? "the event"
                      : "out_event");
    if (!device->driver->event_wrap)
        return teeny_fail(TEENY_UNSUPPORTED,
            "teeny_event_wrap: device %s has no events but libteeny's", device->name);
    teeny_event *event;
    teeny_status status = device->driver->event_wrap(device, native, &event);
    if (status != TEENY_OK)
        return status;
    finish(event, device, true, true);
    *out_event = event;
    return TEENY_OK;
}

void teeny_event_destroy(teeny_event *event)
{
    if (!event || teeny_callback_ignores(__func__))
        return;
    teeny_device *device = event->device;
    teeny_recording_forget_event(event);
    device->driver->event_destroy(event);
    teeny_device_close(device);
}

static teeny_status fail_null(
    const char *call, const void *first, const char *name, const char *other)
{
    return teeny_fail(TEENY_INVALID_ARGUMENT, "%s: %s is NULL", call, first ? other : name);
}

teeny_status teeny_event_record(teeny_event *event, teeny_stream *stream)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!event || !stream)
        return fail_null("teeny_event_record", event, "event", "stream");
    if (event->device != stream->device)
        return teeny_device_fail_stream(__func__, "the event", event->device, stream);
    const teeny_driver *driver = event->device->driver;
    bool is_point = teeny_stream_is_recorded(stream);
    if (!is_point || driver->graphs) {
        teeny_status status = driver->event_record(event, stream);
        if (status != TEENY_OK)
            return status;
    }
    teeny_recording_mark(event, stream);
    atomic_store(&event->is_recorded, !is_point);
    return TEENY_OK;
}

/* One call orders two streams that the driver cannot order: this thread waits. */
static teeny_status wait_here(teeny_stream *stream, teeny_event *event)
{
    if (teeny_stream_is_recorded(stream))
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "teeny_stream_wait: a stream of %s that is being captured cannot wait for an event of "
            "%s",
            stream->device->name, event->device->name);
    return teeny_event_synchronize(event);
}

teeny_status teeny_stream_wait(teeny_stream *stream, teeny_event *event)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!stream || !event)
        return fail_null("teeny_stream_wait", stream, "stream", "event");
    const teeny_driver *driver = stream->device->driver;
    bool is_shared = stream->device == event->device ||
                     (driver == event->device->driver && driver->shares_events);
    if (!is_shared)
        return wait_here(stream, event);
    bool driver_waits;
    teeny_status status = teeny_recording_wait(stream, event, &driver_waits);
    if (status != TEENY_OK || !driver_waits)
        return status;
    return driver->stream_wait(stream, event);
}

teeny_status teeny_event_synchronize(teeny_event *event)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!event)
        return fail_null("teeny_event_synchronize", event, "event", "");
    teeny_status status = teeny_event_check_uncaptured(event, "teeny_event_synchronize");
    return status == TEENY_OK ? event->device->driver->event_synchronize(event) : status;
}

teeny_status teeny_event_query(teeny_event *event, bool *out_done)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!event || !out_done)
        return fail_null("teeny_event_query", event, "event", "out_done");
    teeny_status status = teeny_event_check_uncaptured(event, "teeny_event_query");
    return status == TEENY_OK ? event->device->driver->event_query(event, out_done) : status;
}

static teeny_status check_time(teeny_event *event, const char *which)
{
    teeny_status status = teeny_event_check_uncaptured(event, "teeny_event_elapsed");
    if (status != TEENY_OK)
        return status;
    if (!event->is_timed || !atomic_load(&event->is_recorded))
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_event_elapsed: %s was %s", which,
            event->is_timed ? "never recorded" : "not made to keep the time");
    return TEENY_OK;
}

teeny_status teeny_event_elapsed(teeny_event *begin, teeny_event *end, double *out_seconds)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!begin || !end || !out_seconds)
        return fail_null("teeny_event_elapsed", begin, "begin", end ? "out_seconds" : "end");
    if (begin->device != end->device)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "teeny_event_elapsed: `begin` is on %s, `end` on %s", begin->device->name,
            end->device->name);
    teeny_status status = check_time(begin, "`begin`");
    if (status == TEENY_OK)
        status = check_time(end, "`end`");
    if (status != TEENY_OK)
        return status;
    return begin->device->driver->event_elapsed(begin, end, out_seconds);
}

void *teeny_event_native(const teeny_event *event)
{
    if (!event || !event->device->driver->event_native)
        return NULL;
    return event->device->driver->event_native(event);
}
