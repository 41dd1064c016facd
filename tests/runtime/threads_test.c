/* Many threads and several processes at once, on the same kernels, devices and streams. */
#include "kernels.h"
#include "support.h"

#include "runtime/function_table.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 12, SIZE = 4096 };

static teeny_device *device;
static teeny_stream *shared;

static void run_threads(void *(*body)(void *))
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, (void *)(intptr_t)i), 0);
    for (int i = 0; i < THREADS; i++) {
        void *good;
        pthread_join(threads[i], &good);
        assert_non_null(good);
    }
}

static void *compile(void *number)
{
    teeny_options options = {.meta = {{"BLOCK", (intptr_t)number % 3 + 1}}};
    teeny_artifact *artifact;
    for (int i = 0; i < 5; i++) {
        if (teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", &options, &artifact) != TEENY_OK)
            return NULL;
        teeny_artifact_destroy(artifact);
    }
    return &device;
}

static void test_one_compilation_a_key(void **state)
{
    (void)state;
    setenv("FAKE_TEENYC", "slow", 1);
    run_threads(compile);
    assert_int_equal(support_compilations(), 3);
}

static void *launch_on_own_stream(void *number)
{
    teeny_stream *stream;
    float *out = calloc(SIZE, sizeof *out), *in = calloc(SIZE, sizeof *in);
    bool good = teeny_stream_create(device, &stream) == TEENY_OK;
    for (int i = 0; i < SIZE; i++)
        in[i] = (float)(intptr_t)number;
    for (int i = 0; i < 200; i++)
        good &= TEENY_LAUNCH(vector_add, stream, teeny_grid1(64), out, out, in, SIZE) == TEENY_OK;
    good &= teeny_stream_synchronize(stream) == TEENY_OK;
    for (int i = 0; i < SIZE; i++)
        good &= out[i] == 200 * (float)(intptr_t)number;
    teeny_stream_destroy(stream);
    free(out);
    free(in);
    return good ? &device : NULL;
}

static void test_streams_of_many_threads(void **state)
{
    (void)state;
    assert_ok(teeny_device_open("cpu", &device));
    run_threads(launch_on_own_stream);
    teeny_device_close(device);
    assert_int_equal(support_compilations(), 1);
}

static float total[SIZE], one[SIZE];

static void *launch_on_shared_stream(void *number)
{
    (void)number;
    bool good = true;
    for (int i = 0; i < 100; i++)
        good &=
            TEENY_LAUNCH(vector_add, shared, teeny_grid1(16), total, total, one, SIZE) == TEENY_OK;
    return good ? &device : NULL;
}

static void test_one_stream_of_many_threads(void **state)
{
    (void)state;
    assert_ok(teeny_device_open("cpu", &device));
    assert_ok(teeny_stream_create(device, &shared));
    for (int i = 0; i < SIZE; i++) {
        total[i] = 0;
        one[i] = 1;
    }
    run_threads(launch_on_shared_stream);
    assert_ok(teeny_stream_synchronize(shared));
    for (int i = 0; i < SIZE; i++)
        assert_true(total[i] == 100 * THREADS);
    teeny_stream_destroy(shared);
    teeny_device_close(device);
}

static void *open_and_close(void *number)
{
    (void)number;
    float out[1], in[1] = {1};
    for (int i = 0; i < 20; i++) {
        teeny_device *own;
        teeny_stream *stream;
        teeny_buffer *buffer;
        if (teeny_device_open("cpu", &own) != TEENY_OK ||
            teeny_stream_create(own, &stream) != TEENY_OK ||
            teeny_buffer_create(own, 100, &buffer) != TEENY_OK)
            return NULL;
        teeny_device_close(own);
        if (TEENY_LAUNCH(vector_add, stream, teeny_grid1(1), out, in, in, 1) != TEENY_OK)
            return NULL;
        teeny_buffer_destroy(buffer);
        teeny_stream_destroy(stream);
    }
    return &device;
}

static void test_devices_come_and_go(void **state)
{
    (void)state;
    setenv("TEENY_CPU_THREADS", "3", 1);
    run_threads(open_and_close);
}

static void compile_in_process(void)
{
    assert_non_null(compile((void *)0));
}

static void test_processes_race_on_a_key(void **state)
{
    (void)state;
    enum { PROCESSES = 6 };
    pid_t children[PROCESSES];
    setenv("FAKE_TEENYC", "slow", 1);
    fflush(NULL);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            setenv("CMOCKA_TEST_ABORT", "1", 1);
            compile_in_process();
            _exit(0);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        waitpid(children[i], &status, 0);
        assert_int_equal(status, 0);
    }
    teeny_options options = {.meta = {{"BLOCK", 1}}};
    teeny_artifact *artifact;
    assert_ok(teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", &options, &artifact));
    assert_true(teeny_artifact_hit(artifact));
    teeny_artifact_destroy(artifact);
    assert_int_equal(system("test -z \"$(find $TEENYC_CACHE_DIR -name '.teeny-*')\""), 0);
}

static teeny_function_table table;
static teeny_kernel kernels[3000];

/* A table does not look into what it holds: any addresses will do. */
static teeny_function *function_of(size_t i)
{
    return (teeny_function *)(void *)&kernels[i];
}

static void *fill_table(void *number)
{
    for (size_t i = 0; i < 3000; i++) {
        size_t at = (i + 250 * (size_t)(intptr_t)number) % 3000;
        teeny_function *found = teeny_function_table_find(&table, &kernels[at]);
        if (found && found != function_of(at))
            return NULL;
        if (teeny_function_table_add(&table, &kernels[at], function_of(at)) != function_of(at))
            return NULL;
    }
    return &device;
}

static size_t released;

static void count_release(teeny_function *function)
{
    (void)function;
    released++;
}

static void test_function_table(void **state)
{
    (void)state;
    teeny_function_table_init(&table);
    assert_null(teeny_function_table_find(&table, &kernels[0]));
    run_threads(fill_table);
    for (size_t i = 0; i < 3000; i++)
        assert_ptr_equal(teeny_function_table_find(&table, &kernels[i]), function_of(i));
    assert_null(teeny_function_table_find(&table, &teeny_kernel_vector_add));
    teeny_function_table_free(&table, count_release);
    assert_int_equal(released, 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_one_compilation_a_key),
        SUPPORT_TEST(test_streams_of_many_threads),
        SUPPORT_TEST(test_one_stream_of_many_threads),
        SUPPORT_TEST(test_devices_come_and_go),
        SUPPORT_TEST(test_processes_race_on_a_key),
        SUPPORT_TEST(test_function_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
