/* The host program's functions from which libteeny must not be called: every call that could wait
 * there is refused at once, does nothing, and works again behind it. */
#include "kernels.h"
#include "support.h"

#include <stdatomic.h>

static teeny_device *device, *loaded_on;
static teeny_stream *stream;
static teeny_event *event, *end;
static teeny_buffer *buffer, *other;
static teeny_function *function;
static teeny_graph *graph;
static teeny_hook_registration *registration;
static void *host;
static float values[16];

/* ---- Every call ------------------------------------------------------------------------------ */

static void ignore(void *user)
{
    (void)user;
}

static void hear(const teeny_hook_record *record, void *user)
{
    (void)record;
    (void)user;
}

static void visit(const teeny_cache_item *item, void *user)
{
    (void)item;
    (void)user;
}

static const teeny_hook hook = {.kinds = TEENY_HOOK_LOAD, .function = hear};
static const teeny_launch_options launch_options;
static const teeny_compile_item item = {.kernel = TEENY_KERNEL_OF(vector_add), .target = "cpu"};

/* What calls write to: nothing. */
static union {
    teeny_device *device;
    teeny_stream *stream;
    teeny_event *event;
    teeny_buffer *buffer;
    teeny_function *function;
    teeny_graph *graph;
    teeny_artifact *artifact;
    teeny_hook_registration *registration;
    void *pointer;
    int number;
    bool flag;
    double seconds;
    teeny_resources resources;
} out;

/* X(name, call): those with a status. */
#define STATUS_CALLS(X)                                                                            \
    X(teeny_device_open, ("cpu", &out.device))                                                     \
    X(teeny_device_count, ("cuda", &out.number))                                                   \
    X(teeny_device_make_current, (device))                                                         \
    X(teeny_device_access, (device, device))                                                       \
    X(teeny_device_set_allocator, (device, NULL))                                                  \
    X(teeny_stream_create, (device, &out.stream))                                                  \
    X(teeny_stream_create_with, (device, NULL, &out.stream))                                       \
    X(teeny_stream_wrap, (device, NULL, &out.stream))                                              \
    X(teeny_stream_priorities, (device, &out.number, NULL))                                        \
    X(teeny_stream_synchronize, (stream))                                                          \
    X(teeny_stream_query, (stream, &out.flag))                                                     \
    X(teeny_stream_call, (stream, ignore, NULL))                                                   \
    X(teeny_event_create, (device, true, &out.event))                                              \
    X(teeny_event_wrap, (device, values, &out.event))                                              \
    X(teeny_event_record, (event, stream))                                                         \
    X(teeny_stream_wait, (stream, event))                                                          \
    X(teeny_event_synchronize, (event))                                                            \
    X(teeny_event_query, (event, &out.flag))                                                       \
    X(teeny_event_elapsed, (event, end, &out.seconds))                                             \
    X(teeny_buffer_create, (device, 64, &out.buffer))                                              \
    X(teeny_buffer_create_async, (stream, 64, &out.buffer))                                        \
    X(teeny_buffer_wrap, (device, values, sizeof values, &out.buffer))                             \
    X(teeny_buffer_destroy_async, (stream, buffer))                                                \
    X(teeny_buffer_write, (stream, buffer, 0, values, sizeof values))                              \
    X(teeny_buffer_read, (stream, buffer, 0, values, sizeof values))                               \
    X(teeny_buffer_write_async, (stream, buffer, 0, values, sizeof values))                        \
    X(teeny_buffer_read_async, (stream, buffer, 0, values, sizeof values))                         \
    X(teeny_buffer_copy, (stream, buffer, 0, other, 0, 64))                                        \
    X(teeny_buffer_fill, (stream, buffer, 0, 64, "a", 1))                                          \
    X(teeny_host_allocate, (device, 64, &out.pointer))                                             \
    X(teeny_host_register, (device, values, sizeof values))                                        \
    X(teeny_host_unregister, (device, values))                                                     \
    X(teeny_capture_begin, (stream))                                                               \
    X(teeny_capture_is_active, (stream, &out.flag))                                                \
    X(teeny_capture_end, (stream, &out.graph))                                                     \
    X(teeny_capture_end_into, (stream, graph))                                                     \
    X(teeny_graph_launch, (graph, stream))                                                         \
    X(teeny_compile_kernel, (TEENY_KERNEL_OF(vector_add), "cpu", NULL, &out.artifact))             \
    X(teeny_compile_many, (&item, 1, 1, NULL))                                                     \
    X(teeny_load, (device, TEENY_KERNEL_OF(vector_add), NULL, &out.function))                      \
    X(teeny_launch, (stream, TEENY_KERNEL_OF(vector_add), teeny_grid1(1), values, 32))             \
    X(teeny_launch_function, (stream, function, teeny_grid1(1), values, 32))                       \
    X(teeny_launch_with,                                                                           \
        (stream, TEENY_KERNEL_OF(vector_add), teeny_grid1(1), &launch_options, values, 32))        \
    X(teeny_launch_function_with, (stream, function, teeny_grid1(1), &launch_options, values, 32)) \
    X(teeny_kernel_info, (function, NULL, 0, &out.resources))                                      \
    X(teeny_hook_register, (&hook, &out.registration))                                             \
    X(teeny_cache_list, (visit, NULL))                                                             \
    X(teeny_cache_verify, (visit, NULL, NULL))                                                     \
    X(teeny_cache_collect, (NULL, NULL))                                                           \
    X(teeny_cache_clear, (NULL))

