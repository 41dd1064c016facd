/* What is captured: which streams take part, and what was put on them.
 *
 *   origin:  A ── B ────────── D ── end     operations: A B C D
 *                  \          /             a list in the order in which they were put is one that
 *   joined:         ── C ────               keeps every stream's order and every wait
 *
 * A stream joins in by waiting for an event that is a point of the recording. Where the device's
 * driver makes graphs itself, it sees the same calls, and the list only keeps functions loaded.
 *
 * One mutex guards all recordings: nobody captures often. Recordings are shared by their streams,
 * the events that are points of them, and the graph.
 */
#ifndef TEENY_RUNTIME_RECORDING_H
#define TEENY_RUNTIME_RECORDING_H

#include "runtime/function.h"

typedef enum teeny_operation_kind {
    TEENY_OPERATION_LAUNCH,
    TEENY_OPERATION_COPY,
    TEENY_OPERATION_FILL,
    TEENY_OPERATION_CALL,
} teeny_operation_kind;

/* Something that can be put on a stream. */
typedef struct teeny_operation {
    teeny_operation_kind kind;
    union {
        struct {
            teeny_function *function; /* whose code it is; the recording holds a reference */
            teeny_code *code;
            teeny_grid grid;
            const teeny_launch_options *options; /* NULL in a recording's list */
            void *arguments;                     /* a copy in a recording's list */
        } launch;
        struct {
            teeny_place destination, source;
            size_t size;
        } copy;
        teeny_fill fill;
        struct {
            void (*function)(void *user);
            void *user;
        } call;
    };
} teeny_operation;

typedef struct teeny_recording {
    size_t references;
    teeny_device *device; /* not held: streams and graphs hold it */
    const teeny_stream *origin;
    teeny_stream *members; /* by next_member */
    bool is_over;
    const char *problem; /* why no graph can be made of it; NULL: nothing */
    teeny_operation *operations;
    size_t count, capacity;
} teeny_recording;

/* Whether what is put on the stream is recorded; a hint that only the calls below make certain. */
static inline bool teeny_stream_is_recorded(teeny_stream *stream)
{
    return atomic_load_explicit(&stream->recording, memory_order_relaxed) != NULL;
}

/* Puts an operation on a stream: into its recording, to the driver, or both. */
teeny_status teeny_operation_put(teeny_stream *stream, const teeny_operation *operation);

/* Whether somebody captures the stream, libteeny or another. */
teeny_status teeny_stream_is_captured(teeny_stream *stream, bool *out_captured);

/* Where somebody captures the stream, TEENY_INVALID_ARGUMENT for calls that would have to wait, and
 * TEENY_UNSUPPORTED, with the reason, for what no graph can have. */
teeny_status teeny_stream_check_uncaptured(teeny_stream *stream, const char *call);
teeny_status teeny_stream_check_no_graph(
    teeny_stream *stream, const char *call, const char *reason);

/* Begins a recording on a stream that has none. */
teeny_status teeny_recording_begin(teeny_stream *stream);

/* Ends the one that began on this stream: hands out the caller's reference, also where it has a
 * problem. TEENY_INVALID_ARGUMENT where none began here. */
teeny_status teeny_recording_end(teeny_stream *stream, teeny_recording **out_recording);

void teeny_recording_release(teeny_recording *recording);

/* The event becomes a point of the stream's recording, or of none. */
void teeny_recording_mark(teeny_event *event, const teeny_stream *stream);

/* The stream waits for the event: joins in, if it is a point of a recording. `out_driver_waits`:
 * the driver is to be told. */
teeny_status teeny_recording_wait(teeny_stream *stream, teeny_event *event, bool *out_driver_waits);

/* TEENY_INVALID_ARGUMENT where the event is a point of a recording. */
teeny_status teeny_event_check_uncaptured(teeny_event *event, const char *call);

/* A stream or event that is going to be freed. */
void teeny_recording_forget_stream(teeny_stream *stream);
void teeny_recording_forget_event(teeny_event *event);

#endif
