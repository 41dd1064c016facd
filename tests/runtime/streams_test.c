/* Streams, events and captures of others on the cuda device, over a stub of the driver: which of
 * its functions are called when, and what is refused. What they do is tested by tests/streams. */
#include "stub.h"

static void assert_no_violation(int before)
{
    const char *name;
    int now = violations(&name);
    if (now != before)
        print_error("%s was called while it was forbidden\n", name);
    assert_int_equal(now, before);
}

static int violations_so_far(void)
{
    const char *name;
    return violations(&name);
}

static void assert_context(void *expected)
{
    void *now;
    int mode = STRICTEST;
    get_current(&now);
    assert_ptr_equal(now, expected);
    exchange_mode(&mode);
    assert_int_equal(mode, STRICTEST);
}

/* ---- Captures of others ---------------------------------------------------------------------- */

static void *launchable_of(void *native)
{
    void *graph, *exec;
    assert_int_equal(end_capture(native, &graph), 0);
    assert_int_equal(instantiate(&exec, graph, NULL, NULL, 0), 0);
    return exec;
}

/* Loading, compiling variants, allocating, freeing and waiting, in the middle of a capture that
 * forbids all of it to threads that do not know better. */
static void test_nothing_forbidden_is_called_in_a_capture(void **state)
{
    (void)state;
    static char *own_context;
    void *native, *context;
    teeny_stream *wrapped;
    int before = violations_so_far();
    assert_ok(teeny_device_make_current(device));
    get_current(&context);
    own_context = context;
    assert_int_equal(stream_create(&native, 1), 0);
    assert_int_equal(begin_capture(native, STRICTEST), 0);
    assert_ok(teeny_stream_wrap(device, native, &wrapped));
    int loads = calls("cuModuleLoadData"), links = calls("cuLinkComplete");
    put_sum(wrapped, 3, 1);
    put_sum(wrapped, 4, 0);
    assert_true(calls("cuModuleLoadData") >= loads + 2);
    assert_true(calls("cuLinkComplete") >= links + 2);
    assert_no_violation(before);
    assert_ok(use_everything(device)); /* its own captures too */
    assert_no_violation(before);
    assert_fails(teeny_stream_synchronize(wrapped), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "the stream is being captured");
    assert_no_violation(before);
    void *exec = launchable_of(native);
    assert_true(first_of(out) != 8);
    assert_int_equal(graph_launch(exec, native), 0);
    assert_true(first_of(out) == 8);
    teeny_stream_destroy(wrapped);
    exec_destroy(exec);
    stream_destroy(native);
    assert_context(own_context);
    set_current(NULL);
}

/* The stub counts what is forbidden: as it would be without the care that is taken. */
static void test_the_stub_forbids(void **state)
{
    (void)state;
    void *native, *other, *graph;
    int before = violations_so_far();
    assert_ok(teeny_device_make_current(device));
    assert_int_equal(stream_create(&native, 1), 0);
    assert_int_equal(begin_capture(native, STRICTEST), 0);
    assert_int_equal(stream_create(&other, 1), 900);
    assert_int_equal(violations_so_far(), before + 1);
    assert_int_equal(end_capture(native, &graph), 901);
    stream_destroy(native);
    set_current(NULL);
}

/* ---- Contexts -------------------------------------------------------------------------------- */

static void test_contexts_are_put_back(void **state)
{
    (void)state;
    static char other;
    void *const contexts[] = {NULL, &other};
    for (int i = 0; i < 2; i++) {
        set_current(contexts[i]);
        assert_ok(use_everything(device));
        assert_context(contexts[i]);
    }
    set_current(NULL);
    assert_ok(teeny_device_make_current(device));
    void *own;
    get_current(&own);
    assert_non_null(own);
    assert_ok(use_everything(device));
    assert_context(own);
    set_current(NULL);
}

/* Each of the driver's functions fails in turn: an error, nothing is left, the context is put back.
 */
