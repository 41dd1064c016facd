/* Streams, events, graphs and launch options on the cuda device, over a stub of the driver: which
 * of its functions are called when, and what is refused. What they do is tested by tests/streams.
 */
#include "kernels.h"
#include "support.h"

#include "everything.h"

#include <dlfcn.h>

enum { N = 16, BYTES = N * (int)sizeof(float), STRICTEST = 0, RELAXED = 2 };

static teeny_device *device;
static teeny_stream *stream;
static teeny_buffer *x, *out;

/* The stub's own functions, and some of the driver's as another user of it calls them. */
static int (*calls)(const char *name);
static int (*violations)(const char **name);
static void *(*last_stream)(void);
static int (*priority_of)(const void *stream);
static void (*last_launch)(unsigned out[6]);
static int (*get_current)(void **context);
static int (*set_current)(void *context);
static int (*exchange_mode)(int *mode);
static int (*stream_create)(void **stream, unsigned flags);
static int (*stream_destroy)(void *stream);
static int (*begin_capture)(void *stream, int mode);
static int (*end_capture)(void *stream, void **graph);
static int (*instantiate)(void **exec, void *graph, void **error, char *log, size_t size);
static int (*graph_launch)(void *exec, void *stream);
static int (*exec_destroy)(void *exec);

static void find_functions(const char *path)
{
    const struct {
        void *pointer;
        const char *name;
    } rows[] = {{&calls, "stub_calls"}, {&violations, "stub_violations"},
        {&last_stream, "stub_last_stream"}, {&priority_of, "stub_priority"},
        {&last_launch, "stub_last_launch"}, {&get_current, "cuCtxGetCurrent"},
        {&set_current, "cuCtxSetCurrent"}, {&exchange_mode, "cuThreadExchangeStreamCaptureMode"},
        {&stream_create, "cuStreamCreate"}, {&stream_destroy, "cuStreamDestroy_v2"},
        {&begin_capture, "cuStreamBeginCapture_v2"}, {&end_capture, "cuStreamEndCapture"},
        {&instantiate, "cuGraphInstantiate_v2"}, {&graph_launch, "cuGraphLaunch"},
        {&exec_destroy, "cuGraphExecDestroy"}};
    void *stub = dlopen(path, RTLD_NOW);
    assert_non_null(stub);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *symbol = dlsym(stub, rows[i].name);
        memcpy(rows[i].pointer, &symbol, sizeof symbol);
    }
}

static void open_objects(const char *path)
{
    setenv("TEENY_LIBCUDA_PATH", path, 1);
    find_functions(path);
    assert_ok(teeny_device_open("cuda:0", &device));
    assert_ok(teeny_stream_create(device, &stream));
    assert_ok(teeny_buffer_create(device, BYTES, &x));
    assert_ok(teeny_buffer_create(device, BYTES, &out));
}

static void close_objects(void)
{
    teeny_buffer_destroy(x);
    teeny_buffer_destroy(out);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
}