/* Those without: what they would free, or set, stays. */
#define VOID_CALLS(X)                                                                              \
    X(teeny_set_log, (NULL, NULL))                                                                 \
    X(teeny_hook_unregister, (registration))                                                       \
    X(teeny_unload, (function))                                                                    \
    X(teeny_graph_destroy, (graph))                                                                \
    X(teeny_buffer_destroy, (buffer))                                                              \
    X(teeny_host_free, (device, host))                                                             \
    X(teeny_event_destroy, (event))                                                                \
    X(teeny_stream_destroy, (stream))                                                              \
    X(teeny_device_close, (device))

#define CALL_STATUS(name, arguments)                                                               \
    static teeny_status call_##name(void)                                                          \
    {                                                                                              \
        return name arguments;                                                                     \
    }
#define CALL_VOID(name, arguments)                                                                 \
    static teeny_status call_##name(void)                                                          \
    {                                                                                              \
        name arguments;                                                                            \
        return TEENY_IN_CALLBACK;                                                                  \
    }
STATUS_CALLS(CALL_STATUS)
VOID_CALLS(CALL_VOID)

#define ROW(name, arguments) {#name, call_##name},
static const struct {
    const char *name;
    teeny_status (*call)(void);
} rows[] = {STATUS_CALLS(ROW) VOID_CALLS(ROW)};

enum { ROWS = sizeof rows / sizeof rows[0] };

/* ---- In callbacks ---------------------------------------------------------------------------- */

static atomic_int refused, told;

/* Assertions are for the test's own thread. */
static void try_all(void)
{
    for (int i = 0; i < ROWS; i++) {
        bool is_refused = rows[i].call() == TEENY_IN_CALLBACK;
        char expected[64];
        snprintf(expected, sizeof expected, "%s was called in ", rows[i].name);
        if (is_refused && strncmp(teeny_message(), expected, strlen(expected)) == 0)
            atomic_fetch_add(&refused, 1);
        else
            fprintf(stderr, "%s: %s\n", rows[i].name, teeny_message());
    }
}

/* What merely tells something may be called. */
static void tell_all(void)
{
    bool is_right = strcmp(teeny_device_name(device), "gone") != 0 &&
                    teeny_stream_device(stream) == device && teeny_buffer_size(buffer) == 64 &&
                    teeny_buffer_pointer(buffer) && teeny_function_artifact(function) &&
                    teeny_status_name(TEENY_IN_CALLBACK)[0] && teeny_cache_count(0) < 1000;
    const teeny_kernel *kernel = NULL;
    is_right &= teeny_kernel_from_text("TEENY_KERNEL(k, (i32 *x), META(), { x[0] = 1; });", "k.c",
                    NULL, &kernel) == TEENY_OK;
    teeny_kernel_release(kernel);
    atomic_fetch_add(&told, is_right);
}

static void on_stream(void *user)
{
    (void)user;
    try_all();
    tell_all();
}

static void on_log(teeny_log_level level, const char *line, void *context)
{
    (void)level;
    bool *is_done = context;
    if (*is_done || strncmp(line, "compile: ", 9) != 0)
        return;
    *is_done = true;
    try_all();
    tell_all();
}

static teeny_status launch(void)
{
    return TEENY_LAUNCH(vector_add, stream, teeny_grid1(1), teeny_buffer_pointer(buffer),
        teeny_buffer_pointer(buffer), teeny_buffer_pointer(buffer), 16);
}

/* The fake teenyc makes no code for emu: the function is on another device then, and not launched.
 */
