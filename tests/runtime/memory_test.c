/* Memory that runs out, at each allocation of the library in turn, and at each thread, mapping and
 * stream of a directory, which take some too: an error that says so or a result that is right, no
 * crash, no leak, nothing half done. Afterwards everything works. */
#define _GNU_SOURCE 1 /* get_current_dir_name, memfd_create */
#include "scenario.h"
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

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
void *__real_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
int __real_memfd_create(const char *name, unsigned flags);
int __wrap_memfd_create(const char *name, unsigned flags);
DIR *__real_opendir(const char *name);
DIR *__wrap_opendir(const char *name);
DIR *__real_fdopendir(int file);
DIR *__wrap_fdopendir(int file);
char *__real_get_current_dir_name(void);
char *__wrap_get_current_dir_name(void);
int __real_pthread_create(
    pthread_t *out, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);
int __wrap_pthread_create(
    pthread_t *out, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    if (!fails_now())
        return __real_mmap(at, size, protection, flags, file, offset);
    errno = ENOMEM;
    return MAP_FAILED;
}

int __wrap_memfd_create(const char *name, unsigned flags)
{
    if (!fails_now())
        return __real_memfd_create(name, flags);
    errno = ENOMEM;
    return -1;
}

DIR *__wrap_opendir(const char *name)
{
    if (!fails_now())
        return __real_opendir(name);
    errno = ENOMEM;
    return NULL;
}

/* What cannot be read cannot be removed either: that is left to a later day's cleaning. */
static bool is_cleaning_prevented;

DIR *__wrap_fdopendir(int file)
{
    if (!fails_now())
        return __real_fdopendir(file);
    is_cleaning_prevented = true;
    errno = ENOMEM;
    return NULL;
}

char *__wrap_get_current_dir_name(void)
{
    if (!fails_now())
        return __real_get_current_dir_name();
    errno = ENOMEM;
    return NULL;
}

int __wrap_pthread_create(
    pthread_t *out, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
    return fails_now() ? EAGAIN : __real_pthread_create(out, attributes, body, argument);
}

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

enum { MOST_ALLOCATIONS = 5000 };

/* ---- The whole library ----------------------------------------------------------------------- */

static scenario_report report;

static void complain(const char *device, int nth, const char *what)
{
    print_error(
        "%s, allocation %d: %s\n%s\nlog:\n%s\n", device, nth, what, report.messages, support_log());
    fail();
}

static void check_nothing_is_left(const char *device, int nth)
{
    if (is_cleaning_prevented)
        system("rm -rf $TMPDIR/.teeny-*");
    else if (system("test -z \"$(find $TMPDIR -name '.teeny-*' | head -1)\"") != 0)
        complain(device, nth, "temporary files are left");
}

/* False where there was no nth allocation. */
static bool fail_nth(const char *device, int nth)
{
    is_cleaning_prevented = false;
    atomic_store(&countdown, nth);
    scenario_run(device, NULL, &report);
    bool has_failed = atomic_exchange(&countdown, 0) <= 0;
    if (report.is_wrong)
        complain(device, nth, "a result is wrong, and nothing was said");
    if (report.first != TEENY_OK && (!has_failed || report.first != TEENY_OUT_OF_MEMORY))
        complain(device, nth, "the status is not that of too little memory");
    return has_failed;
}

static void expect_recovery(const char *device, int nth)
{
    scenario_run(device, NULL, &report);
    if (report.first != TEENY_OK || report.is_wrong)
        complain(device, nth, "the library is not usable afterwards");
}

/* With all in the cache. */
static void fail_each_when_warm(const char *device)
{
    expect_recovery(device, 0);
    int nth = 1;
    for (; fail_nth(device, nth); nth++)
        if (nth % 8 == 0)
            expect_recovery(device, nth);
    assert_in_range(nth, 100, MOST_ALLOCATIONS);
    expect_recovery(device, nth);
    check_nothing_is_left(device, nth);
}

/* With nothing in the cache, of which the entries that are made then must be whole. */
static void fail_each_when_cold(const char *device, int stride)
{
    int nth = 1;
    for (;; nth += stride) {
        support_remove(support_path("cache"));
        if (!fail_nth(device, nth))
            break;
        expect_recovery(device, nth);
        check_nothing_is_left(device, nth);
    }
    assert_in_range(nth, 300, MOST_ALLOCATIONS);
}

static int set_up(void **state)
{
    int failed = support_setup(state);
    setenv("TEENY_CPU_THREADS", "2", 1);
    setenv("TEENY_LIBCUDA_PATH", STUB_CUDA_PATH, 1);
    setenv("STUB_DEVICES", "2", 1);
    return failed;
}

static bool is_whole;

static void test_each_allocation_on_cpu(void **state)
{
    (void)state;
    fail_each_when_warm("cpu");
    fail_each_when_cold("cpu", is_whole ? 1 : 41);
}

