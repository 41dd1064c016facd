/* Events: points in the work of a stream, to wait for, to ask about, and to measure between.
 *
 * An event stands for the last teeny_event_record of it. Where it was never recorded, it is done.
 * Thread-safe.
 */
#ifndef TEENY_EVENT_H
#define TEENY_EVENT_H

#include <teeny/stream.h>

TEENY_BEGIN_C

/* A point in the work of a stream. */
typedef struct teeny_event teeny_event;

/* Makes an event of the device; teeny_event_destroy frees it. With `timed` it keeps the time, at
 * some cost. Errors: TEENY_OUT_OF_MEMORY, TEENY_DEVICE_FAILED. */
TEENY_API teeny_status teeny_event_create(
    teeny_device *device, bool timed, teeny_event **out_event);

/* An event of the driver's, made by others, as one of libteeny's: on cuda an event handle of the
 * driver's or of the CUDA runtime's, of this device. It stays theirs: it must live until the
 * teeny_event is destroyed, and is not destroyed with it. Errors: TEENY_UNSUPPORTED on cpu and emu;
 * TEENY_INVALID_ARGUMENT for NULL. */
TEENY_API teeny_status teeny_event_wrap(
    teeny_device *device, void *native, teeny_event **out_event);

/* Frees the event; those who wait for it go on waiting for what it stood for. NULL is allowed. */
TEENY_API void teeny_event_destroy(teeny_event *event);

/* From now on the event stands for all that was put on the stream so far. Event and stream must be
 * of one device: TEENY_INVALID_ARGUMENT. On a stream that is being captured it is a point in that
 * graph, which streams can wait for until the capture ends, and nobody else. */
TEENY_API teeny_status teeny_event_record(teeny_event *event, teeny_stream *stream);

/* What is put on the stream from now on waits for what the event stands for now. The two may be of
 * different devices; where their drivers do not know each other (anything but two of cuda), the
 * call itself waits. Where the event is a point in a graph that is being captured, the stream joins
 * in: what is put on it is captured too, until the stream that the capture began on has waited for
 * an event of it. TEENY_INVALID_ARGUMENT where a stream that is being captured waits for an event
 * that is not a point of the same graph, or one that is waits for an event of an ended capture. */
TEENY_API teeny_status teeny_stream_wait(teeny_stream *stream, teeny_event *event);

/* Waits in the calling thread until the event is done. TEENY_INVALID_ARGUMENT where it is a point
 * in a graph; TEENY_DEVICE_FAILED. */
TEENY_API teeny_status teeny_event_synchronize(teeny_event *event);

/* Whether the event is done. Does not wait. Errors: as teeny_event_synchronize. */
TEENY_API teeny_status teeny_event_query(teeny_event *event, bool *out_done);

/* The seconds from `begin` to `end`, measured on the device; negative where they came in the other
 * order. Resolution: on cuda half a microsecond. TEENY_INVALID_ARGUMENT where they are of different
 * devices, not timed, not recorded, or not done yet. */
TEENY_API teeny_status teeny_event_elapsed(
    teeny_event *begin, teeny_event *end, double *out_seconds);

/* The event as the device's own driver knows it: on cuda the driver's event handle, NULL elsewhere
 * and for NULL. It lives as long as the event. */
TEENY_API void *teeny_event_native(const teeny_event *event);

TEENY_END_C

#endif
