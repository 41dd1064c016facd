/* Captures that others began, in the strictest mode: what libteeny may do in the middle of them. */
#include "check.h"

#include "raw.h"

#include <pthread.h>

enum { GLOBAL_MODE = 0, ACTIVE = 1 };

static void *native; /* NULL: no capture is under way */
static teeny_stream *wrapped;

static void begin(void)
{
    void *made;
    REQUIRE(raw_open(), "no driver");
    RAW(raw.stream_create(&made, 1));
    native = made;
    OK(teeny_stream_wrap(device, native, &wrapped));
    RAW(raw.begin_capture(native, GLOBAL_MODE));
}

void check_end_capture(void)
{
    void *graph = NULL;
    if (!native)
        return;
    if (raw.end_capture(native, &graph) == 0)
        raw.graph_destroy(graph);
    teeny_stream_destroy(wrapped);
    raw.stream_destroy(native);
    native = NULL;
    raw_close();
}

/* Says which call spoils a capture. */
#define WHOLE_AFTER(call)                                                                          \
    do {                                                                                           \
        int status_ = -1, result_ = raw.is_capturing(native, &status_);                            \
        REQUIRE(result_ == 0 && status_ == ACTIVE,                                                 \
            "the capture is spoiled after %s: cuStreamIsCapturing gives %d, status %d", call,      \
            result_, status_);                                                                     \
    } while (0)

/* Ends the capture, and launches what came out of it. */
static void end_and_launch(void)
{
    void *graph, *launchable;
    RAW(raw.end_capture(native, &graph));
    RAW(raw.graph_instantiate(&launchable, graph, 0));
    RAW(raw.graph_launch(launchable, native));
    RAW(raw.stream_synchronize(native));
    RAW(raw.graph_exec_destroy(launchable));
    RAW(raw.graph_destroy(graph));
    teeny_stream_destroy(wrapped);
    RAW(raw.stream_destroy(native));
    native = NULL;
    raw_close();
}

static void first_launch_in_a_capture(void)
{
    teeny_buffer *x = check_buffer(BYTES), *out = check_buffer(BYTES);
    float result[2];
    OK(teeny_buffer_fill(stream, x, 0, BYTES, &(float){3}, sizeof(float)));
    OK(teeny_stream_synchronize(stream));
    begin();
    OK(TEENY_LAUNCH(
        cold_foreign, wrapped, teeny_grid1(4), check_floats(out), check_floats(x), 2.0f, COUNT));
    WHOLE_AFTER("the first launch of a kernel");
    OK(TEENY_LAUNCH(cold_foreign, wrapped, teeny_grid1(1), check_floats(out) + 1,
        check_floats(x) + 1, 5.0f, 255));
    WHOLE_AFTER("a launch with arguments of another kind");
    end_and_launch();
    OK(teeny_buffer_read(stream, out, 0, result, sizeof result));
    EQUAL(result[0], 6);
    EQUAL(result[1], 15);
}

static void copies_in_a_capture(void)
{
    teeny_buffer *x = check_buffer(BYTES), *y = check_buffer(BYTES);
    float *from = check_pinned(BYTES), *to = check_pinned(BYTES);
    from[COUNT - 1] = 9;
    begin();
    OK(teeny_buffer_write_async(wrapped, x, 0, from, BYTES));
    OK(teeny_buffer_fill(wrapped, x, 0, 4, &(float){8}, sizeof(float)));
    OK(teeny_buffer_copy(wrapped, y, 0, x, 0, BYTES));
    OK(teeny_buffer_read_async(wrapped, y, 0, to, BYTES));
    WHOLE_AFTER("copies and a fill");
    end_and_launch();
    EQUAL(to[0], 8);
    EQUAL(to[COUNT - 1], 9);
}

static void refusals_in_a_capture(void)
{
    teeny_buffer *x = check_buffer(BYTES);
    float *to = check_pinned(BYTES);
    bool answer;
    begin();
    GIVES(TEENY_INVALID_ARGUMENT, teeny_stream_synchronize(wrapped));
    WHOLE_AFTER("a refused teeny_stream_synchronize");
    GIVES(TEENY_INVALID_ARGUMENT, teeny_stream_query(wrapped, &answer));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_buffer_read(wrapped, x, 0, to, 4));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_buffer_write(wrapped, x, 0, to, 4));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_capture_begin(wrapped));
    WHOLE_AFTER("refused copies");
    OK(teeny_capture_is_active(wrapped, &answer));
    REQUIRE(answer, "the stream is not said to be captured");
    OK(teeny_buffer_fill(wrapped, x, 0, BYTES, &(float){1}, sizeof(float)));
    end_and_launch();
}

