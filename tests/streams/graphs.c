/* Graphs that libteeny captures. */
#include "check.h"

#include <pthread.h>
#include <stdio.h>

static int calls;

static void count_call(void *user)
{
    *(int *)user += 1;
}

/* fill x with `start`, add 1 to it, out = x * factor, read out: one step of each kind but one. */
static teeny_status put_steps(
    teeny_buffer *x, teeny_buffer *out, float start, float factor, float *result)
{
    teeny_status status = teeny_buffer_fill(stream, x, 0, BYTES, &start, sizeof start);
    if (status == TEENY_OK)
        status = TEENY_LAUNCH(add_one, stream, teeny_grid1(4), check_floats(x), COUNT);
    if (status == TEENY_OK)
        status = TEENY_LAUNCH(
            scale, stream, teeny_grid1(4), check_floats(out), check_floats(x), factor, COUNT);
    if (status == TEENY_OK)
        status = teeny_buffer_read_async(stream, out, 0, result, BYTES);
    return status;
}

static void captured_and_launched(void)
{
    teeny_buffer *x = check_buffer(BYTES), *out = check_buffer(BYTES);
    float *result = check_pinned(BYTES);
    teeny_graph *graph;
    bool is_active;
    calls = 0;
    result[0] = -1;
    OK(teeny_capture_begin(stream));
    OK(teeny_capture_is_active(stream, &is_active));
    REQUIRE(is_active, "the stream is not said to be captured");
    OK(put_steps(x, out, 4, 10, result));
    OK(teeny_stream_call(stream, count_call, &calls));
    OK(teeny_capture_end(stream, &graph));
    OK(teeny_capture_is_active(stream, &is_active));
    REQUIRE(!is_active, "the stream is still said to be captured");
    OK(teeny_stream_synchronize(stream));
    REQUIRE(result[0] == -1 && calls == 0, "what was captured has run");
    for (int i = 1; i <= 3; i++) {
        result[COUNT - 1] = 0;
        OK(teeny_graph_launch(graph, stream));
        OK(teeny_stream_synchronize(stream));
        EQUAL(result[0], 50);
        EQUAL(result[COUNT - 1], 50);
        EQUAL(calls, i);
    }
    teeny_graph_destroy(graph);
    teeny_graph_destroy(NULL);
}

static void arguments_are_updated(void)
{
    teeny_buffer *x = check_buffer(BYTES), *out = check_buffer(BYTES);
    float *result = check_pinned(BYTES);
    teeny_graph *graph;
    OK(teeny_capture_begin(stream));
    OK(put_steps(x, out, 1, 10, result));
    OK(teeny_capture_end(stream, &graph));
    for (int i = 0; i < 3; i++) {
        OK(teeny_capture_begin(stream));
        OK(put_steps(x, out, (float)i, 5, result));
        OK(teeny_capture_end_into(stream, graph));
        OK(teeny_graph_launch(graph, stream));
        OK(teeny_stream_synchronize(stream));
        EQUAL(result[3], 5 * (i + 1));
    }
    OK(teeny_capture_begin(stream)); /* other steps */
    OK(put_steps(x, out, 1, 7, result));
    OK(TEENY_LAUNCH(add_one, stream, teeny_grid1(4), check_floats(out), COUNT));
    OK(teeny_buffer_read_async(stream, out, 0, result, BYTES));
    OK(teeny_capture_end_into(stream, graph));
    OK(teeny_graph_launch(graph, stream));
    OK(teeny_stream_synchronize(stream));
    EQUAL(result[3], 15);
    teeny_graph_destroy(graph);
}

/* stream: spin ── event ──────────── wait ── add
 * other:            └── copy, scale ──┘            */
