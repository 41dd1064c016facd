/* Launch options, shared memory beyond 48 KiB, what kernels take. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

static bool is_cuda(void)
{
    return strncmp(teeny_device_name(device), "cuda", 4) == 0;
}

static bool is_hopper(void)
{
    return is_cuda() && atoi(teeny_device_target(device) + strlen("sm_")) >= 90;
}

/* x becomes x + 1 by a launch with these options over `programs` of 256. */
static void add_with(const teeny_launch_options *options, int programs)
{
    int n = 256 * programs;
    size_t size = (size_t)n * sizeof(float);
    teeny_buffer *x = check_buffer(size);
    float *result = check_pinned(size);
    OK(teeny_buffer_fill(stream, x, 0, size, &(float){1}, sizeof(float)));
    OK(TEENY_LAUNCH_WITH(add_one, stream, teeny_grid1(programs), options, check_floats(x), n));
    OK(teeny_buffer_read(stream, x, 0, result, size));
    EQUAL(result[0], 2);
    EQUAL(result[n - 1], 2);
}

/* Where the device is a cuda one before sm_90, a clear refusal instead. */
static void add_as_hopper_can(const teeny_launch_options *options, int programs)
{
    teeny_buffer *x = check_buffer(256 * sizeof(float));
    if (is_hopper() || !is_cuda()) {
        add_with(options, programs);
        return;
    }
    GIVES(TEENY_UNSUPPORTED,
        TEENY_LAUNCH_WITH(add_one, stream, teeny_grid1(programs), options, check_floats(x), 1));
}

static void plain(void)
{
    const teeny_launch_options none = {0};
    add_with(NULL, 4);
    add_with(&none, 4);
}

static void clusters(void)
{
    const teeny_launch_options two = {.cluster = {2}}, eight = {.cluster = {8, 1, 1}},
                               large = {.cluster = {4, 4, 2}}, across = {.cluster = {0, 2, 0}};
    teeny_buffer *x = check_buffer(BYTES);
    add_as_hopper_can(&two, 8);
    add_as_hopper_can(&eight, 64);
    GIVES(TEENY_INVALID_GRID,
        TEENY_LAUNCH_WITH(add_one, stream, teeny_grid1(7), &two, check_floats(x), 1));
    GIVES(TEENY_INVALID_GRID,
        TEENY_LAUNCH_WITH(add_one, stream, teeny_grid1(8), &across, check_floats(x), 1));
    GIVES(TEENY_INVALID_ARGUMENT,
        TEENY_LAUNCH_WITH(add_one, stream, teeny_grid3(4, 4, 2), &large, check_floats(x), 1));
}

static void clusters_of_16(void)
{
    const teeny_launch_options sixteen = {.cluster = {16}};
    teeny_buffer *x = check_buffer(256 * 32 * sizeof(float));
    if (!is_hopper()) {
        check_skip("no clusters");
        return;
    }
    teeny_status status =
        TEENY_LAUNCH_WITH(add_one, stream, teeny_grid1(32), &sixteen, check_floats(x), 256 * 32);
    if (status == TEENY_INVALID_ARGUMENT) {
        check_skip("%s", teeny_message());
        return;
    }
    OK(status);
    OK(teeny_stream_synchronize(stream));
    add_with(&sixteen, 32);
}

static void cooperative(void)
{
    const teeny_launch_options options = {.cooperative = true};
    teeny_buffer *x = check_buffer(BYTES);
    add_with(&options, 1);
    if (!is_cuda()) {
        GIVES(TEENY_UNSUPPORTED,
            TEENY_LAUNCH_WITH(add_one, stream, teeny_grid1(2), &options, check_floats(x), COUNT));
        return;
    }
    add_with(&options, 64);
    GIVES(TEENY_INVALID_GRID,
        TEENY_LAUNCH_WITH(add_one, stream, teeny_grid1(1000000), &options, check_floats(x), COUNT));
    add_with(NULL, 4);
}

static void programmatic(void)
{
    const teeny_launch_options options = {.programmatic = true};
    add_as_hopper_can(&options, 8);
}

static void extra_shared_memory(void)
{
    const teeny_launch_options some = {.extra_shared_bytes = 1024},
                               much = {.extra_shared_bytes = 96 * 1024},
                               too_much = {.extra_shared_bytes = 1 << 20};
    teeny_buffer *x = check_buffer(BYTES);
    add_with(&some, 4);
    add_with(&much, 4);
    if (is_cuda())
        GIVES(TEENY_INVALID_ARGUMENT,
            TEENY_LAUNCH_WITH(add_one, stream, teeny_grid1(4), &too_much, check_floats(x), COUNT));
    else
        add_with(&too_much, 4);
}

