/* The order of work on the devices cpu and emu: streams that wait for each other, priorities,
 * threads that help, memory of others. Work is functions of this file, put by teeny_stream_call. */
#include "kernels.h"
#include "support.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { MOST = 64 };

static teeny_device *device;
static teeny_stream *streams[MOST];
static teeny_event *events[MOST];

static char trace[512];
static atomic_size_t trace_length;

static void say(void *letter)
{
    trace[atomic_fetch_add(&trace_length, 1)] = *(const char *)letter;
}

static sem_t gate, arrived;

static void wait_at_gate(void *unused)
{
    (void)unused;
    sem_post(&arrived);
    while (sem_wait(&gate) != 0)
        continue;
}

static void make(const char *threads, int count)
{
    setenv("TEENY_CPU_THREADS", threads, 1);
    assert_ok(teeny_device_open("cpu", &device));
    for (int i = 0; i < count; i++) {
        assert_ok(teeny_stream_create(device, &streams[i]));
        assert_ok(teeny_event_create(device, false, &events[i]));
    }
    memset(trace, 0, sizeof trace);
    atomic_store(&trace_length, 0);
    sem_init(&gate, 0, 0);
    sem_init(&arrived, 0, 0);
}

static void unmake(int count)
{
    for (int i = 0; i < count; i++) {
        teeny_event_destroy(events[i]);
        teeny_stream_destroy(streams[i]);
    }
    teeny_device_close(device);
    sem_destroy(&gate);
    sem_destroy(&arrived);
}

/* The only thread is held up while work comes in: what is urgent is done first. */
static void test_urgent_streams_come_first(void **state)
{
    (void)state;
    const teeny_stream_options urgent = {.priority = -1};
    teeny_stream *first;
    make("1", 3);
    assert_ok(teeny_stream_create_with(device, &urgent, &first));
    assert_ok(teeny_stream_call(streams[0], wait_at_gate, NULL));
    sem_wait(&arrived);
    assert_ok(teeny_stream_call(streams[1], say, "b"));
    assert_ok(teeny_stream_call(streams[2], say, "c"));
    assert_ok(teeny_stream_call(first, say, "a"));
    sem_post(&gate);
    assert_ok(teeny_event_record(events[0], streams[2]));
    while (atomic_load(&trace_length) < 3) /* nobody helps */
        sched_yield();
    assert_string_equal(trace, "abc");
    teeny_stream_destroy(first);
    unmake(3);
}

/* Each stream waits for the one before it; the first is held up. */
static void test_a_chain_of_streams(void **state)
{
    (void)state;
    static char letters[MOST];
    const char *const threads[] = {"1", "3"};
    for (int round = 0; round < 2; round++) {
        make(threads[round], MOST);
        assert_ok(teeny_stream_call(streams[0], wait_at_gate, NULL));
        sem_wait(&arrived);
        for (int i = 0; i < MOST; i++) {
            letters[i] = (char)('!' + i);
            if (i)
                assert_ok(teeny_stream_wait(streams[i], events[i - 1]));
            assert_ok(teeny_stream_call(streams[i], say, &letters[i]));
            assert_ok(teeny_event_record(events[i], streams[i]));
        }
        bool is_done;
        assert_ok(teeny_event_query(events[MOST - 1], &is_done));
        assert_false(is_done);
        assert_int_equal(trace_length, 0);
        sem_post(&gate);
        assert_ok(teeny_event_synchronize(events[MOST - 1]));
        assert_memory_equal(trace, letters, MOST);
        unmake(MOST);
    }
}

