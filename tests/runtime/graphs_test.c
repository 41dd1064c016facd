/* Graphs, launch options and what kernels take on the cuda device, over a stub of the driver. */
#include "stub.h"

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

static void expect_not_captured(teeny_stream *on)
{
    bool is_active = true;
    assert_ok(teeny_capture_is_active(on, &is_active));
    assert_false(is_active);
}

/* Also an end that cannot make a graph is one. */
static void expect_ends(const char *name, teeny_graph *of_another_device)
{
    teeny_device *on;
    teeny_stream *captured;
    assert_ok(teeny_device_open(name, &on));
    assert_ok(teeny_stream_create(on, &captured));
    assert_ok(teeny_capture_begin(captured));
    assert_fails(teeny_capture_end(captured, NULL), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "out_graph is NULL");
    expect_not_captured(captured);
    assert_ok(teeny_capture_begin(captured));
    assert_fails(teeny_capture_end_into(captured, NULL), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "graph is NULL");
    expect_not_captured(captured);
    assert_ok(teeny_capture_begin(captured));
    assert_fails(teeny_capture_end_into(captured, of_another_device), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "the graph is on cuda:0");
    expect_not_captured(captured);
    teeny_stream_destroy(captured);
    teeny_device_close(on);
}

static void test_captures_end_without_a_graph(void **state)
{
    (void)state;
    teeny_graph *graph = graph_of(2);
    expect_ends("cuda:1", graph);
    expect_ends("cpu", graph);
    expect_ends("emu", graph);
    teeny_graph_destroy(graph);
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
    /* What a function may do it may do for good: later launches are as cheap as plain ones. */
    int modes = calls("cuThreadExchangeStreamCaptureMode");
    assert_ok(launch_with(teeny_grid1(32), &large));
    assert_ok(launch_with(teeny_grid3(4, 1, 3), &all));
    assert_int_equal(calls("cuFuncSetAttribute"), attributes + 2);
    assert_int_equal(calls("cuThreadExchangeStreamCaptureMode"), modes);
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
    assert_fails(launch_with(teeny_grid1(8), &cluster), TEENY_DEVICE_LOST);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* First: a process opens the driver once. */
        SUPPORT_TEST(test_old_chips_and_drivers),
        STUB_TEST(test_graphs_are_updated_where_they_can_be),
        STUB_TEST(test_graphs_of_another_device),
        STUB_TEST(test_captures_end_without_a_graph),
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
