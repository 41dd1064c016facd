/* Memory that runs out, at each allocation of the library in turn: an error, no crash, no leak. */
#include "kernels.h"
#include "support.h"

#include "everything.h"

#include <stdatomic.h>

/* The how-manieth allocation from now on fails; 0: none. */
static atomic_int countdown;

static bool fails_now(void)
{
    int left = atomic_load(&countdown);
    return left > 0 && atomic_fetch_sub(&countdown, 1) == 1;
}

/* The linker's names for the functions that it puts these in front of. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
int __real_posix_memalign(void **out, size_t alignment, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    return fails_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails_now() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
    return fails_now() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size)
{
    return fails_now() ? NULL : __real_strndup(text, size);
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
    return fails_now() ? 12 : __real_posix_memalign(out, alignment, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails_now() ? NULL : __real_aligned_alloc(alignment, size);
}

enum { MOST_ALLOCATIONS = 2000 };

/* Runs `body` with the first allocation failing, then the second, and so on until none does. */
static void fail_each(teeny_status (*body)(void))
{
    for (int nth = 1; nth < MOST_ALLOCATIONS; nth++) {
        atomic_store(&countdown, nth);
        teeny_status status = body();
        bool failed = atomic_exchange(&countdown, 0) <= 0;
        if (!failed) {
            assert_ok(status);
            return;
        }
        assert_true(strlen(teeny_message()) > 0 || status == TEENY_OK);
    }
    fail_msg("more than %d allocations", MOST_ALLOCATIONS);
}

static teeny_status compile(void)
{
    const teeny_options options = {.meta = {{"BLOCK", 64}}};
    teeny_artifact *artifact;
    teeny_status status =
        teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", &options, &artifact);
    if (status != TEENY_OK)
        return status;
    teeny_artifact_meta(artifact, "NONE", &(int64_t){0});
    teeny_artifact_stage(artifact, "ttir");
    teeny_artifact_destroy(artifact);
    return TEENY_OK;
}

static teeny_status compile_anew(void)
{
    int count = atomic_exchange(&countdown, 0);
    support_remove(support_path("cache"));
    atomic_store(&countdown, count);
    return compile();
}

static void test_compiling(void **state)
{
    (void)state;
    fail_each(compile_anew);
}

static void test_hit(void **state)
{
    (void)state;
    assert_ok(compile());
    fail_each(compile);
}

