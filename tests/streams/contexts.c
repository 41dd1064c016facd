/* The context that is current before a call is current after it. */
#include "check.h"

#include "raw.h"

#include <pthread.h>
#include <string.h>

static void *expected;

/* Does the call, and ends the check where it fails or leaves another context current. */
#define KEEPS(call)                                                                                \
    do {                                                                                           \
        void *now_ = NULL;                                                                         \
        OK(call);                                                                                  \
        raw.get_current(&now_);                                                                    \
        REQUIRE(now_ == expected, "%s leaves another context current: %p, not %p", #call, now_,    \
            expected);                                                                             \
    } while (0)
#define KEEPS_VOID(call) KEEPS(((call), TEENY_OK))

static void do_everything(void)
{
    teeny_device *again;
    teeny_stream *made, *wrapped;
    teeny_event *begin, *end;
    teeny_buffer *x, *out, *ordered;
    teeny_graph *graph;
    teeny_function *function;
    teeny_resources resources;
    const teeny_options options = {.meta = {{"BLOCK", 64}}};
    const teeny_launch_options launch_options = {.extra_shared_bytes = 64};
    float value = 1;
    void *host;
    int least;
    bool is_done;
    double elapsed;
    KEEPS(teeny_device_open(teeny_device_name(device), &again));
    KEEPS(teeny_stream_create(device, &made));
    KEEPS(teeny_stream_wrap(device, TEENY_STREAM_LEGACY, &wrapped));
    KEEPS(teeny_stream_priorities(device, &least, NULL));
    KEEPS(teeny_event_create(device, true, &begin));
    KEEPS(teeny_event_create(device, true, &end));
    KEEPS(teeny_buffer_create(device, BYTES, &x));
    KEEPS(teeny_buffer_create(device, BYTES, &out));
    KEEPS(teeny_buffer_create_async(made, BYTES, &ordered));
    KEEPS(teeny_buffer_write(made, x, 0, &value, sizeof value));
    KEEPS(teeny_event_record(begin, made));
    KEEPS(teeny_buffer_fill(made, x, 0, BYTES, &value, sizeof value));
    KEEPS(TEENY_LAUNCH(
        cold_context, made, teeny_grid1(4), check_floats(out), check_floats(x), 2.0f, COUNT));
    KEEPS(TEENY_LAUNCH(
        scale, wrapped, teeny_grid1(4), check_floats(out), check_floats(x), 2.0f, COUNT));
    KEEPS(
        TEENY_LAUNCH_WITH(add_one, made, teeny_grid1(4), &launch_options, check_floats(x), COUNT));
    KEEPS(teeny_buffer_copy(made, ordered, 0, x, 0, BYTES));
    KEEPS(teeny_event_record(end, made));
    KEEPS(teeny_stream_wait(wrapped, end));
    KEEPS(teeny_event_query(end, &is_done));
    KEEPS(teeny_event_synchronize(end));
    KEEPS(teeny_event_elapsed(begin, end, &elapsed));
    KEEPS(teeny_buffer_read(made, x, 0, &value, sizeof value));
    KEEPS(teeny_capture_begin(made));
    KEEPS(TEENY_LAUNCH(add_one, made, teeny_grid1(4), check_floats(x), COUNT));
    KEEPS(teeny_capture_end(made, &graph));
    KEEPS(teeny_graph_launch(graph, made));
    KEEPS(teeny_load(device, TEENY_KERNEL_OF(scale), &options, &function));
    KEEPS(teeny_kernel_info(function, NULL, 0, &resources));
    KEEPS_VOID(teeny_unload(function));
    KEEPS(teeny_host_allocate(device, 64, &host));
    KEEPS(teeny_stream_query(made, &is_done));
    KEEPS(teeny_stream_synchronize(made));
    KEEPS_VOID(teeny_graph_destroy(graph));
    KEEPS_VOID(teeny_host_free(device, host));
    KEEPS(teeny_buffer_destroy_async(made, ordered));
    KEEPS_VOID(teeny_buffer_destroy(x));
    KEEPS_VOID(teeny_buffer_destroy(out));
    KEEPS_VOID(teeny_event_destroy(begin));
    KEEPS_VOID(teeny_event_destroy(end));
    KEEPS_VOID(teeny_stream_destroy(wrapped));
    KEEPS_VOID(teeny_stream_destroy(made));
    KEEPS_VOID(teeny_device_close(again));
    EQUAL(value, 2);
}

static void *without_a_context(void *unused)
{
    expected = NULL;
    do_everything();
    return unused;
}

static void no_context(void)
{
    pthread_t thread;
    REQUIRE(raw_open(), "no driver");
    raw_close();
    REQUIRE(pthread_create(&thread, NULL, without_a_context, NULL) == 0, "no thread");
    pthread_join(thread, NULL);
}

static void primary_context(void)
{
    REQUIRE(raw_open(), "no driver");
    expected = raw_context;
    do_everything();
    raw_close();
}

static void another_context(void)
{
    int number;
    REQUIRE(raw_open(), "no driver");
    RAW(raw.device_get(&number, 0));
    RAW(raw.context_create(&expected, 0, number));
    do_everything();
    RAW(raw.context_destroy(expected));
    raw_close();
}

static double time_of_a_launch(float *x)
{
    enum { LAUNCHES = 500 };
    double start = check_seconds();
    for (int i = 0; i < LAUNCHES; i++)
        if (TEENY_LAUNCH(add_one, stream, teeny_grid1(1), x, 1) != TEENY_OK)
            return -1;
    double taken = (check_seconds() - start) / LAUNCHES;
    teeny_stream_synchronize(stream);
    return taken * 1e9;
}

static void *time_in_thread(void *buffer)
{
    float *x = check_floats(buffer);
    time_of_a_launch(x);
    double without = time_of_a_launch(x);
    if (teeny_device_make_current(device) != TEENY_OK)
        return NULL;
    double with = time_of_a_launch(x);
    if (without < 0 || with < 0)
        return NULL;
    check_note("%.0f ns without a context, %.0f ns with the device's", without, with);
    return buffer;
}

static void cost_of_a_context(void)
{
    pthread_t thread;
    void *buffer = NULL;
    REQUIRE(pthread_create(&thread, NULL, time_in_thread, check_buffer(BYTES)) == 0, "no thread");
    pthread_join(thread, &buffer);
    REQUIRE(buffer, "a launch or teeny_device_make_current: %s", teeny_message());
}

const check_row check_contexts[] = {
    {"a thread without a context has none afterwards", no_context, ON_CUDA},
    {"the primary context stays current", primary_context, ON_CUDA},
    {"another context stays current", another_context, ON_CUDA},
    {"what a launch costs without a current context", cost_of_a_context, ON_CUDA},
    {NULL, NULL, ANY_DEVICE},
};
