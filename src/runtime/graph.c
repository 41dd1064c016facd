/* Graphs: made of recordings, by the driver or as a list, and launched. */
#include "runtime/callback.h"
#include "runtime/recording.h"
#include "runtime/report.h"

#include <pthread.h>
#include <stdlib.h>

struct teeny_graph {
    teeny_device *device;
    pthread_mutex_t mutex;      /* guards the rest */
    teeny_recording *recording; /* the list, or what keeps the functions of `native` */
    void *native;               /* the driver's */
    teeny_event *last;          /* the end of the last launch of a list */
};

/* ---- Captures -------------------------------------------------------------------------------- */

teeny_status teeny_capture_begin(teeny_stream *stream)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!stream)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_capture_begin: stream is NULL");
    teeny_status status = teeny_stream_check_uncaptured(stream, "teeny_capture_begin");
    if (status != TEENY_OK)
        return status;
    const teeny_graph_driver *graphs = stream->device->driver->graphs;
    if (graphs)
        status = graphs->begin(stream);
    if (status != TEENY_OK)
        return status;
    status = teeny_recording_begin(stream);
    void *capture;
    if (status != TEENY_OK && graphs && graphs->end(stream, &capture) == TEENY_OK)
        graphs->drop(stream->device, capture);
    return status;
}

teeny_status teeny_capture_is_active(teeny_stream *stream, bool *out_active)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!stream || !out_active)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_capture_is_active: %s is NULL",
            stream ? "out_active" : "stream");
    return teeny_stream_is_captured(stream, out_active);
}

/* Ends the stream's capture; the caller gets the recording, and the driver's capture or NULL. */
static teeny_status end(teeny_stream *stream, teeny_recording **out_recording, void **out_capture)
{
    const teeny_graph_driver *graphs = stream->device->driver->graphs;
    void *capture = NULL;
    teeny_status status = teeny_recording_end(stream, out_recording);
    if (status != TEENY_OK)
        return status;
    if (graphs)
        status = graphs->end(stream, &capture);
    if ((*out_recording)->problem) {
        if (status == TEENY_OK && graphs)
            graphs->drop(stream->device, capture);
        status = teeny_fail(TEENY_INVALID_ARGUMENT, "no graph can be made of the capture: %s",
            (*out_recording)->problem);
    }
    if (status != TEENY_OK)
        teeny_recording_release(*out_recording);
    *out_capture = capture;
    return status;
}

/* Ends the stream's capture, if one began on it, and makes nothing of it. */
static void give_up(teeny_stream *stream)
{
    const teeny_graph_driver *graphs = stream->device->driver->graphs;
    teeny_recording *recording;
    void *capture;
    if (end(stream, &recording, &capture) != TEENY_OK)
        return;
    if (graphs)
        graphs->drop(stream->device, capture);
    teeny_recording_release(recording);
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

static teeny_status make_native(teeny_graph *graph, void *capture)
{
    const teeny_graph_driver *graphs = graph->device->driver->graphs;
    if (graphs)
        return graphs->make(graph->device, capture, &graph->native);
    return teeny_event_create(graph->device, false, &graph->last);
}

static teeny_status make(
    teeny_device *device, teeny_recording *recording, void *capture, teeny_graph **out_graph)
{
    const teeny_graph_driver *graphs = device->driver->graphs;
    teeny_graph *graph = calloc(1, sizeof *graph);
    if (!graph) {
        if (graphs)
            graphs->drop(device, capture);
        return teeny_fail_memory();
    }
    graph->device = device;
    teeny_status status = make_native(graph, capture);
    if (status != TEENY_OK) {
        free(graph);
        return status;
    }
    graph->recording = recording;
    pthread_mutex_init(&graph->mutex, NULL);
    teeny_device_retain(device);
    *out_graph = graph;
    return TEENY_OK;
}

teeny_status teeny_capture_end(teeny_stream *stream, teeny_graph **out_graph)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!stream)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_capture_end: stream is NULL");
    if (!out_graph) {
        give_up(stream);
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_capture_end: out_graph is NULL");
    }
    teeny_recording *recording;
    void *capture;
    teeny_status status = end(stream, &recording, &capture);
    if (status != TEENY_OK)
        return status;
    status = make(stream->device, recording, capture, out_graph);
    if (status != TEENY_OK)
        teeny_recording_release(recording);
    return status;
}