static void make_all(const char *name)
{
    static const teeny_options options = {.num_warps = 4};
    setenv("TEENY_LIBCUDA_PATH", STUB_CUDA_PATH, 1);
    assert_ok(teeny_device_open(name, &device));
    assert_ok(teeny_device_open(strcmp(name, "emu") == 0 ? "cpu" : name, &loaded_on));
    assert_ok(teeny_stream_create(device, &stream));
    assert_ok(teeny_event_create(device, true, &event));
    assert_ok(teeny_event_create(device, true, &end));
    assert_ok(teeny_buffer_create(device, 64, &buffer));
    assert_ok(teeny_buffer_create(device, 64, &other));
    assert_ok(teeny_host_allocate(device, 64, &host));
    assert_ok(teeny_load(loaded_on, TEENY_KERNEL_OF(vector_add), &options, &function));
    assert_ok(teeny_hook_register(&hook, &registration));
    assert_ok(teeny_capture_begin(stream));
    assert_ok(teeny_stream_call(stream, ignore, NULL));
    assert_ok(teeny_capture_end(stream, &graph));
    atomic_store(&refused, 0);
    atomic_store(&told, 0);
}

static void expect_refusals(int callbacks)
{
    assert_int_equal(atomic_load(&refused), callbacks * ROWS);
    assert_int_equal(atomic_load(&told), callbacks);
}

/* All is as it was: it can be used, and freed once. */
static void free_all(void)
{
    if (loaded_on == device)
        assert_ok(launch());
    assert_ok(teeny_graph_launch(graph, stream));
    assert_ok(teeny_event_record(event, stream));
    assert_ok(teeny_stream_synchronize(stream));
    teeny_hook_unregister(registration);
    teeny_graph_destroy(graph);
    teeny_unload(function);
    teeny_host_free(device, host);
    teeny_buffer_destroy(other);
    teeny_buffer_destroy(buffer);
    teeny_event_destroy(end);
    teeny_event_destroy(event);
    teeny_stream_destroy(stream);
    teeny_device_close(loaded_on);
    teeny_device_close(device);
}

static void expect_in_stream_calls(const char *name)
{
    make_all(name);
    assert_ok(teeny_stream_call(stream, on_stream, NULL));
    assert_ok(teeny_stream_synchronize(stream));
    expect_refusals(1);
    assert_contains(
        support_log(), "teeny_buffer_destroy was called in a function of teeny_stream_");
    free_all();
}

static void test_in_a_stream_call_of_cpu(void **state)
{
    (void)state;
    expect_in_stream_calls("cpu");
}

static void test_in_a_stream_call_of_emu(void **state)
{
    (void)state;
    expect_in_stream_calls("emu");
}

/* The graph's own lock is held then. */
static void test_in_a_call_of_a_graph(void **state)
{
    (void)state;
    teeny_graph *calling;
    make_all("emu");
    assert_ok(teeny_capture_begin(stream));
    assert_ok(teeny_stream_call(stream, on_stream, NULL));
    assert_ok(teeny_capture_end(stream, &calling));
    assert_ok(teeny_graph_launch(calling, stream));
    expect_refusals(1);
    teeny_graph_destroy(calling);
    free_all();
}

/* A launch's first compilation: the function's and the log's locks are held. */
static void test_in_a_log_function(void **state)
{
    (void)state;
    bool is_done = false;
    make_all("cuda");
    teeny_set_log(on_log, &is_done);
    assert_ok(launch());
    assert_true(is_done);
    expect_refusals(1);
    teeny_set_log(NULL, NULL);
    free_all();
}

static void *allocate(void *user, size_t size, void *native)
{
    (void)native;
    on_stream(user);
    return aligned_alloc(256, (size + 255) / 256 * 256);
}

static void give_back(void *user, void *pointer, size_t size, void *native)
{
    (void)size;
    (void)native;
    on_stream(user);
    free(pointer);
}

/* One that asked for a buffer would be asked for it again, and again. */
static void test_in_the_callers_allocator(void **state)
{
    (void)state;
    const teeny_allocator allocator = {.allocate = allocate, .free = give_back};
    teeny_buffer *own;
    make_all("cpu");
    assert_ok(teeny_device_set_allocator(device, &allocator));
    assert_ok(teeny_buffer_create(device, 64, &own));
    expect_refusals(1);
    assert_contains(teeny_message(), "was called in the caller's allocator");
    assert_contains(support_log(), "teeny_buffer_destroy was called in the caller's allocator");
    teeny_buffer_destroy(own);
    expect_refusals(2);
    assert_ok(teeny_device_set_allocator(device, NULL));
    free_all();
}

static teeny_device *opened;

