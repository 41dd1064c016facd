/* Uses everything that streams.h, event.h, buffer.h and graph.h offer once, whatever of it fails,
 * and frees what came of it: for tests in which calls fail. Included by one file of a program,
 * after kernels.h and support.h. */
#ifndef TEENY_TESTS_RUNTIME_EVERYTHING_H
#define TEENY_TESTS_RUNTIME_EVERYTHING_H

#include <stdatomic.h>

enum { EVERYTHING_COUNT = 64, EVERYTHING_BYTES = EVERYTHING_COUNT * (int)sizeof(float) };

typedef struct everything {
    teeny_device *device;
    teeny_stream *stream, *other, *wrapped;
    teeny_event *begin, *end;
    teeny_buffer *x, *out, *ordered, *part;
    teeny_function *function;
    teeny_graph *graph;
    float *host;
    teeny_status worst; /* the first that is not TEENY_OK */
} everything;

static void everything_note(everything *all, teeny_status status)
{
    if (all->worst == TEENY_OK)
        all->worst = status;
}

static void everything_make(everything *all)
{
    const teeny_stream_options urgent = {.priority = -1};
    static const teeny_options options = {.num_warps = 4};
    everything_note(all, teeny_stream_create(all->device, &all->stream));
    everything_note(all, teeny_stream_create_with(all->device, &urgent, &all->other));
    teeny_status wrapped = teeny_stream_wrap(all->device, TEENY_STREAM_PER_THREAD, &all->wrapped);
    if (wrapped != TEENY_UNSUPPORTED)
        everything_note(all, wrapped);
    everything_note(all, teeny_event_create(all->device, true, &all->begin));
    everything_note(all, teeny_event_create(all->device, true, &all->end));
    everything_note(all, teeny_buffer_create(all->device, EVERYTHING_BYTES, &all->x));
    everything_note(all, teeny_buffer_create(all->device, EVERYTHING_BYTES, &all->out));
    if (all->stream)
        everything_note(
            all, teeny_buffer_create_async(all->stream, EVERYTHING_BYTES, &all->ordered));
    if (all->x)
        everything_note(
            all, teeny_buffer_wrap(all->device, teeny_buffer_pointer(all->x), 8, &all->part));
    everything_note(all, teeny_host_allocate(all->device, EVERYTHING_BYTES, (void **)&all->host));
    everything_note(
        all, teeny_load(all->device, &teeny_kernel_vector_add, &options, &all->function));
}

static void everything_called(void *count)
{
    atomic_fetch_add((atomic_int *)count, 1);
}

static void everything_put(everything *all, teeny_stream *stream)
{
    static atomic_int called;
    float *x = teeny_buffer_pointer(all->x), *out = teeny_buffer_pointer(all->out);
    const float one = 1;
    everything_note(all, teeny_buffer_fill(stream, all->x, 0, EVERYTHING_BYTES, &one, sizeof one));
    everything_note(all, TEENY_LAUNCH(vector_add, stream, teeny_grid1(1), out, x, x, 3));
    everything_note(all, TEENY_LAUNCH_FUNCTION(vector_add, all->function, stream, teeny_grid1(1),
                             out, x, x, EVERYTHING_COUNT));
    everything_note(all, teeny_buffer_copy(stream, all->x, 0, all->out, 0, EVERYTHING_BYTES));
    everything_note(
        all, teeny_buffer_write_async(stream, all->out, 0, all->host, EVERYTHING_BYTES));
    everything_note(all, teeny_buffer_read_async(stream, all->x, 0, all->host, EVERYTHING_BYTES));
    everything_note(all, teeny_stream_call(stream, everything_called, &called));
}

static void everything_order(everything *all)
{
    bool answer;
    double seconds;
    int least;
    teeny_resources resources;
    everything_note(all, teeny_event_record(all->begin, all->stream));
    everything_put(all, all->stream);
    everything_note(all, teeny_event_record(all->end, all->stream));
    everything_note(all, teeny_stream_wait(all->other, all->end));
    everything_note(all, teeny_event_synchronize(all->end));
    everything_note(all, teeny_event_query(all->end, &answer));
    everything_note(all, teeny_event_elapsed(all->begin, all->end, &seconds));
    everything_note(all, teeny_stream_query(all->other, &answer));
    everything_note(all, teeny_stream_synchronize(all->other));
    everything_note(all, teeny_stream_synchronize(all->stream));
    everything_note(all, teeny_stream_priorities(all->device, &least, NULL));
    everything_note(all, teeny_kernel_info(all->function, NULL, 0, &resources));
    everything_note(all, teeny_buffer_write(all->stream, all->x, 0, all->host, EVERYTHING_BYTES));
    everything_note(all, teeny_buffer_read(all->stream, all->x, 0, all->host, EVERYTHING_BYTES));
}

static void everything_capture(everything *all)
{
    teeny_status status = teeny_capture_begin(all->stream);
    everything_note(all, status);
    if (status != TEENY_OK)
        return;
    everything_put(all, all->stream);
    everything_note(all, teeny_event_record(all->begin, all->stream));
    everything_note(all, teeny_stream_wait(all->other, all->begin));
    everything_put(all, all->other);
    everything_note(all, teeny_event_record(all->end, all->other));
    everything_note(all, teeny_stream_wait(all->stream, all->end));
    everything_note(all, teeny_capture_end(all->stream, &all->graph));
    if (!all->graph)
        return;
    everything_note(all, teeny_graph_launch(all->graph, all->stream));
    status = teeny_capture_begin(all->stream);
    everything_note(all, status);
    if (status != TEENY_OK)
        return;
    everything_put(all, all->stream);
    everything_note(all, teeny_capture_end_into(all->stream, all->graph));
    everything_note(all, teeny_graph_launch(all->graph, all->other));
}

static void everything_free(everything *all)
{
    teeny_graph_destroy(all->graph);
    teeny_unload(all->function);
    teeny_buffer_destroy(all->part);
    if (!all->stream || teeny_buffer_destroy_async(all->stream, all->ordered) != TEENY_OK)
        teeny_buffer_destroy(all->ordered);
    teeny_event_destroy(all->end);
    teeny_event_destroy(all->begin);
    teeny_stream_destroy(all->wrapped);
    teeny_stream_destroy(all->other);
    teeny_stream_destroy(all->stream);
    teeny_buffer_destroy(all->out);
    teeny_buffer_destroy(all->x);
    teeny_host_free(all->device, all->host);
}

/* TEENY_OK where all of it was. */
static teeny_status use_everything(teeny_device *device)
{
    everything all = {.device = device};
    everything_make(&all);
    if (all.worst == TEENY_OK) {
        memset(all.host, 0, EVERYTHING_BYTES);
        everything_order(&all);
        everything_capture(&all);
    }
    everything_free(&all);
    return all.worst;
}

#endif
