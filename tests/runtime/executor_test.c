/* The cpu device on threads of the host program: a serial executor, a pool of the test's own, and
 * one that takes its time. */
#include "kernels.h"
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 100000, PROGRAMS = 500, MOST_TASKS = 4096, POOL_THREADS = 3 };

typedef struct task {
    void (*run)(void *argument);
    void *argument;
} task;

/* ---- Executors ------------------------------------------------------------------------------- */

static unsigned serial_tasks;

static void run_serially(void *user, unsigned count, void (*run)(void *), void *argument)
{
    assert_ptr_equal(user, &serial_tasks);
    for (unsigned i = 0; i < count; i++) {
        serial_tasks++;
        run(argument);
    }
}

/* A queue, and threads that empty it. */
typedef struct own_pool {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    task tasks[MOST_TASKS];
    size_t first, count;
    bool is_ending;
    unsigned running, most_running, run;
    pthread_t threads[POOL_THREADS];
} own_pool;

static void enqueue(void *user, unsigned count, void (*run)(void *), void *argument)
{
    own_pool *pool = user;
    pthread_mutex_lock(&pool->mutex);
    for (unsigned i = 0; i < count; i++)
        pool->tasks[(pool->first + pool->count++) % MOST_TASKS] = (task){run, argument};
    assert_true(pool->count <= MOST_TASKS);
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
}

/* With the mutex held. */
static void run_first(own_pool *pool)
{
    task next = pool->tasks[pool->first];
    pool->first = (pool->first + 1) % MOST_TASKS;
    pool->count--;
    pool->run++;
    if (++pool->running > pool->most_running)
        pool->most_running = pool->running;
    pthread_mutex_unlock(&pool->mutex);
    next.run(next.argument);
    pthread_mutex_lock(&pool->mutex);
    pool->running--;
}

static void *work(void *argument)
{
    own_pool *pool = argument;
    pthread_mutex_lock(&pool->mutex);
    while (pool->count || !pool->is_ending) {
        if (pool->count)
            run_first(pool);
        else
            pthread_cond_wait(&pool->changed, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static void begin(own_pool *pool)
{
    for (int i = 0; i < POOL_THREADS; i++)
        assert_int_equal(pthread_create(&pool->threads[i], NULL, work, pool), 0);
}

static void end(own_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->is_ending = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 0; i < POOL_THREADS; i++)
        pthread_join(pool->threads[i], NULL);
}

/* ---- Kernels on them ------------------------------------------------------------------------- */

static bool add_repeatedly(teeny_device *device, int repeats)
{
    teeny_stream *stream;
    float *out = calloc(SIZE, sizeof *out), *in = calloc(SIZE, sizeof *in);
    bool good = teeny_stream_create(device, &stream) == TEENY_OK;
    for (int i = 0; i < SIZE; i++)
        in[i] = (float)(i % 7);
    for (int i = 0; i < repeats; i++)
        good &=
            TEENY_LAUNCH(vector_add, stream, teeny_grid1(PROGRAMS), out, out, in, SIZE) == TEENY_OK;
    good &= teeny_stream_synchronize(stream) == TEENY_OK;
    for (int i = 0; i < SIZE; i++)
        good &= out[i] == (float)(repeats * (i % 7));
    teeny_stream_destroy(stream);
    free(in);
    free(out);
    return good;
}

static void test_serial(void **state)
{
    (void)state;
    const teeny_executor executor = {run_serially, &serial_tasks, 1};
    teeny_device *device;
    serial_tasks = 0;
    assert_ok(teeny_device_open_on(&executor, &device));
    assert_true(add_repeatedly(device, 20));
    assert_int_equal(serial_tasks, 20); /* each launch is done when it returns */
    teeny_device_close(device);
}

static teeny_device *shared;

static void *add_on_shared(void *argument)
{
    return add_repeatedly(shared, 50) ? argument : NULL;
}

static void test_own_pool(void **state)
{
    (void)state;
    enum { USERS = 4 };
    own_pool *pool = calloc(1, sizeof *pool);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->changed, NULL);
    begin(pool);
    assert_ok(teeny_device_open_on(&(teeny_executor){enqueue, pool, POOL_THREADS}, &shared));
    pthread_t users[USERS];
    for (int i = 0; i < USERS; i++)
        assert_int_equal(pthread_create(&users[i], NULL, add_on_shared, pool), 0);
    for (int i = 0; i < USERS; i++) {
        void *good;
        pthread_join(users[i], &good);
        assert_non_null(good);
    }
    teeny_device_close(shared);
    end(pool);
    assert_true(pool->run > 0);
    assert_true(pool->most_running <= POOL_THREADS);
    free(pool);
}

/* Tasks wait until the test runs them: whoever synchronizes does the work, and closing waits. */
static void test_late_tasks(void **state)
{
    (void)state;
    own_pool *pool = calloc(1, sizeof *pool);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->changed, NULL);
    teeny_device *device;
    assert_ok(teeny_device_open_on(&(teeny_executor){enqueue, pool, 2}, &device));
    assert_true(add_repeatedly(device, 3));
    assert_int_equal(pool->count, 2); /* no more than the executor has threads */
    begin(pool);
    teeny_device_close(device);
    end(pool);
    assert_int_equal(pool->count, 0);
    free(pool);
}