static void objects_in_a_capture(void)
{
    teeny_buffer *made, *ordered, *x = check_buffer(BYTES);
    teeny_stream *other, *again;
    teeny_event *event;
    teeny_graph *graph;
    teeny_function *function;
    teeny_resources resources;
    const teeny_options options = {.meta = {{"BLOCK", 512}}};
    void *host;
    bool is_done;
    float result;
    begin();
    OK(TEENY_LAUNCH(add_one, wrapped, teeny_grid1(4), check_floats(x), COUNT));
    OK(teeny_buffer_create(device, BYTES, &made));
    WHOLE_AFTER("teeny_buffer_create");
    OK(teeny_stream_create(device, &other));
    WHOLE_AFTER("teeny_stream_create");
    OK(teeny_stream_wrap(device, native, &again));
    WHOLE_AFTER("teeny_stream_wrap");
    teeny_stream_destroy(again);
    WHOLE_AFTER("teeny_stream_destroy of a wrapped one");
    OK(teeny_event_create(device, true, &event));
    WHOLE_AFTER("teeny_event_create");
    OK(teeny_event_record(event, other));
    OK(teeny_event_query(event, &is_done));
    WHOLE_AFTER("teeny_event_query");
    OK(teeny_event_synchronize(event));
    WHOLE_AFTER("teeny_event_synchronize");
    OK(teeny_stream_query(other, &is_done));
    OK(teeny_stream_synchronize(other));
    WHOLE_AFTER("teeny_stream_synchronize of another stream");
    OK(teeny_buffer_write(other, made, 0, &(float){1}, sizeof result));
    OK(teeny_buffer_read(other, made, 0, &result, sizeof result));
    WHOLE_AFTER("copies that wait, on another stream");
    OK(teeny_buffer_create_async(other, BYTES, &ordered));
    OK(teeny_buffer_fill(other, ordered, 0, BYTES, &(float){1}, sizeof(float)));
    OK(teeny_buffer_destroy_async(other, ordered));
    OK(teeny_stream_synchronize(other));
    WHOLE_AFTER("allocation and freeing in another stream's order");
    OK(teeny_capture_begin(other));
    OK(TEENY_LAUNCH(add_one, other, teeny_grid1(4), check_floats(made), COUNT));
    OK(teeny_capture_end(other, &graph));
    OK(teeny_graph_launch(graph, other));
    teeny_graph_destroy(graph);
    WHOLE_AFTER("a graph of libteeny's own");
    OK(teeny_load(device, TEENY_KERNEL_OF(scale), &options, &function));
    WHOLE_AFTER("teeny_load");
    OK(teeny_kernel_info(function, NULL, 0, &resources));
    WHOLE_AFTER("teeny_kernel_info");
    teeny_unload(function);
    WHOLE_AFTER("teeny_unload");
    OK(teeny_host_allocate(device, BYTES, &host));
    teeny_host_free(device, host);
    WHOLE_AFTER("teeny_host_allocate and teeny_host_free");
    teeny_event_destroy(event);
    teeny_stream_destroy(other);
    WHOLE_AFTER("teeny_stream_destroy");
    teeny_buffer_destroy(made);
    WHOLE_AFTER("teeny_buffer_destroy");
    end_and_launch();
}

static teeny_buffer *source, *destination;
static teeny_status thread_status;

static void *load_in_thread(void *unused)
{
    teeny_buffer *buffer;
    thread_status = TEENY_LAUNCH(cold_thread, stream, teeny_grid1(4), check_floats(destination),
        check_floats(source), 2.0f, COUNT);
    if (thread_status == TEENY_OK)
        thread_status = teeny_buffer_create(device, BYTES, &buffer);
    if (thread_status == TEENY_OK)
        teeny_buffer_destroy(buffer);
    if (thread_status == TEENY_OK)
        thread_status = teeny_stream_synchronize(stream);
    return unused;
}

/* One thread captures; another loads, allocates, frees and waits. */
static void another_thread_loads(void)
{
    pthread_t thread;
    source = check_buffer(BYTES);
    destination = check_buffer(BYTES);
    begin();
    REQUIRE(pthread_create(&thread, NULL, load_in_thread, NULL) == 0, "no thread");
    pthread_join(thread, NULL);
    OK(thread_status);
    WHOLE_AFTER("another thread's work");
    OK(TEENY_LAUNCH(add_one, wrapped, teeny_grid1(4), check_floats(source), COUNT));
    end_and_launch();
}

/* What the driver does with pageable memory in a graph is its matter; a status comes back. */
static void pageable_memory_in_a_capture(void)
{
    static float value = 1;
    teeny_buffer *x = check_buffer(BYTES);
    teeny_graph *graph;
    OK(teeny_capture_begin(stream));
    teeny_status copy = teeny_buffer_write_async(stream, x, 0, &value, sizeof value);
    teeny_status end = teeny_capture_end(stream, &graph);
    check_note("copy: %s, end: %s", teeny_status_name(copy), teeny_status_name(end));
    if (end == TEENY_OK)
        teeny_graph_destroy(graph);
}

const check_row check_captures[] = {
    {"a kernel's first launch in a capture of others", first_launch_in_a_capture, ON_CUDA},
    {"copies and fills in a capture of others", copies_in_a_capture, ON_CUDA},
    {"refusals in a capture of others", refusals_in_a_capture, ON_CUDA},
    {"making and freeing in a capture of others", objects_in_a_capture, ON_CUDA_ALONE},
    {"another thread loads during a capture", another_thread_loads, ON_CUDA},
    {"pageable memory in a capture", pageable_memory_in_a_capture, ON_CUDA},
    {NULL, NULL, ANY_DEVICE},
};