static void clear_stub(void)
{
    static const char *const names[] = {
        "STUB_FAIL", "STUB_BUSY", "STUB_CHIP", "STUB_COOPERATES", "STUB_DEVICES", "STUB_PEERS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
}

static int open_stub(void **state)
{
    int failed = support_setup(state);
    clear_stub();
    setenv("STUB_DEVICES", "3", 1);
    open_objects(STUB_CUDA_PATH);
    return failed;
}

static int close_stub(void **state)
{
    clear_stub();
    close_objects();
    return support_teardown(state);
}

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

static float first_of(teeny_buffer *buffer)
{
    float value = -1;
    assert_ok(teeny_buffer_read(stream, buffer, 0, &value, sizeof value));
    return value;
}

/* out = x + x, with x filled with `value`; `shift` elements on, so that nothing is known of it. */
static void put_sum(teeny_stream *on, float value, int shift)
{
    float *from = teeny_buffer_pointer(x), *to = teeny_buffer_pointer(out);
    assert_ok(teeny_buffer_fill(on, x, 0, BYTES, &value, sizeof value));
    assert_ok(TEENY_LAUNCH(
        vector_add, on, teeny_grid1(1), to + shift, from + shift, from + shift, N - shift));
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

/* ---- Graphs ---------------------------------------------------------------------------------- */

static teeny_graph *graph_of(float value)
{
    teeny_graph *graph;
    assert_ok(teeny_capture_begin(stream));
    put_sum(stream, value, 0);
    assert_ok(teeny_capture_end(stream, &graph));
    return graph;
}

static void expect_graph(teeny_graph *graph, float value)
{
    assert_ok(teeny_graph_launch(graph, stream));
    assert_true(first_of(out) == value);
}

static void test_graphs_are_updated_where_they_can_be(void **state)
{
    (void)state;
    teeny_graph *graph = graph_of(2);
    expect_graph(graph, 4);
    int made = calls("cuGraphInstantiateWithFlags"), updated = calls("cuGraphExecUpdate_v2");
    assert_ok(teeny_capture_begin(stream));
    put_sum(stream, 7, 0);
    assert_ok(teeny_capture_end_into(stream, graph));
    assert_int_equal(calls("cuGraphExecUpdate_v2"), updated + 1);
    assert_int_equal(calls("cuGraphInstantiateWithFlags"), made);
    expect_graph(graph, 14);
    assert_ok(teeny_capture_begin(stream)); /* other steps */
    put_sum(stream, 1, 0);
    put_sum(stream, 8, 0);
    assert_ok(teeny_capture_end_into(stream, graph));
    assert_int_equal(calls("cuGraphInstantiateWithFlags"), made + 1);
    expect_graph(graph, 16);
    assert_ok(teeny_capture_begin(stream)); /* a failure leaves it as it was */
    put_sum(stream, 9, 0);
    setenv("STUB_FAIL", "cuGraphExecUpdate_v2=910,cuGraphInstantiateWithFlags=2", 1);
    assert_fails(teeny_capture_end_into(stream, graph), TEENY_OUT_OF_MEMORY);
    unsetenv("STUB_FAIL");
    expect_graph(graph, 16);
    teeny_graph_destroy(graph);
}

static void test_graphs_of_another_device(void **state)
{
    (void)state;
    teeny_device *second;
    teeny_stream *on_second;
    teeny_graph *graph = graph_of(2);
    assert_ok(teeny_device_open("cuda:1", &second));
    assert_ok(teeny_stream_create(second, &on_second));
    assert_fails(teeny_graph_launch(graph, on_second), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "the graph is on cuda:0, the stream on cuda:1");
    assert_fails(teeny_capture_end_into(on_second, graph), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_capture_begin(NULL), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_capture_end(stream, &graph), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "no capture began on this stream");
    teeny_graph_destroy(graph);
    teeny_stream_destroy(on_second);
    teeny_device_close(second);
}

/* The driver gave the capture up, whoever was to blame: an error, and the stream is as before. */
static void test_capture_that_the_driver_gave_up(void **state)
{
    (void)state;
    teeny_graph *graph = NULL;
    assert_ok(teeny_capture_begin(stream));
    put_sum(stream, 2, 0);
    setenv("STUB_FAIL", "cuStreamEndCapture=901", 1);
    assert_fails(teeny_capture_end(stream, &graph), TEENY_DEVICE_FAILED);
    assert_contains(teeny_message(), "cuStreamEndCapture");
    assert_null(graph);
    unsetenv("STUB_FAIL");
    void *left;
    assert_ok(teeny_device_make_current(device));
    assert_int_equal(end_capture(teeny_stream_native(stream), &left), 0); /* the stub goes on */
    set_current(NULL);
    graph = graph_of(3);
    expect_graph(graph, 6);
    teeny_graph_destroy(graph);
}

/* ---- Launch options -------------------------------------------------------------------------- */

static teeny_status launch_with(teeny_grid grid, const teeny_launch_options *options)
{
    float *from = teeny_buffer_pointer(x), *to = teeny_buffer_pointer(out);
    return TEENY_LAUNCH_WITH(vector_add, stream, grid, options, to, from, from, N);
}

static void expect_launch(const unsigned expected[6])
{
    unsigned found[6];
    last_launch(found);
    for (int i = 0; i < 6; i++)
        assert_int_equal(found[i], expected[i]);
}

static void test_options_reach_the_driver(void **state)
{
    (void)state;
    const teeny_launch_options all = {
        .cluster = {2, 0, 3}, .cooperative = true, .programmatic = true, .extra_shared_bytes = 100};
    const teeny_launch_options none = {0}, large = {.cluster = {16}, .extra_shared_bytes = 1 << 16};
    assert_ok(launch_with(teeny_grid3(4, 1, 3), &all));
    expect_launch((unsigned[]){2, 1, 3, 1, 1, 100});
    assert_ok(launch_with(teeny_grid1(1), &none));
    expect_launch((unsigned[]){0, 0, 0, 0, 0, 0});
    int attributes = calls("cuFuncSetAttribute");
    assert_ok(launch_with(teeny_grid1(32), &large));
    expect_launch((unsigned[]){16, 1, 1, 0, 0, 1 << 16});
    assert_int_equal(calls("cuFuncSetAttribute"), attributes + 2);
    int plain = calls("cuLaunchKernel");
    assert_ok(launch_with(teeny_grid1(1), NULL));
    assert_int_equal(calls("cuLaunchKernel"), plain + 1);
    assert_ok(launch_with(teeny_grid3(0, 1, 3), &all));
}

static void expect_refusal(
    teeny_grid grid, teeny_launch_options options, teeny_status status, const char *part)
{
    int launches = calls("cuLaunchKernelEx");
    assert_fails(launch_with(grid, &options), status);
    assert_contains(teeny_message(), part);
    assert_int_equal(calls("cuLaunchKernelEx"), launches);
}

static void test_options_that_are_refused(void **state)
{
    (void)state;
    expect_refusal(teeny_grid1(3), (teeny_launch_options){.cluster = {2}}, TEENY_INVALID_GRID,
        "grid dimension x is 3, not a multiple of the cluster's 2");
    expect_refusal(teeny_grid1(34), (teeny_launch_options){.cluster = {17}}, TEENY_INVALID_ARGUMENT,
        "a cluster of 17 x 1 x 1 programs: the largest has 16");
    expect_refusal(teeny_grid1(1),
        (teeny_launch_options){.cluster = {UINT32_MAX, UINT32_MAX, UINT32_MAX}},
        TEENY_INVALID_ARGUMENT, "the largest has 16");
    expect_refusal(teeny_grid1(1), (teeny_launch_options){.extra_shared_bytes = 232449},
        TEENY_INVALID_ARGUMENT, "cuda:0 gives a program at most 232448");
}

static void test_launches_that_the_driver_refuses(void **state)
{
    (void)state;
    const teeny_launch_options cooperative = {.cooperative = true}, cluster = {.cluster = {8}};
    setenv("STUB_FAIL", "cuLaunchKernelEx=720", 1);
    assert_fails(launch_with(teeny_grid1(1000), &cooperative), TEENY_INVALID_GRID);
    assert_contains(teeny_message(), "do not all fit on the 132 multiprocessors of cuda:0");
    setenv("STUB_FAIL", "cuLaunchKernelEx=912", 1);
    assert_fails(launch_with(teeny_grid1(8), &cluster), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "a cluster of 8 programs of this kernel does not fit");
    setenv("STUB_FAIL", "cuLaunchKernelEx=700", 1);
    assert_fails(launch_with(teeny_grid1(8), &cluster), TEENY_DEVICE_FAILED);
}

static void old_chip(void)
{
    const teeny_launch_options cluster = {.cluster = {2}}, programmatic = {.programmatic = true},
                               cooperative = {.cooperative = true};
    setenv("STUB_CHIP", "86", 1);
    setenv("STUB_COOPERATES", "0", 1);
    open_objects(STUB_CUDA_PATH);
    assert_fails(launch_with(teeny_grid1(2), &cluster), TEENY_UNSUPPORTED);
    assert_contains(teeny_message(), "clusters: they take sm_90 or later; cuda:0 is sm_86");
    assert_fails(launch_with(teeny_grid1(2), &programmatic), TEENY_UNSUPPORTED);
    assert_contains(teeny_message(), "programmatic launches: they take sm_90");
    assert_fails(launch_with(teeny_grid1(2), &cooperative), TEENY_UNSUPPORTED);
    close_objects();
}

static void old_driver(void)
{
    const teeny_launch_options cluster = {.cluster = {2}}, none = {0};
    teeny_buffer *ordered;
    setenv("STUB_VERSION", "11000", 1);
    open_objects(STUB_CUDA_11_PATH);
    assert_ok(use_everything(device));
    int allocations = calls("cuMemAlloc_v2"), freed = calls("cuMemFree_v2");
    assert_ok(teeny_buffer_create_async(stream, BYTES, &ordered));
    assert_int_equal(calls("cuMemAlloc_v2"), allocations + 1);
    assert_ok(teeny_buffer_destroy_async(stream, ordered));
    assert_int_equal(calls("cuMemFree_v2"), freed + 1);
    assert_fails(launch_with(teeny_grid1(2), &cluster), TEENY_DRIVER_TOO_OLD);
    assert_contains(teeny_message(), "the CUDA driver (for CUDA 11.0) has no cuLaunchKernelEx, "
                                     "which came with CUDA 11.8");
    assert_ok(launch_with(teeny_grid1(2), &none));
    teeny_graph *graph = graph_of(2);
    int updated = calls("cuGraphExecUpdate");
    assert_ok(teeny_capture_begin(stream));
    put_sum(stream, 5, 0);
    assert_ok(teeny_capture_end_into(stream, graph));
    assert_int_equal(calls("cuGraphExecUpdate"), updated + 1);
    expect_graph(graph, 10);
    teeny_graph_destroy(graph);
    close_objects();
}

static void test_old_chips_and_drivers(void **state)
{
    (void)state;
    support_in_child(old_chip);
    support_in_child(old_driver);
}

/* ---- What kernels take ----------------------------------------------------------------------- */

static void test_what_a_kernel_takes(void **state)
{
    (void)state;
    teeny_function *function;
    teeny_resources resources;
    assert_ok(teeny_load(device, &teeny_kernel_vector_add, NULL, &function));
    assert_ok(teeny_kernel_info(function, NULL, 0, &resources));
    assert_int_equal(resources.num_warps, 4);
    assert_int_equal(resources.threads, 128);
    assert_int_equal(resources.max_threads, 1024);
    assert_int_equal(resources.registers, 40);
    assert_int_equal(resources.local_bytes, 16);
    assert_int_equal(resources.constant_bytes, 48);
    assert_int_equal(resources.active_programs, 16);
    assert_int_equal(resources.multiprocessors, 132);
    assert_int_equal(resources.ptx_version, 80);
    assert_int_equal(resources.binary_version, 90);
    int before = support_compilations();
    float *from = teeny_buffer_pointer(x);
    assert_ok(TEENY_KERNEL_INFO(vector_add, function, &resources, from, from, from, 16));
    assert_int_equal(support_compilations(), before + 1); /* the variant that would run */
    teeny_unload(function);
}

static void test_too_much_shared_memory(void **state)
{
    (void)state;
    teeny_function *function;
    teeny_options options = {.num_warps = 8};
    setenv("FAKE_SHARED", "232449", 1);
    assert_fails(
        teeny_load(device, &teeny_kernel_vector_add, &options, &function), TEENY_ARTIFACT_INVALID);
    assert_contains(teeny_message(), "kernel `vector_add` takes 232449 bytes of shared memory; "
                                     "cuda:0, a Stub 40, gives a program at most 232448");
    setenv("FAKE_SHARED", "100000", 1);
    options.num_warps = 2;
    int attributes = calls("cuFuncSetAttribute");
    assert_ok(teeny_load(device, &teeny_kernel_vector_add, &options, &function));
    assert_int_equal(calls("cuFuncSetAttribute"), attributes + 1);
    teeny_unload(function);
    unsetenv("FAKE_SHARED");
}

static void test_registered_memory(void **state)
{
    (void)state;
    static float memory[4];
    assert_fails(teeny_host_register(device, memory, 0), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_host_register(device, NULL, 4), TEENY_INVALID_ARGUMENT);
    assert_ok(teeny_host_register(device, memory, sizeof memory));
    assert_fails(teeny_host_register(device, memory, sizeof memory), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "registered already");
    assert_ok(teeny_host_unregister(device, memory));
    assert_fails(teeny_host_unregister(device, memory), TEENY_INVALID_ARGUMENT);
    teeny_host_free(device, NULL);
}

#define STUB_TEST(test) cmocka_unit_test_setup_teardown(test, open_stub, close_stub)

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* These first: a process opens the driver once. */
        SUPPORT_TEST(test_no_driver_is_no_device),
        SUPPORT_TEST(test_old_chips_and_drivers),
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
        STUB_TEST(test_graphs_are_updated_where_they_can_be),
        STUB_TEST(test_graphs_of_another_device),
        STUB_TEST(test_capture_that_the_driver_gave_up),
        STUB_TEST(test_options_reach_the_driver),
        STUB_TEST(test_options_that_are_refused),
        STUB_TEST(test_launches_that_the_driver_refuses),
        STUB_TEST(test_what_a_kernel_takes),
        STUB_TEST(test_too_much_shared_memory),
        STUB_TEST(test_registered_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