static void test_device_is_its_own(void **state)
{
    (void)state;
    const teeny_executor executor = {run_serially, &serial_tasks, 1};
    teeny_device *first, *second, *named;
    assert_ok(teeny_device_open_on(&executor, &first));
    assert_ok(teeny_device_open_on(&executor, &second));
    assert_ok(teeny_device_open("cpu", &named));
    assert_ptr_not_equal(first, second);
    assert_ptr_not_equal(first, named);
    assert_string_equal(teeny_device_name(first), "cpu");
    assert_string_equal(teeny_device_target(first), "cpu");
    teeny_device_close(first);
    assert_true(add_repeatedly(second, 2));
    assert_true(add_repeatedly(named, 2));
    teeny_device_close(named);
    teeny_device_close(second);
}

/* The names are the same, so the message says what differs. */
static void test_two_devices_of_one_name(void **state)
{
    (void)state;
    const teeny_executor executor = {run_serially, &serial_tasks, 1};
    static const char expected[] = "are on two different devices, both named cpu";
    teeny_device *own, *named;
    teeny_stream *stream;
    teeny_buffer *buffer;
    teeny_event *event;
    teeny_function *function;
    assert_ok(teeny_device_open_on(&executor, &own));
    assert_ok(teeny_device_open("cpu", &named));
    assert_ok(teeny_stream_create(own, &stream));
    assert_ok(teeny_buffer_create(named, 4, &buffer));
    assert_ok(teeny_event_create(named, false, &event));
    assert_ok(teeny_load(named, TEENY_KERNEL_OF(vector_add), NULL, &function));
    assert_fails(teeny_buffer_write(stream, buffer, 0, "abc", 4), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "teeny_buffer_write: the buffer and the stream");
    assert_contains(teeny_message(), expected);
    assert_fails(teeny_event_record(event, stream), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), expected);
    assert_fails(
        teeny_launch_function(stream, function, teeny_grid1(1), NULL, 0), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), expected);
    teeny_unload(function);
    teeny_event_destroy(event);
    teeny_buffer_destroy(buffer);
    teeny_stream_destroy(stream);
    teeny_device_close(named);
    teeny_device_close(own);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    teeny_device *device;
    assert_fails(teeny_device_open_on(NULL, &device), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "executor is NULL");
    assert_fails(teeny_device_open_on(&(teeny_executor){run_serially, NULL, 1}, NULL),
        TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "out_device is NULL");
    assert_fails(
        teeny_device_open_on(&(teeny_executor){NULL, NULL, 1}, &device), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "has no run");
    assert_fails(teeny_device_open_on(&(teeny_executor){run_serially, NULL, 0}, &device),
        TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "has no threads");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_serial),
        SUPPORT_TEST(test_own_pool),
        SUPPORT_TEST(test_late_tasks),
        SUPPORT_TEST(test_device_is_its_own),
        SUPPORT_TEST(test_two_devices_of_one_name),
        SUPPORT_TEST(test_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
