/* See recording.h. */
#include "runtime/recording.h"

#include "runtime/fork.h"
#include "runtime/report.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void start_anew(void)
{
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
TEENY_AFTER_FORK(start_anew)

/* ---- Operations ------------------------------------------------------------------------------ */

static bool has_room(teeny_recording *recording)
{
    if (recording->count < recording->capacity)
        return true;
    size_t capacity = recording->capacity ? 2 * recording->capacity : 16;
    teeny_operation *grown = realloc(recording->operations, capacity * sizeof *grown);
    if (!grown)
        return false;
    recording->operations = grown;
    recording->capacity = capacity;
    return true;
}

/* A driver that makes graphs itself has the arguments; the list then only holds the function. */
static bool keep_launch(teeny_operation *launch, bool with_arguments)
{
    teeny_function *function = launch->launch.function;
    const void *arguments = launch->launch.arguments;
    launch->launch.arguments = NULL;
    launch->launch.options = NULL;
    if (with_arguments) {
        launch->launch.arguments = malloc(function->arguments_size + 1);
        if (!launch->launch.arguments)
            return false;
        memcpy(launch->launch.arguments, arguments, function->arguments_size);
    }
    atomic_fetch_add(&function->references, 1);
    return true;
}

static bool add(teeny_recording *recording, const teeny_operation *operation, bool is_list)
{
    bool is_launch = operation->kind == TEENY_OPERATION_LAUNCH;
    if (!is_list && !is_launch)
        return true;
    if (!has_room(recording))
        return false;
    teeny_operation *kept = &recording->operations[recording->count];
    *kept = *operation;
    if (is_launch && !keep_launch(kept, is_list))
        return false;
    recording->count++;
    return true;
}

static void count_step(teeny_stream *stream)
{
    stream->steps++;
    stream->is_waited_for = false;
}

/* Notes the operation, if the stream is still being recorded. */
static teeny_status note(teeny_stream *stream, const teeny_operation *operation, bool *out_recorded)
{
    bool is_list = !stream->device->driver->graphs;
    teeny_status status = TEENY_OK;
    pthread_mutex_lock(&mutex);
    teeny_recording *recording = stream->recording;
    *out_recorded = recording != NULL;
    if (recording && !add(recording, operation, is_list)) {
        recording->problem = "memory ran out in it";
        status = teeny_fail_memory();
    } else if (recording) {
        count_step(stream);
    }
    pthread_mutex_unlock(&mutex);
    return status;
}

static teeny_status launch(teeny_stream *stream, const teeny_operation *operation)
{
    const teeny_driver *driver = stream->device->driver;
    const teeny_launch_options *options = operation->launch.options;
    if (options && driver->launch_with)
        return driver->launch_with(stream, operation->launch.code, &operation->launch.grid, options,
            operation->launch.arguments);
    return driver->launch(
        stream, operation->launch.code, &operation->launch.grid, operation->launch.arguments);
}

static teeny_status run(teeny_stream *stream, const teeny_operation *operation)
{
    const teeny_driver *driver = stream->device->driver;
    switch (operation->kind) {
    case TEENY_OPERATION_LAUNCH:
        return launch(stream, operation);
    case TEENY_OPERATION_COPY:
        return driver->copy(
            stream, &operation->copy.destination, &operation->copy.source, operation->copy.size);
    case TEENY_OPERATION_FILL:
        return driver->fill(stream, &operation->fill);
    case TEENY_OPERATION_CALL:
        return driver->stream_call(stream, operation->call.function, operation->call.user);
    }
    return TEENY_OK;
}

teeny_status teeny_operation_put(teeny_stream *stream, const teeny_operation *operation)
{
    if (teeny_stream_is_recorded(stream)) {
        bool recorded;
        teeny_status status = note(stream, operation, &recorded);
        if (status != TEENY_OK || (recorded && !stream->device->driver->graphs))
            return status;
    }
    return run(stream, operation);
}

/* ---- Recordings ------------------------------------------------------------------------------ */

static void free_recording(teeny_recording *recording)
{
    for (size_t i = 0; i < recording->count; i++) {
        if (recording->operations[i].kind != TEENY_OPERATION_LAUNCH)
            continue;
        free(recording->operations[i].launch.arguments);
        teeny_function_release(recording->operations[i].launch.function);
    }
    free(recording->operations);
    free(recording);
}

void teeny_recording_release(teeny_recording *recording)
{
    if (!recording)
        return;
    pthread_mutex_lock(&mutex);
    bool last = --recording->references == 0;
    pthread_mutex_unlock(&mutex);
    if (last)
        free_recording(recording);
}

/* With the mutex held. */
static void join(teeny_recording *recording, teeny_stream *stream)
{
    stream->steps = 0;
    stream->is_waited_for = false;
    stream->next_member = recording->members;
    recording->members = stream;
    stream->recording = recording;
}

teeny_status teeny_recording_begin(teeny_stream *stream)
{
    teeny_recording *recording = calloc(1, sizeof *recording);
    if (!recording)
        return teeny_fail_memory();
    recording->references = 1;
    recording->device = stream->device;
    recording->origin = stream;
    pthread_mutex_lock(&mutex);
    join(recording, stream);
    pthread_mutex_unlock(&mutex);
    return TEENY_OK;
}

/* With the mutex held: its streams are as before. */
static void end(teeny_recording *recording)
{
    while (recording->members) {
        teeny_stream *stream = recording->members;
        recording->members = stream->next_member;
        if (stream != recording->origin && !stream->is_waited_for)
            recording->problem = "a stream that joined in was not waited for at its end";
        stream->recording = NULL;
    }
    recording->is_over = true;
}

teeny_status teeny_recording_end(teeny_stream *stream, teeny_recording **out_recording)
{
    pthread_mutex_lock(&mutex);
    teeny_recording *recording = stream->recording;
    bool is_origin = recording && recording->origin == stream;
    if (is_origin)
        end(recording);
    pthread_mutex_unlock(&mutex);
    if (!is_origin)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "no capture began on this stream%s",
            recording ? ": it joined one that began on another" : "");
    *out_recording = recording;
    return TEENY_OK;
}