static void test_each_allocation_on_cuda(void **state)
{
    (void)state;
    fail_each_when_warm("cuda:0");
    fail_each_when_cold("cuda:0", is_whole ? 1 : 43);
}

/* ---- Single parts ---------------------------------------------------------------------------- */

/* Runs `body` with the first allocation failing, then the second, and so on until none does. */
static void fail_each(teeny_status (*body)(void))
{
    enum { FEWEST_ALLOCATIONS = 5 };
    for (int nth = 1; nth < MOST_ALLOCATIONS; nth++) {
        atomic_store(&countdown, nth);
        teeny_status status = body();
        bool failed = atomic_exchange(&countdown, 0) <= 0;
        if (!failed) {
            assert_ok(status);
            assert_in_range(nth, FEWEST_ALLOCATIONS, MOST_ALLOCATIONS);
            return;
        }
        if (status != TEENY_OK && status != TEENY_OUT_OF_MEMORY)
            fail_msg("allocation %d gives %s: %s", nth, teeny_status_name(status), teeny_message());
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
    int nth = 1;
    for (bool has_failed = true; has_failed && nth < MOST_ALLOCATIONS; nth++) {
        atomic_store(&countdown, nth);
        teeny_status status =
            teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", NULL, &artifact);
        has_failed = atomic_exchange(&countdown, 0) <= 0;
        if (!has_failed || status != TEENY_OUT_OF_MEMORY)
            assert_int_equal(status, TEENY_COMPILER_NOT_FOUND);
    }
    assert_in_range(nth, 20, MOST_ALLOCATIONS - 1);
}

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
static teeny_status launch(teeny_stream *stream, float *values)
{
    struct {
        float *out;
        const float *x, *y;
        int n;
    } arguments = {values, values, values, 4};
    teeny_kernel kernel = teeny_kernel_vector_add;
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
    teeny_status status = teeny_device_open("cuda:0", &device);
    if (status != TEENY_OK)
        return status;
    status = use_device(device);
    teeny_device_close(device);
    return status;
}

static void test_launching_what_was_compiled_ahead(void **state)
{
    (void)state;
    setenv("TEENY_LIBCUDA_PATH", STUB_CUDA_PATH, 1);
    assert_ok(open_and_use());
    fail_each(open_and_use);
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

static void ignore(const teeny_hook_record *record, void *user)
{
    (void)record, (void)user;
}

static teeny_status launch_from_file(teeny_stream *stream)
{
    const teeny_kernel *kernel;
    float out[1], in[1] = {1};
    struct {
        float *out;
        const float *x, *y;
        int n;
    } arguments = {out, in, in, 1};
    teeny_status status = teeny_kernel_from_file(support_path("kernels.c"), NULL, &kernel);
    if (status != TEENY_OK)
        return status;
    status = teeny_launch(stream, kernel, teeny_grid1(1), &arguments, sizeof arguments);
    if (status == TEENY_OK)
        status = teeny_stream_synchronize(stream);
    teeny_kernel_release(kernel);
    return status;
}

/* With a hook that hears of it. */
static teeny_status open_and_use_file(void)
{
    const teeny_hook hook = {
        .kinds = TEENY_HOOK_COMPILE | TEENY_HOOK_LOAD | TEENY_HOOK_LAUNCH, .function = ignore};
    teeny_hook_registration *registration = NULL;
    teeny_device *device = NULL;
    teeny_stream *stream = NULL;
    teeny_status status = teeny_device_open("cpu", &device);
    if (status == TEENY_OK)
        status = teeny_stream_create(device, &stream);
    if (status == TEENY_OK)
        status = teeny_hook_register(&hook, &registration);
    if (status == TEENY_OK)
        status = launch_from_file(stream);
    teeny_hook_unregister(registration);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    return status;
}

static void test_kernel_of_a_file(void **state)
{
    (void)state;
    setenv("TEENY_CPU_THREADS", "2", 1);
    support_write_file(support_path("helpers.h"), "/* none */\n");
    support_write_file(support_path("kernels.c"),
        "#include \"helpers.h\"\n"
        "TEENY_KERNEL(vector_add, (f32 *out, const f32 *x, const f32 *y, i32 n), META(), {});\n");
    assert_ok(open_and_use_file());
    fail_each(open_and_use_file);
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

/* With an argument, all that are only sampled otherwise. */
int main(int count, char **arguments)
{
    (void)arguments;
    is_whole = count > 1;
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_compiling),
        SUPPORT_TEST(test_hit),
        SUPPORT_TEST(test_search_without_result),
        cmocka_unit_test_setup_teardown(test_each_allocation_on_cpu, set_up, support_teardown),
        cmocka_unit_test_setup_teardown(test_each_allocation_on_cuda, set_up, support_teardown),
        SUPPORT_TEST(test_launching_what_was_compiled_ahead),
        SUPPORT_TEST(test_compiling_many),
        SUPPORT_TEST(test_kernel_of_a_file),
        SUPPORT_TEST(test_scratch_is_missed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