static void test_search_without_result(void **state)
{
    (void)state;
    teeny_artifact *artifact;
    unsetenv("TEENYC_PATH");
    setenv("PATH", "/bin", 1);
    for (int nth = 1; nth < 200; nth++) {
        atomic_store(&countdown, nth);
        assert_int_not_equal(
            teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", NULL, &artifact), TEENY_OK);
        atomic_store(&countdown, 0);
    }
}

static const char *device_name;

static const char ahead_metadata[] =
    "teeny metadata 1\nkernel = vector_add\ntarget = sm_80\nentry = vector_add\nnum-warps = 4\n"
    "shared-bytes = 0\narguments-bytes = 32\nparameter = 0 8 pointer out\n"
    "parameter = 8 8 pointer x\nparameter = 16 8 pointer y\nparameter = 24 4 i32 n\n";
static const char ahead_ptx[] = ".version 8.0\n.target sm_80\n.entry vector_add() { ret; }\n";
static const teeny_embedded_image ahead_images[] = {
    {"sm_80", "", "ptx", ahead_metadata, ahead_ptx, sizeof ahead_ptx - 1},
    {"sm_80", "0=16,1=16", "ptx", ahead_metadata, ahead_ptx, sizeof ahead_ptx - 1},
};
static const teeny_embedded ahead = {ahead_images, 2};
static bool is_ahead;

static teeny_status launch(teeny_stream *stream, float *values)
{
    struct {
        float *out;
        const float *x, *y;
        int n;
    } arguments = {values, values, values, 4};
    teeny_kernel kernel = teeny_kernel_vector_add;
    if (!is_ahead)
        return TEENY_LAUNCH(vector_add, stream, teeny_grid1(1), values, values, values, 4);
    kernel.embedded = &ahead;
    return teeny_launch(stream, &kernel, teeny_grid1(1), &arguments, sizeof arguments);
}

static teeny_status use_device(teeny_device *device)
{
    teeny_stream *stream = NULL;
    teeny_buffer *buffer = NULL;
    teeny_status status = teeny_stream_create(device, &stream);
    if (status == TEENY_OK)
        status = teeny_buffer_create(device, 64, &buffer);
    if (status == TEENY_OK)
        status = launch(stream, teeny_buffer_pointer(buffer));
    if (status == TEENY_OK)
        status = teeny_stream_synchronize(stream);
    teeny_buffer_destroy(buffer);
    teeny_stream_destroy(stream);
    return status;
}

static teeny_status open_and_use(void)
{
    teeny_device *device;
    teeny_status status = teeny_device_open(device_name, &device);
    if (status != TEENY_OK)
        return status;
    status = use_device(device);
    teeny_device_close(device);
    return status;
}

static void test_launching_on_cpu(void **state)
{
    (void)state;
    device_name = "cpu";
    setenv("TEENY_CPU_THREADS", "2", 1);
    assert_ok(open_and_use());
    fail_each(open_and_use);
}

static void test_launching_on_cuda(void **state)
{
    (void)state;
    device_name = "cuda:0";
    setenv("TEENY_LIBCUDA_PATH", STUB_CUDA_PATH, 1);
    assert_ok(open_and_use());
    fail_each(open_and_use);
}

static teeny_status open_and_use_everything(void)
{
    teeny_device *device;
    teeny_status status = teeny_device_open(device_name, &device);
    if (status != TEENY_OK)
        return status;
    status = use_everything(device);
    teeny_device_close(device);
    return status;
}

static void test_everything_on_cpu(void **state)
{
    (void)state;
    device_name = "cpu";
    setenv("TEENY_CPU_THREADS", "2", 1);
    assert_ok(open_and_use_everything());
    fail_each(open_and_use_everything);
}

static void test_everything_on_cuda(void **state)
{
    (void)state;
    device_name = "cuda:0";
    setenv("TEENY_LIBCUDA_PATH", STUB_CUDA_PATH, 1);
    assert_ok(open_and_use_everything());
    fail_each(open_and_use_everything);
}

static void test_launching_what_was_compiled_ahead(void **state)
{
    is_ahead = true;
    test_launching_on_cuda(state);
    is_ahead = false;
}

static teeny_status compile_several(void)
{
    static const teeny_options options[] = {{.num_warps = 2}, {.num_warps = 8}};
    const teeny_compile_item items[] = {
        {.kernel = &teeny_kernel_vector_add, .target = "sm_90", .options = &options[0]},
        {.kernel = &teeny_kernel_vector_add, .target = "sm_90", .options = &options[1]}};
    teeny_compile_result results[2];
    teeny_status status = teeny_compile_many(items, 2, 2, results);
    teeny_compile_results_free(results, 2);
    return status;
}

static void test_compiling_many(void **state)
{
    (void)state;
    assert_ok(compile_several());
    fail_each(compile_several);
}

/* The worker has no memory for scratch: the launch is reported as failed, the next one works. */
static void test_scratch_is_missed_once(void **state)
{
    (void)state;
    teeny_device *device;
    teeny_stream *stream;
    float out[1] = {0}, in[1] = {1};
    setenv("TEENY_CPU_THREADS", "1", 1);
    assert_ok(teeny_device_open("cpu", &device));
    assert_ok(teeny_stream_create(device, &stream));
    teeny_function *function;
    assert_ok(teeny_load(device, &teeny_kernel_vector_add, NULL, &function));
    atomic_store(&countdown, 2); /* after the copy of the arguments */
    assert_ok(TEENY_LAUNCH(vector_add, stream, teeny_grid1(1), out, in, in, 1));
    assert_fails(teeny_stream_synchronize(stream), TEENY_OUT_OF_MEMORY);
    assert_contains(teeny_message(), "no memory for its scratch space");
    assert_ok(teeny_stream_synchronize(stream));
    assert_true(out[0] == 0);
    assert_ok(TEENY_LAUNCH(vector_add, stream, teeny_grid1(1), out, in, in, 1));
    assert_ok(teeny_stream_synchronize(stream));
    assert_true(out[0] == 2);
    teeny_unload(function);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_compiling),
        SUPPORT_TEST(test_hit),
        SUPPORT_TEST(test_search_without_result),
        SUPPORT_TEST(test_launching_on_cpu),
        SUPPORT_TEST(test_launching_on_cuda),
        SUPPORT_TEST(test_launching_what_was_compiled_ahead),
        SUPPORT_TEST(test_compiling_many),
        SUPPORT_TEST(test_scratch_is_missed_once),
        SUPPORT_TEST(test_everything_on_cpu),
        SUPPORT_TEST(test_everything_on_cuda),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