/* Many wait for one, and one for many; a moment is passed in the middle of a queue. */
static void test_many_wait_for_one(void **state)
{
    (void)state;
    make("2", MOST);
    assert_ok(teeny_stream_call(streams[0], wait_at_gate, NULL));
    assert_ok(teeny_event_record(events[0], streams[0]));
    assert_ok(teeny_stream_call(streams[0], say, "x"));
    for (int i = 1; i < MOST; i++) {
        assert_ok(teeny_stream_wait(streams[i], events[0]));
        assert_ok(teeny_stream_call(streams[i], say, "y"));
        assert_ok(teeny_event_record(events[i], streams[i]));
    }
    for (int i = 1; i < MOST; i++)
        assert_ok(teeny_stream_wait(streams[0], events[i]));
    assert_ok(teeny_stream_call(streams[0], say, "z"));
    sem_post(&gate);
    assert_ok(teeny_stream_synchronize(streams[0]));
    assert_int_equal(trace_length, MOST + 1);
    assert_int_equal(trace[MOST], 'z');
    unmake(MOST);
}

enum { MORE_THAN_FITS = 300, NEARLY_FULL = 250 };

static atomic_int put, done;

static void count_one(void *unused)
{
    (void)unused;
    atomic_fetch_add(&done, 1);
}

static void *put_many(void *stream)
{
    for (int i = 0; i < MORE_THAN_FITS; i++) {
        assert_ok(teeny_stream_call(stream, count_one, NULL));
        atomic_fetch_add(&put, 1);
    }
    return NULL;
}

/* More than a queue holds, on a stream that waits: whoever puts it there waits too. */
static void test_full_queues(void **state)
{
    (void)state;
    pthread_t thread;
    make("1", 2);
    atomic_store(&put, 0);
    atomic_store(&done, 0);
    assert_ok(teeny_stream_call(streams[0], wait_at_gate, NULL));
    assert_ok(teeny_event_record(events[0], streams[0]));
    assert_ok(teeny_stream_wait(streams[1], events[0]));
    assert_int_equal(pthread_create(&thread, NULL, put_many, streams[1]), 0);
    while (atomic_load(&put) < NEARLY_FULL)
        sched_yield();
    assert_int_equal(done, 0);
    sem_post(&gate);
    pthread_join(thread, NULL);
    assert_ok(teeny_stream_synchronize(streams[1]));
    assert_int_equal(done, MORE_THAN_FITS);
    unmake(2);
}

/* ---- Threads of the host program ------------------------------------------------------------- */

static struct {
    void (*run)(void *argument);
    void *argument;
} jobs[MOST];
static unsigned job_count;

static void keep_for_later(void *user, unsigned count, void (*run)(void *argument), void *argument)
{
    (void)user;
    for (unsigned i = 0; i < count; i++) {
        jobs[job_count].run = run;
        jobs[job_count++].argument = argument;
    }
}

/* The one thread of the executor is the one that waits: it has to do the work of the stream that
 * its own stream, or its event, waits for. */
static void test_who_waits_works_on_what_it_waits_for(void **state)
{
    (void)state;
    const teeny_executor executor = {keep_for_later, NULL, 1};
    make("1", 0);
    teeny_device_close(device);
    assert_ok(teeny_device_open_on(&executor, &device));
    for (int i = 0; i < 3; i++) {
        assert_ok(teeny_stream_create(device, &streams[i]));
        assert_ok(teeny_event_create(device, false, &events[i]));
    }
    assert_ok(teeny_stream_call(streams[0], say, "a"));
    assert_ok(teeny_event_record(events[0], streams[0]));
    assert_ok(teeny_stream_wait(streams[1], events[0]));
    assert_ok(teeny_stream_call(streams[1], say, "b"));
    assert_ok(teeny_event_record(events[1], streams[1]));
    assert_ok(teeny_stream_synchronize(streams[1]));
    assert_ok(teeny_stream_call(streams[0], say, "c"));
    assert_ok(teeny_event_record(events[0], streams[0]));
    assert_ok(teeny_stream_wait(streams[2], events[0]));
    assert_ok(teeny_event_record(events[2], streams[2]));
    assert_ok(teeny_event_synchronize(events[2]));
    assert_string_equal(trace, "abc");
    for (unsigned i = 0; i < job_count; i++)
        jobs[i].run(jobs[i].argument);
    job_count = 0;
    unmake(3);
}