static void test_every_function_fails(void **state)
{
    (void)state;
    static const char *const names[] = {"cuStreamCreate", "cuStreamCreateWithPriority",
        "cuStreamDestroy_v2", "cuStreamSynchronize", "cuStreamQuery", "cuStreamWaitEvent",
        "cuStreamIsCapturing", "cuStreamBeginCapture_v2", "cuStreamEndCapture",
        "cuCtxGetStreamPriorityRange", "cuLaunchHostFunc", "cuEventCreate", "cuEventDestroy_v2",
        "cuEventRecord", "cuEventSynchronize", "cuEventQuery", "cuEventElapsedTime",
        "cuMemAlloc_v2", "cuMemAllocAsync", "cuMemFreeAsync", "cuMemHostAlloc",
        "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2", "cuMemsetD32Async",
        "cuGraphInstantiateWithFlags", "cuGraphLaunch", "cuFuncGetAttribute",
        "cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuLaunchKernel", "cuModuleLoadData"};
    static const char *const unseen[] = {
        "cuStreamDestroy_v2", "cuEventDestroy_v2", "cuMemFreeAsync"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char failure[64];
        bool is_seen = true;
        for (size_t k = 0; k < sizeof unseen / sizeof unseen[0]; k++)
            is_seen = is_seen && strcmp(names[i], unseen[k]) != 0;
        snprintf(failure, sizeof failure, "%s=999", names[i]);
        setenv("STUB_FAIL", failure, 1);
        int before = calls(names[i]);
        teeny_status status = use_everything(device);
        unsetenv("STUB_FAIL");
        if (calls(names[i]) == before)
            fail_msg("%s was not called", names[i]);
        if ((status != TEENY_OK) != is_seen)
            fail_msg("%s fails, and the status is %s", names[i], teeny_status_name(status));
        assert_context(NULL);
        assert_ok(use_everything(device));
    }
}

/* ---- Streams and events ---------------------------------------------------------------------- */

static void test_streams_of_others(void **state)
{
    (void)state;
    static const struct {
        void *given, *used;
    } handles[] = {{NULL, TEENY_STREAM_LEGACY}, {TEENY_STREAM_LEGACY, TEENY_STREAM_LEGACY},
        {TEENY_STREAM_PER_THREAD, TEENY_STREAM_PER_THREAD}};
    teeny_stream *wrapped;
    for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++) {
        assert_ok(teeny_stream_wrap(device, handles[i].given, &wrapped));
        assert_ptr_equal(teeny_stream_native(wrapped), handles[i].used);
        put_sum(wrapped, 2, 0);
        assert_ptr_equal(last_stream(), handles[i].used);
        int destroyed = calls("cuStreamDestroy_v2"), waited = calls("cuStreamSynchronize");
        teeny_stream_destroy(wrapped);
        assert_int_equal(calls("cuStreamDestroy_v2"), destroyed);
        assert_int_equal(calls("cuStreamSynchronize"), waited);
    }
    assert_ok(teeny_stream_wrap(device, NULL, &wrapped));
    assert_fails(teeny_capture_begin(wrapped), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "the legacy default stream cannot be captured");
    teeny_stream_destroy(wrapped);
}

static void test_stream_of_another_context(void **state)
{
    (void)state;
    teeny_device *second;
    teeny_stream *of_second, *none;
    assert_ok(teeny_device_open("cuda:1", &second));
    assert_ok(teeny_stream_create(second, &of_second));
    assert_fails(
        teeny_stream_wrap(device, teeny_stream_native(of_second), &none), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "not of cuda:0's primary context");
    setenv("STUB_FAIL", "cuStreamGetCtx=801", 1); /* the driver does not say */
    assert_ok(teeny_stream_wrap(second, teeny_stream_native(of_second), &none));
    teeny_stream_destroy(none);
    unsetenv("STUB_FAIL");
    teeny_stream_destroy(of_second);
    teeny_device_close(second);
}

