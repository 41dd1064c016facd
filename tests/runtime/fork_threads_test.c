/* Forks while other threads of the process are in the middle of anything: the child can use the
 * library. Built without sanitizers, whose own locks such a child finds locked. */
#include "kernels.h"
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS = 4, FORKS = 300, SIZE = 64, SECONDS = 60 };

static atomic_bool stops;

/* Takes every lock of a process, over and over. */
static void *keep_busy(void *number)
{
    for (int i = 0; !atomic_load(&stops); i++) {
        teeny_options options = {.meta = {{"BLOCK", 1 + (i + (intptr_t)number) % 5}}};
        teeny_artifact *made;
        teeny_device *device, *none;
        if (teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", &options, &made) != TEENY_OK ||
            teeny_device_open("cpu", &device) != TEENY_OK)
            return number;
        teeny_artifact_destroy(made);
        teeny_device_open("cuda:0", &none);
        teeny_device_close(device);
    }
    return NULL;
}

static void use_own_device(void)
{
    teeny_device *device;
    teeny_stream *stream;
    teeny_artifact *artifact;
    float out[SIZE] = {0}, in[SIZE];
    alarm(SECONDS);
    for (int i = 0; i < SIZE; i++)
        in[i] = (float)i;
    for (int block = 1; block <= 5; block++) {
        teeny_options options = {.meta = {{"BLOCK", block}}};
        assert_ok(teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", &options, &artifact));
        teeny_artifact_destroy(artifact);
    }
    assert_ok(teeny_device_open("cpu", &device));
    assert_ok(teeny_stream_create(device, &stream));
    assert_ok(TEENY_LAUNCH(vector_add, stream, teeny_grid1(1), out, in, in, SIZE));
    assert_ok(teeny_stream_synchronize(stream));
    assert_true(out[SIZE - 1] == 2 * (SIZE - 1));
    teeny_stream_destroy(stream);
    teeny_device_close(device);
}

static void test_forks_while_threads_are_in_the_library(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    setenv("TEENY_CPU_THREADS", "2", 1);
    setenv("TEENY_LIBCUDA_PATH", "/nonexistent/libcuda.so.1", 1);
    atomic_store(&stops, false);
    for (intptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, keep_busy, (void *)(i + 1)), 0);
    for (int i = 0; i < FORKS; i++)
        support_in_child(use_own_device);
    atomic_store(&stops, true);
    for (int i = 0; i < THREADS; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_forks_while_threads_are_in_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