static void streams_join(void)
{
    enum { SIZE = SPIN_COUNT * sizeof(float) };
    teeny_buffer *x = check_buffer(SIZE), *out = check_buffer(SIZE);
    teeny_stream *other = check_stream();
    teeny_event *fork = check_event(false), *joined = check_event(false);
    float *result = check_pinned(SIZE);
    const float zero = 0;
    teeny_graph *graph;
    bool is_active;
    OK(teeny_capture_begin(stream));
    OK(teeny_buffer_fill(stream, x, 0, SIZE, &zero, sizeof zero));
    OK(check_spin(stream, check_floats(x)));
    OK(teeny_event_record(fork, stream));
    OK(teeny_stream_wait(other, fork));
    OK(teeny_capture_is_active(other, &is_active));
    REQUIRE(is_active, "the stream that waits for an event of the capture did not join");
    OK(TEENY_LAUNCH(
        scale, other, teeny_grid1(1), check_floats(out), check_floats(x), 4.0f, SPIN_COUNT));
    OK(teeny_event_record(joined, other));
    OK(teeny_stream_wait(stream, joined));
    OK(TEENY_LAUNCH(add_one, stream, teeny_grid1(1), check_floats(out), SPIN_COUNT));
    OK(teeny_buffer_read_async(stream, out, 0, result, SIZE));
    OK(teeny_capture_end(stream, &graph));
    for (int i = 0; i < 2; i++) {
        result[0] = 0;
        OK(teeny_graph_launch(graph, stream));
        OK(teeny_stream_synchronize(stream));
        EQUAL(result[0], 9);
    }
    OK(teeny_stream_synchronize(other));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_event_synchronize(joined));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_stream_wait(other, joined));
    OK(teeny_event_record(joined, other));
    OK(teeny_event_synchronize(joined));
    teeny_graph_destroy(graph);
}

static void streams_that_do_not_come_back(void)
{
    teeny_buffer *x = check_buffer(BYTES);
    teeny_stream *other = check_stream();
    teeny_event *fork = check_event(false), *early = check_event(false);
    teeny_graph *graph = NULL;
    float result;
    OK(teeny_capture_begin(stream));
    OK(teeny_event_record(fork, stream));
    OK(teeny_stream_wait(other, fork));
    OK(teeny_event_record(early, other));
    OK(teeny_stream_wait(stream, early));
    OK(TEENY_LAUNCH(add_one, other, teeny_grid1(4), check_floats(x), COUNT));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_capture_end(other, &graph));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_capture_end(stream, &graph));
    REQUIRE(!graph, "a graph came out of it");
    GIVES(TEENY_INVALID_ARGUMENT, teeny_capture_end(stream, &graph));
    for (int i = 0; i < 2; i++) { /* both streams are as before */
        teeny_stream *on = i ? other : stream;
        OK(teeny_buffer_write(on, x, 0, &(float){1}, sizeof result));
        OK(TEENY_LAUNCH(add_one, on, teeny_grid1(1), check_floats(x), 1));
        OK(teeny_buffer_read(on, x, 0, &result, sizeof result));
        EQUAL(result, 2);
    }
}

static void what_cannot_be_captured(void)
{
    teeny_buffer *x = check_buffer(BYTES), *out = check_buffer(BYTES), *none;
    teeny_event *before = check_event(false);
    float *result = check_pinned(BYTES);
    teeny_graph *inner, *graph;
    bool is_done;
    OK(teeny_capture_begin(stream));
    OK(put_steps(x, out, 1, 2, result));
    OK(teeny_capture_end(stream, &inner));
    OK(teeny_event_record(before, stream));
    OK(teeny_capture_begin(stream));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_capture_begin(stream));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_stream_synchronize(stream));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_stream_query(stream, &is_done));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_buffer_write(stream, x, 0, result, 4));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_buffer_read(stream, x, 0, result, 4));
    GIVES(TEENY_UNSUPPORTED, teeny_buffer_create_async(stream, 4, &none));
    GIVES(TEENY_UNSUPPORTED, teeny_buffer_destroy_async(stream, x));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_stream_wait(stream, before));
    GIVES(TEENY_UNSUPPORTED, teeny_graph_launch(inner, stream));
    OK(put_steps(x, out, 3, 2, result));
    OK(teeny_capture_end(stream, &graph)); /* none of it did harm */
    OK(teeny_graph_launch(graph, stream));
    OK(teeny_stream_synchronize(stream));
    EQUAL(result[0], 8);
    teeny_graph_destroy(graph);
    teeny_graph_destroy(inner);
}