static void test_priorities(void **state)
{
    (void)state;
    static const int cases[][2] = {{0, 0}, {-3, -3}, {-100, -5}, {7, 0}};
    int least, greatest;
    assert_ok(teeny_stream_priorities(device, &least, &greatest));
    assert_int_equal(least, 0);
    assert_int_equal(greatest, -5);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const teeny_stream_options options = {.priority = cases[i][0]};
        teeny_stream *made;
        assert_ok(teeny_stream_create_with(device, &options, &made));
        assert_int_equal(priority_of(teeny_stream_native(made)), cases[i][1]);
        teeny_stream_destroy(made);
    }
}

static void test_busy_streams_and_events(void **state)
{
    (void)state;
    teeny_event *event, *untimed;
    bool is_done = true;
    double seconds = 0;
    assert_ok(teeny_event_create(device, true, &event));
    assert_ok(teeny_event_create(device, false, &untimed));
    assert_fails(teeny_event_elapsed(event, event, &seconds), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "never recorded");
    assert_ok(teeny_event_record(event, stream));
    assert_ok(teeny_event_record(untimed, stream));
    setenv("STUB_BUSY", "1", 1);
    assert_ok(teeny_event_query(event, &is_done));
    assert_false(is_done);
    is_done = true;
    assert_ok(teeny_stream_query(stream, &is_done));
    assert_false(is_done);
    assert_fails(teeny_event_elapsed(event, event, &seconds), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "not done");
    unsetenv("STUB_BUSY");
    assert_fails(teeny_event_elapsed(event, untimed, &seconds), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "not made to keep the time");
    teeny_event *later;
    assert_ok(teeny_event_create(device, true, &later));
    assert_ok(teeny_event_record(later, stream));
    assert_ok(teeny_event_elapsed(event, later, &seconds));
    assert_true(seconds > 0.0009 && seconds < 0.0011); /* two records later */
    teeny_event_destroy(later);
    teeny_event_destroy(untimed);
    teeny_event_destroy(event);
}

/* The memory is freed when all streams are waited for, but one that is being captured. */
static void test_destruction_waits_for_every_stream(void **state)
{
    (void)state;
    teeny_stream *second, *captured;
    teeny_buffer *buffer;
    teeny_graph *graph;
    assert_ok(teeny_stream_create(device, &second));
    assert_ok(teeny_stream_create(device, &captured));
    for (int is_captured = 0; is_captured < 2; is_captured++) {
        assert_ok(teeny_buffer_create(device, BYTES, &buffer));
        if (is_captured)
            assert_ok(teeny_capture_begin(captured));
        int waits = calls("cuStreamSynchronize"), before = violations_so_far();
        teeny_buffer_destroy(buffer);
        assert_int_equal(calls("cuStreamSynchronize"), waits + 3 - is_captured);
        assert_no_violation(before);
    }
    assert_ok(teeny_capture_end(captured, &graph));
    teeny_graph_destroy(graph);
    teeny_stream_destroy(captured);
    teeny_stream_destroy(second);
}

/* ---- Several devices ------------------------------------------------------------------------- */