/* With the mutex held. */
static void leave(teeny_recording *recording, teeny_stream *stream)
{
    teeny_stream **link = &recording->members;
    while (*link != stream)
        link = &(*link)->next_member;
    *link = stream->next_member;
    stream->recording = NULL;
    recording->problem = "a stream of it was destroyed";
}

void teeny_recording_forget_stream(teeny_stream *stream)
{
    if (!teeny_stream_is_recorded(stream))
        return;
    pthread_mutex_lock(&mutex);
    teeny_recording *recording = stream->recording;
    bool is_origin = recording && recording->origin == stream;
    if (is_origin)
        end(recording);
    else if (recording)
        leave(recording, stream);
    pthread_mutex_unlock(&mutex);
    if (!is_origin)
        return;
    const teeny_graph_driver *graphs = stream->device->driver->graphs;
    void *capture;
    if (graphs && graphs->end(stream, &capture) == TEENY_OK)
        graphs->drop(stream->device, capture);
    teeny_recording_release(recording);
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* With the mutex held: the event stands for something else from now on. The recording that it was a
 * point of, or NULL, is the caller's to release once the mutex is not held any more. */
static teeny_recording *set_point(
    teeny_event *event, teeny_recording *recording, const teeny_stream *stream, uint64_t step)
{
    teeny_recording *before = event->recording;
    if (recording)
        recording->references++;
    event->recording = recording;
    event->stream = stream;
    event->step = step;
    return before;
}

void teeny_recording_mark(teeny_event *event, const teeny_stream *stream)
{
    if (!atomic_load(&event->recording) && !atomic_load(&stream->recording))
        return;
    pthread_mutex_lock(&mutex);
    teeny_recording *before = set_point(event, stream->recording, stream, stream->steps);
    pthread_mutex_unlock(&mutex);
    teeny_recording_release(before);
}

void teeny_recording_forget_event(teeny_event *event)
{
    if (!atomic_load(&event->recording))
        return;
    pthread_mutex_lock(&mutex);
    teeny_recording *before = set_point(event, NULL, NULL, 0);
    pthread_mutex_unlock(&mutex);
    teeny_recording_release(before);
}

static teeny_stream *find_member(const teeny_recording *recording, const teeny_stream *stream)
{
    teeny_stream *member = recording->members;
    while (member && member != stream)
        member = member->next_member;
    return member;
}

/* With the mutex held: the stream waits for a point of a recording. */
static teeny_status wait_for_point(teeny_stream *stream, const teeny_event *event)
{
    teeny_recording *recording = event->recording;
    if (recording->is_over)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "the event is a point of a capture that has ended: record it anew");
    if (stream->recording && stream->recording != recording)
        return teeny_fail(
            TEENY_INVALID_ARGUMENT, "the event is a point of another capture than the stream's");
    if (stream->device != recording->device)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "a stream of %s cannot join a capture of %s",
            stream->device->name, recording->device->name);
    teeny_stream *waited_for = find_member(recording, event->stream);
    if (waited_for == stream)
        return TEENY_OK;
    if (!stream->recording)
        join(recording, stream);
    count_step(stream);
    if (waited_for && waited_for->steps == event->step)
        waited_for->is_waited_for = true;
    return TEENY_OK;
}