static void options_in_a_graph(void)
{
    const teeny_launch_options options = {.cluster = {2}, .extra_shared_bytes = 64 * 1024};
    teeny_buffer *x = check_buffer(BYTES);
    teeny_graph *graph;
    float result;
    if (is_cuda() && !is_hopper())
        return;
    OK(teeny_buffer_fill(stream, x, 0, BYTES, &(float){0}, sizeof(float)));
    OK(teeny_capture_begin(stream));
    OK(TEENY_LAUNCH_WITH(add_one, stream, teeny_grid1(4), &options, check_floats(x), COUNT));
    OK(teeny_capture_end(stream, &graph));
    OK(teeny_graph_launch(graph, stream));
    OK(teeny_graph_launch(graph, stream));
    OK(teeny_buffer_read(stream, x, BYTES - 4, &result, sizeof result));
    EQUAL(result, 2);
    teeny_graph_destroy(graph);
}

static void much_shared_memory(void)
{
    enum { N = TRANSPOSED, SIZE = N * N * sizeof(float) };
    teeny_buffer *x = check_buffer(SIZE), *out = check_buffer(SIZE);
    float *values = check_pinned(SIZE), *results = check_pinned(SIZE);
    teeny_function *function;
    teeny_resources resources;
    OK(teeny_load(device, TEENY_KERNEL_OF(transpose), NULL, &function));
    for (int i = 0; i < N * N; i++)
        values[i] = (float)i;
    OK(teeny_buffer_write_async(stream, x, 0, values, SIZE));
    OK(TEENY_LAUNCH(transpose, stream, teeny_grid1(1), check_floats(out), check_floats(x)));
    OK(teeny_buffer_read(stream, out, 0, results, SIZE));
    for (int i = 0; i < N * N; i++)
        EQUAL(results[i], i % N * N + i / N);
    OK(TEENY_KERNEL_INFO(transpose, function, &resources, check_floats(out), check_floats(x)));
    teeny_unload(function);
    if (is_cuda())
        REQUIRE(resources.shared_bytes > 48 * 1024, "the kernel takes only %u bytes",
            resources.shared_bytes);
    check_note("%u bytes", resources.shared_bytes);
}

static void what_kernels_take(void)
{
    teeny_function *function;
    teeny_resources any, known;
    teeny_buffer *x = check_buffer(BYTES);
    OK(teeny_load(device, TEENY_KERNEL_OF(scale), NULL, &function));
    OK(teeny_kernel_info(function, NULL, 0, &any));
    OK(TEENY_KERNEL_INFO(scale, function, &known, check_floats(x), check_floats(x), 1.0f, 256));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_kernel_info(function, &any, 3, &any));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_kernel_info(NULL, NULL, 0, &any));
    teeny_unload(function);
    REQUIRE(any.threads >= 1 && any.threads <= any.max_threads, "%u threads, at most %u",
        any.threads, any.max_threads);
    REQUIRE(any.active_programs >= 1 && any.multiprocessors >= 1,
        "%u programs on each of %u multiprocessors", any.active_programs, any.multiprocessors);
    if (is_cuda()) {
        EQUAL(any.threads, 32 * any.num_warps);
        EQUAL(any.binary_version, atoi(teeny_device_target(device) + strlen("sm_")));
        REQUIRE(any.registers >= 8 && any.registers <= 255, "%u registers", any.registers);
        REQUIRE(any.local_bytes == 0, "%u bytes are spilled", any.local_bytes);
    }
    check_note(
        "%u threads, %u registers (%u specialised), %u B constant, %u at once on each of %u, "
        "PTX %u, code %u",
        any.threads, any.registers, known.registers, any.constant_bytes, any.active_programs,
        any.multiprocessors, any.ptx_version, any.binary_version);
}

const check_row check_options[] = {
    {"launches without options and with none set", plain, ANY_DEVICE},
    {"clusters of 2 and 8, and such that do not fit", clusters, ANY_DEVICE},
    {"a cluster of 16", clusters_of_16, ON_CUDA},
    {"cooperative launches", cooperative, ANY_DEVICE},
    {"programmatic launches", programmatic, ANY_DEVICE},
    {"more shared memory than a kernel needs", extra_shared_memory, ANY_DEVICE},
    {"options in a graph", options_in_a_graph, ANY_DEVICE},
    {"a kernel of more than 48 KiB of shared memory", much_shared_memory, ANY_DEVICE},
    {"what kernels take", what_kernels_take, ANY_DEVICE},
    {NULL, NULL, ANY_DEVICE},
};