/* What is made, loaded and freed meanwhile is no part of the graph, and does not spoil it. */
static void other_work_during_a_capture(void)
{
    teeny_buffer *x = check_buffer(BYTES), *out = check_buffer(BYTES), *made;
    teeny_stream *other;
    teeny_event *event;
    float *result = check_pinned(BYTES);
    teeny_graph *graph;
    void *host;
    OK(teeny_capture_begin(stream));
    OK(teeny_buffer_fill(stream, x, 0, BYTES, &(float){6}, sizeof(float)));
    OK(TEENY_LAUNCH(
        cold_own, stream, teeny_grid1(4), check_floats(out), check_floats(x), 2.0f, COUNT));
    OK(TEENY_LAUNCH(
        cold_own, stream, teeny_grid1(1), check_floats(out) + 1, check_floats(x) + 1, 3.0f, 256));
    OK(teeny_buffer_create(device, BYTES, &made));
    OK(teeny_host_allocate(device, BYTES, &host));
    OK(teeny_event_create(device, true, &event));
    OK(teeny_stream_create(device, &other));
    OK(TEENY_LAUNCH(add_one, other, teeny_grid1(1), check_floats(made), 1));
    OK(teeny_event_record(event, other));
    OK(teeny_event_synchronize(event));
    OK(teeny_stream_synchronize(other));
    teeny_event_destroy(event);
    teeny_stream_destroy(other);
    teeny_host_free(device, host);
    teeny_buffer_destroy(made);
    OK(teeny_buffer_read_async(stream, out, 0, result, BYTES));
    OK(teeny_capture_end(stream, &graph));
    OK(teeny_graph_launch(graph, stream));
    OK(teeny_stream_synchronize(stream));
    EQUAL(result[0], 12);
    EQUAL(result[1], 18);
    EQUAL(result[COUNT - 1], 12);
    teeny_graph_destroy(graph);
}

static void functions_stay_loaded(void)
{
    teeny_buffer *x = check_buffer(BYTES), *out = check_buffer(BYTES);
    teeny_options options = {.meta = {{"BLOCK", 128}}};
    teeny_function *function;
    teeny_graph *graph;
    float *result = check_pinned(BYTES);
    OK(teeny_buffer_fill(stream, x, 0, BYTES, &(float){3}, sizeof(float)));
    OK(teeny_load(device, TEENY_KERNEL_OF(scale), &options, &function));
    OK(teeny_capture_begin(stream));
    OK(TEENY_LAUNCH_FUNCTION(
        scale, function, stream, teeny_grid1(8), check_floats(out), check_floats(x), 5.0f, COUNT));
    OK(teeny_buffer_read_async(stream, out, 0, result, BYTES));
    teeny_unload(function);
    OK(teeny_capture_end(stream, &graph));
    OK(teeny_graph_launch(graph, stream));
    OK(teeny_stream_synchronize(stream));
    EQUAL(result[COUNT - 1], 15);
    teeny_graph_destroy(graph);
}

/* Launches of one graph on two streams follow each other. */
static void one_graph_on_two_streams(void)
{
    teeny_buffer *x = check_buffer(BYTES);
    teeny_stream *other = check_stream();
    teeny_graph *graph;
    float result;
    OK(teeny_capture_begin(stream));
    OK(TEENY_LAUNCH(add_one, stream, teeny_grid1(4), check_floats(x), COUNT));
    OK(TEENY_LAUNCH(add_one, stream, teeny_grid1(4), check_floats(x), COUNT));
    OK(teeny_capture_end(stream, &graph));
    OK(teeny_buffer_fill(stream, x, 0, BYTES, &(float){0}, sizeof(float)));
    OK(teeny_stream_synchronize(stream));
    for (int i = 0; i < 10; i++)
        OK(teeny_graph_launch(graph, i % 2 ? other : stream));
    OK(teeny_stream_synchronize(stream));
    OK(teeny_stream_synchronize(other));
    OK(teeny_buffer_read(stream, x, 0, &result, sizeof result));
    EQUAL(result, 20);
    teeny_graph_destroy(graph);
}

static teeny_buffer *target;
static teeny_graph *made_elsewhere;
static teeny_status thread_status;

static void *go_on(void *unused)
{
    thread_status = TEENY_LAUNCH(add_one, stream, teeny_grid1(4), check_floats(target), COUNT);
    if (thread_status == TEENY_OK)
        thread_status = teeny_capture_end(stream, &made_elsewhere);
    return unused;
}