/* Of others' events only the driver knows what they stand for. */
static teeny_status wait_outside(const teeny_event *event)
{
    if (event->is_wrapped || !atomic_load(&event->is_recorded))
        return TEENY_OK;
    return teeny_fail(TEENY_INVALID_ARGUMENT,
        "a stream that is being captured can only wait for events of the same capture");
}

teeny_status teeny_recording_wait(teeny_stream *stream, teeny_event *event, bool *out_driver_waits)
{
    *out_driver_waits = true;
    if (!atomic_load(&event->recording) && !atomic_load(&stream->recording))
        return TEENY_OK;
    teeny_status status = TEENY_OK;
    pthread_mutex_lock(&mutex);
    if (event->recording)
        status = wait_for_point(stream, event);
    else if (stream->recording)
        status = wait_outside(event);
    *out_driver_waits = stream->device->driver->graphs != NULL;
    pthread_mutex_unlock(&mutex);
    return status;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

teeny_status teeny_stream_is_captured(teeny_stream *stream, bool *out_captured)
{
    const teeny_graph_driver *graphs = stream->device->driver->graphs;
    bool is_recorded = teeny_stream_is_recorded(stream);
    if (!is_recorded && graphs)
        return graphs->is_active(stream, out_captured);
    *out_captured = is_recorded;
    return TEENY_OK;
}

static teeny_status check(
    teeny_stream *stream, teeny_status refusal, const char *call, const char *reason)
{
    bool is_captured;
    teeny_status status = teeny_stream_is_captured(stream, &is_captured);
    if (status != TEENY_OK || !is_captured)
        return status;
    teeny_message_set(refusal, "%s: the stream is being captured%s", call, reason);
    return refusal;
}

teeny_status teeny_stream_check_uncaptured(teeny_stream *stream, const char *call)
{
    return check(stream, TEENY_INVALID_ARGUMENT, call, ", and what is put on it does not run");
}

teeny_status teeny_stream_check_no_graph(teeny_stream *stream, const char *call, const char *reason)
{
    return check(stream, TEENY_UNSUPPORTED, call, reason);
}

teeny_status teeny_event_check_uncaptured(teeny_event *event, const char *call)
{
    if (!atomic_load(&event->recording))
        return TEENY_OK;
    return teeny_fail(TEENY_INVALID_ARGUMENT,
        "%s: the event is a point of a graph, which streams can only wait for while it is captured",
        call);
}