static void on_open(teeny_log_level level, const char *line, void *context)
{
    (void)level;
    if (strncmp(line, "device: ", 8) == 0)
        *(teeny_status *)context = teeny_device_open("cpu", &opened);
}

/* The list of devices is locked while one is opened. */
static void test_in_a_log_function_that_hears_of_a_device(void **state)
{
    (void)state;
    teeny_status status = TEENY_OK;
    teeny_set_log(on_open, &status);
    assert_ok(teeny_device_open("cpu", &device));
    assert_int_equal(status, TEENY_IN_CALLBACK);
    teeny_set_log(NULL, NULL);
    teeny_device_close(device);
}

/* ---- Unloading in hooks ---------------------------------------------------------------------- */

static void unload(const teeny_hook_record *record, void *user)
{
    if (!record->is_exit)
        teeny_unload(user);
}

static void expect_that_hooks_cannot_unload(teeny_hook_kind kind)
{
    static const teeny_options options = {.num_warps = 4};
    const teeny_resources none = {0};
    teeny_function *own;
    make_all("cuda");
    assert_ok(teeny_load(device, TEENY_KERNEL_OF(vector_add), &options, &own));
    const teeny_hook unloading = {.kinds = kind, .function = unload, .user = own};
    teeny_hook_registration *own_registration;
    assert_ok(teeny_hook_register(&unloading, &own_registration));
    float *x = teeny_buffer_pointer(buffer);
    assert_ok(TEENY_LAUNCH_FUNCTION(vector_add, own, stream, teeny_grid1(1), x, x, x, 16));
    assert_contains(support_log(), "teeny_unload was called in a hook for the function of kernel");
    teeny_hook_unregister(own_registration);
    teeny_resources resources = none;
    assert_ok(teeny_kernel_info(own, NULL, 0, &resources));
    assert_int_not_equal(resources.threads, 0);
    teeny_unload(own);
    free_all();
}

static void test_a_compilation_for_a_launch_keeps_its_function(void **state)
{
    (void)state;
    expect_that_hooks_cannot_unload(TEENY_HOOK_COMPILE);
}

static void test_a_load_for_a_launch_keeps_its_function(void **state)
{
    (void)state;
    expect_that_hooks_cannot_unload(TEENY_HOOK_LOAD);
}

struct relaunch {
    teeny_function *function;
    teeny_status status;
    int count;
};

static void launch_again(const teeny_hook_record *record, void *user)
{
    struct relaunch *relaunch = user;
    char *x = teeny_buffer_pointer(buffer);
    (void)record;
    relaunch->count++;
    relaunch->status = TEENY_LAUNCH_FUNCTION(vector_add, relaunch->function, stream, teeny_grid1(1),
        (float *)(x + 4), (float *)(x + 4), (float *)x, 4);
}

/* Of the very function that is locked, with arguments of yet another kind. */
static void test_a_hook_launches_what_is_compiled_for_a_launch(void **state)
{
    (void)state;
    static const teeny_options options = {.num_warps = 4};
    make_all("cuda");
    struct relaunch relaunch = {.status = TEENY_INVALID_ARGUMENT};
    assert_ok(teeny_load(device, TEENY_KERNEL_OF(vector_add), &options, &relaunch.function));
    const teeny_hook launching = {
        .kinds = TEENY_HOOK_COMPILE | TEENY_HOOK_LOAD, .function = launch_again, .user = &relaunch};
    teeny_hook_registration *own_registration;
    assert_ok(teeny_hook_register(&launching, &own_registration));
    float *x = teeny_buffer_pointer(buffer);
    assert_ok(
        TEENY_LAUNCH_FUNCTION(vector_add, relaunch.function, stream, teeny_grid1(1), x, x, x, 16));
    assert_int_equal(relaunch.count, 4);
    assert_ok(relaunch.status);
    teeny_hook_unregister(own_registration);
    teeny_unload(relaunch.function);
    free_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_in_a_stream_call_of_cpu),
        SUPPORT_TEST(test_in_a_stream_call_of_emu),
        SUPPORT_TEST(test_in_a_call_of_a_graph),
        SUPPORT_TEST(test_in_a_log_function),
        SUPPORT_TEST(test_in_a_log_function_that_hears_of_a_device),
        SUPPORT_TEST(test_in_the_callers_allocator),
        SUPPORT_TEST(test_a_compilation_for_a_launch_keeps_its_function),
        SUPPORT_TEST(test_a_load_for_a_launch_keeps_its_function),
        SUPPORT_TEST(test_a_hook_launches_what_is_compiled_for_a_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