/* Makes the graph the captured one. `*recording` is the one that the graph does not have then: the
 * old one, or, where it fails, the new one. */
static teeny_status replace(teeny_graph *graph, void *capture, teeny_recording **recording)
{
    const teeny_graph_driver *graphs = graph->device->driver->graphs;
    teeny_status status = TEENY_OK;
    pthread_mutex_lock(&graph->mutex);
    if (graphs)
        status = graphs->update(graph->device, capture, &graph->native);
    if (status == TEENY_OK) {
        teeny_recording *before = graph->recording;
        graph->recording = *recording;
        *recording = before;
    }
    pthread_mutex_unlock(&graph->mutex);
    return status;
}

teeny_status teeny_capture_end_into(teeny_stream *stream, teeny_graph *graph)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!stream)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_capture_end_into: stream is NULL");
    if (!graph || stream->device != graph->device)
        give_up(stream);
    if (!graph)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_capture_end_into: graph is NULL");
    if (stream->device != graph->device)
        return teeny_device_fail_stream(__func__, "the graph", graph->device, stream);
    teeny_recording *recording;
    void *capture;
    teeny_status status = end(stream, &recording, &capture);
    if (status != TEENY_OK)
        return status;
    status = replace(graph, capture, &recording);
    teeny_recording_release(recording); /* its functions may still be running: that is waited for */
    return status;
}

/* ---- Launches -------------------------------------------------------------------------------- */

static teeny_status put_all(const teeny_recording *recording, teeny_stream *stream)
{
    teeny_status status = TEENY_OK;
    for (size_t i = 0; i < recording->count && status == TEENY_OK; i++)
        status = teeny_operation_put(stream, &recording->operations[i]);
    return status;
}

/* With the graph's mutex held: behind the launch before this one. */
static teeny_status launch_list(teeny_graph *graph, teeny_stream *stream)
{
    const teeny_driver *driver = graph->device->driver;
    teeny_status status = driver->stream_wait(stream, graph->last);
    if (status == TEENY_OK)
        status = put_all(graph->recording, stream);
    teeny_status end = driver->event_record(graph->last, stream);
    return status == TEENY_OK ? end : status;
}

teeny_status teeny_graph_launch(teeny_graph *graph, teeny_stream *stream)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!graph || !stream)
        return teeny_fail(
            TEENY_INVALID_ARGUMENT, "teeny_graph_launch: %s is NULL", graph ? "stream" : "graph");
    if (graph->device != stream->device)
        return teeny_device_fail_stream(__func__, "the graph", graph->device, stream);
    /* The driver has no such thing; a list could be put into a list. */
    teeny_status status = teeny_stream_check_no_graph(
        stream, "teeny_graph_launch", ", and a graph cannot be a part of another");
    if (status != TEENY_OK)
        return status;
    const teeny_graph_driver *graphs = graph->device->driver->graphs;
    pthread_mutex_lock(&graph->mutex);
    status = graphs ? graphs->launch(stream, graph->native) : launch_list(graph, stream);
    pthread_mutex_unlock(&graph->mutex);
    return status;
}

void teeny_graph_destroy(teeny_graph *graph)
{
    if (!graph || teeny_callback_ignores(__func__))
        return;
    teeny_device *device = graph->device;
    device->driver->device_synchronize(device);
    if (device->driver->graphs)
        device->driver->graphs->destroy(device, graph->native);
    teeny_event_destroy(graph->last);
    teeny_recording_release(graph->recording);
    pthread_mutex_destroy(&graph->mutex);
    free(graph);
    teeny_device_close(device);
}