/* ---- Many threads ---------------------------------------------------------------------------- */

enum { THREADS = 4, STREAMS = 5, STEPS = 400 };

/* Any thread puts anything on any stream; all of it is done in the end, and nobody waits for ever.
 */
static void *mix(void *argument)
{
    unsigned random = (unsigned)(uintptr_t)argument * 7919 + 1;
    for (int i = 0; i < STEPS; i++) {
        random = random * 1103515245 + 12345;
        teeny_stream *stream = streams[random / 64 % STREAMS];
        teeny_event *event = events[random / 1024 % STREAMS];
        bool is_done;
        switch (random / 65536 % 8) {
        case 0:
            assert_ok(teeny_event_record(event, stream));
            break;
        case 1:
        case 2:
            assert_ok(teeny_stream_wait(stream, event));
            break;
        case 3:
            assert_ok(teeny_event_query(event, &is_done));
            break;
        case 4:
            assert_ok(
                i % 16 ? teeny_stream_query(stream, &is_done) : teeny_event_synchronize(event));
            break;
        default:
            assert_ok(teeny_stream_call(stream, count_one, NULL));
            atomic_fetch_sub(&done, 1);
        }
    }
    return NULL;
}

static void test_threads_mix_streams(void **state)
{
    (void)state;
    const char *const workers[] = {"1", "2", "4"};
    for (int round = 0; round < 3; round++) {
        pthread_t threads[THREADS];
        make(workers[round], STREAMS);
        atomic_store(&done, 0);
        for (uintptr_t i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, mix, (void *)(i + 1)), 0);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        for (int i = 0; i < STREAMS; i++)
            assert_ok(teeny_stream_synchronize(streams[i]));
        assert_int_equal(done, 0);
        unmake(STREAMS);
    }
}

/* ---- Memory of others ------------------------------------------------------------------------ */

static void test_memory_of_others_on_emu(void **state)
{
    (void)state;
    static char memory[4096];
    teeny_buffer *whole, *again, *part, *across, *own, *inside;
    teeny_stream *stream;
    assert_ok(teeny_device_open("emu", &device));
    assert_ok(teeny_stream_create(device, &stream));
    assert_ok(teeny_buffer_wrap(device, memory + 256, 1024, &whole));
    assert_ok(teeny_buffer_wrap(device, memory + 256, 1024, &again));
    assert_ok(teeny_buffer_wrap(device, memory + 512, 16, &part));
    assert_fails(teeny_buffer_wrap(device, memory + 1024, 512, &across), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "lie partly in another buffer");
    assert_fails(teeny_buffer_wrap(device, memory, 512, &across), TEENY_INVALID_ARGUMENT);
    teeny_buffer_destroy(again);
    assert_fails(teeny_buffer_wrap(device, memory, 512, &across), TEENY_INVALID_ARGUMENT);
    teeny_buffer_destroy(part);
    teeny_buffer_destroy(whole);
    assert_ok(teeny_buffer_wrap(device, memory, 512, &across));
    teeny_buffer_destroy(across);
    assert_ok(teeny_buffer_create(device, 64, &own));
    assert_ok(teeny_buffer_wrap(device, teeny_buffer_pointer(own), 64, &inside));
    teeny_buffer_destroy(inside);
    assert_ok(teeny_buffer_write(stream, own, 0, memory, 64)); /* it is still there */
    assert_ok(teeny_buffer_wrap(device, NULL, 0, &inside));
    teeny_buffer_destroy(inside);
    teeny_buffer_destroy(own);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_urgent_streams_come_first),
        SUPPORT_TEST(test_a_chain_of_streams),
        SUPPORT_TEST(test_many_wait_for_one),
        SUPPORT_TEST(test_full_queues),
        SUPPORT_TEST(test_who_waits_works_on_what_it_waits_for),
        SUPPORT_TEST(test_threads_mix_streams),
        SUPPORT_TEST(test_memory_of_others_on_emu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