static void another_thread_goes_on(void)
{
    float result;
    pthread_t thread;
    target = check_buffer(BYTES);
    OK(teeny_buffer_write(stream, target, 0, &(float){8}, sizeof result));
    OK(teeny_capture_begin(stream));
    REQUIRE(pthread_create(&thread, NULL, go_on, NULL) == 0, "no thread");
    pthread_join(thread, NULL);
    OK(thread_status);
    OK(teeny_graph_launch(made_elsewhere, stream));
    OK(teeny_buffer_read(stream, target, 0, &result, sizeof result));
    EQUAL(result, 9);
    teeny_graph_destroy(made_elsewhere);
}

static void streams_die_while_captured(void)
{
    teeny_buffer *x = check_buffer(BYTES);
    teeny_stream *origin, *joined;
    teeny_event *event = check_event(false);
    teeny_graph *graph = NULL;
    OK(teeny_stream_create(device, &origin));
    OK(teeny_stream_create(device, &joined));
    OK(teeny_capture_begin(origin));
    OK(TEENY_LAUNCH(add_one, origin, teeny_grid1(4), check_floats(x), COUNT));
    OK(teeny_event_record(event, origin));
    OK(teeny_stream_wait(joined, event));
    teeny_stream_destroy(joined);
    REQUIRE(teeny_capture_end(origin, &graph) != TEENY_OK, "a graph came out of it");
    OK(teeny_capture_begin(origin));
    OK(TEENY_LAUNCH(add_one, origin, teeny_grid1(4), check_floats(x), COUNT));
    teeny_stream_destroy(origin);
    OK(teeny_event_record(event, stream));
    OK(teeny_event_synchronize(event));
}

/* What a graph saves. */
static void cost_of_launches(void)
{
    enum { STEPS = 200 };
    teeny_buffer *x = check_buffer(BYTES);
    teeny_graph *graph;
    float result;
    OK(teeny_buffer_fill(stream, x, 0, BYTES, &(float){0}, sizeof(float)));
    OK(teeny_capture_begin(stream));
    for (int i = 0; i < STEPS; i++)
        OK(TEENY_LAUNCH(add_one, stream, teeny_grid1(1), check_floats(x), 1));
    OK(teeny_capture_end(stream, &graph));
    OK(teeny_graph_launch(graph, stream));
    OK(teeny_stream_synchronize(stream));
    double one_by_one = check_seconds();
    for (int i = 0; i < STEPS; i++)
        OK(TEENY_LAUNCH(add_one, stream, teeny_grid1(1), check_floats(x), 1));
    OK(teeny_stream_synchronize(stream));
    one_by_one = check_seconds() - one_by_one;
    double as_graph = check_seconds();
    OK(teeny_graph_launch(graph, stream));
    OK(teeny_stream_synchronize(stream));
    as_graph = check_seconds() - as_graph;
    OK(teeny_buffer_read(stream, x, 0, &result, sizeof result));
    EQUAL(result, 3 * STEPS);
    teeny_graph_destroy(graph);
    check_note("%d launches: %.0f us, as a graph %.0f us", STEPS, one_by_one * 1e6, as_graph * 1e6);
}

const check_row check_graphs[] = {
    {"a graph of all steps, launched three times", captured_and_launched, ANY_DEVICE},
    {"a graph's arguments and steps are updated", arguments_are_updated, ANY_DEVICE},
    {"streams join a capture and come back", streams_join, ANY_DEVICE},
    {"streams that join and do not come back", streams_that_do_not_come_back, ANY_DEVICE},
    {"what a capture refuses leaves it whole", what_cannot_be_captured, ANY_DEVICE},
    {"loading, allocating and freeing during a capture", other_work_during_a_capture, ANY_DEVICE},
    {"a graph keeps its functions loaded", functions_stay_loaded, ANY_DEVICE},
    {"one graph on two streams", one_graph_on_two_streams, ANY_DEVICE},
    {"another thread goes on with a capture", another_thread_goes_on, ANY_DEVICE},
    {"streams die while they are captured", streams_die_while_captured, ANY_DEVICE},
    {"what a graph saves", cost_of_launches, ANY_DEVICE},
    {NULL, NULL, ANY_DEVICE},
};
