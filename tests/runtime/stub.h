/* What the tests over the stub of the driver share: its functions, and objects of device cuda:0
 * that each test finds. Included by one file of a program, since it defines them. */
#ifndef TEENY_TESTS_RUNTIME_STUB_H
#define TEENY_TESTS_RUNTIME_STUB_H

#include "kernels.h"
#include "support.h"

#include "everything.h"

#include <dlfcn.h>

enum { N = 16, BYTES = N * (int)sizeof(float), STRICTEST = 0 };

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

#define STUB_TEST(test) cmocka_unit_test_setup_teardown(test, open_stub, close_stub)

#endif