static void test_copies_and_events_between_devices(void **state)
{
    (void)state;
    teeny_device *second, *third;
    teeny_stream *on_second, *on_third;
    teeny_buffer *there;
    teeny_event *event;
    assert_ok(teeny_device_open("cuda:1", &second));
    assert_ok(teeny_device_open("cuda:2", &third));
    assert_ok(teeny_stream_create(second, &on_second));
    assert_ok(teeny_stream_create(third, &on_third));
    assert_ok(teeny_buffer_create(second, BYTES, &there));
    assert_ok(teeny_event_create(device, false, &event));
    put_sum(stream, 5, 0);
    assert_ok(teeny_event_record(event, stream));
    int waits = calls("cuStreamWaitEvent"), peers = calls("cuMemcpyPeerAsync");
    assert_ok(teeny_stream_wait(on_second, event));
    assert_int_equal(calls("cuStreamWaitEvent"), waits + 1);
    assert_ok(teeny_buffer_copy(on_second, there, 0, out, 0, BYTES));
    assert_ok(teeny_buffer_copy(stream, x, 0, there, 0, BYTES));
    assert_int_equal(calls("cuMemcpyPeerAsync"), peers + 2);
    assert_true(first_of(x) == 10);
    assert_fails(teeny_buffer_copy(stream, x, 0, x, 4, BYTES - 4), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "overlap");
    assert_fails(teeny_buffer_copy(on_third, there, 0, out, 0, BYTES), TEENY_INVALID_ARGUMENT);
    assert_contains(
        teeny_message(), "a stream of cuda:2 cannot copy from a buffer on cuda:0 to one on cuda:1");
    assert_fails(teeny_event_record(event, on_second), TEENY_INVALID_ARGUMENT);
    teeny_event_destroy(event);
    teeny_buffer_destroy(there);
    teeny_stream_destroy(on_third);
    teeny_stream_destroy(on_second);
    teeny_device_close(third);
    teeny_device_close(second);
}

static void test_access_to_another_device(void **state)
{
    (void)state;
    teeny_device *second, *cpu;
    int count;
    assert_ok(teeny_device_count("cuda", &count));
    assert_int_equal(count, 3);
    assert_ok(teeny_device_open("cuda:1", &second));
    assert_ok(teeny_device_open("cpu", &cpu));
    assert_ok(teeny_device_access(device, second));
    assert_ok(teeny_device_access(device, second)); /* again */
    assert_ok(teeny_device_access(device, device));
    assert_fails(teeny_device_access(device, cpu), TEENY_UNSUPPORTED);
    setenv("STUB_PEERS", "0", 1);
    assert_fails(teeny_device_access(device, second), TEENY_UNSUPPORTED);
    assert_contains(teeny_message(), "kernels of cuda:0 cannot reach the memory of cuda:1");
    assert_fails(teeny_device_access(NULL, second), TEENY_INVALID_ARGUMENT);
    teeny_device_close(cpu);
    teeny_device_close(second);
}

static void test_counts_of_devices(void **state)
{
    (void)state;
    int count = 7;
    assert_ok(teeny_device_count("cpu", &count));
    assert_int_equal(count, 1);
    assert_ok(teeny_device_count("emu", &count));
    assert_int_equal(count, 1);
    assert_fails(teeny_device_count("auto", &count), TEENY_UNKNOWN_DEVICE);
    assert_fails(teeny_device_count("cpu", NULL), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_device_make_current(NULL), TEENY_INVALID_ARGUMENT);
}

static void without_a_driver(void)
{
    int count = 7;
    setenv("TEENY_LIBCUDA_PATH", "/nonexistent/libcuda.so.1", 1);
    assert_ok(teeny_device_count("cuda", &count));
    assert_int_equal(count, 0);
}

static void test_no_driver_is_no_device(void **state)
{
    (void)state;
    support_in_child(without_a_driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* First: a process opens the driver once. */
        SUPPORT_TEST(test_no_driver_is_no_device),
        STUB_TEST(test_nothing_forbidden_is_called_in_a_capture),
        STUB_TEST(test_the_stub_forbids),
        STUB_TEST(test_contexts_are_put_back),
        STUB_TEST(test_every_function_fails),
        STUB_TEST(test_streams_of_others),
        STUB_TEST(test_stream_of_another_context),
        STUB_TEST(test_priorities),
        STUB_TEST(test_busy_streams_and_events),
        STUB_TEST(test_destruction_waits_for_every_stream),
        STUB_TEST(test_copies_and_events_between_devices),
        STUB_TEST(test_access_to_another_device),
        STUB_TEST(test_counts_of_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
