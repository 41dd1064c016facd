/* Events, streams beside each other, calls of the host. */
#include "check.h"

#include <pthread.h>

static void time_of_a_kernel(void)
{
    teeny_buffer *buffer = check_buffer(SPIN_COUNT * sizeof(float));
    teeny_event *begin = check_event(true), *end = check_event(true), *plain = check_event(false);
    double measured, around = check_seconds();
    GIVES(TEENY_INVALID_ARGUMENT, teeny_event_elapsed(begin, end, &measured));
    OK(teeny_event_record(begin, stream));
    OK(check_spin(stream, check_floats(buffer)));
    OK(teeny_event_record(end, stream));
    OK(teeny_event_record(plain, stream));
    OK(teeny_event_synchronize(end));
    around = check_seconds() - around;
    OK(teeny_event_elapsed(begin, end, &measured));
    REQUIRE(measured > 0 && measured <= around,
        "the events are %.3f ms apart, the host's clock says %.3f ms", measured * 1e3,
        around * 1e3);
    OK(teeny_event_elapsed(end, begin, &measured));
    REQUIRE(measured < 0, "backwards it is %.3f ms", measured * 1e3);
    OK(teeny_event_synchronize(plain));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_event_elapsed(begin, plain, &measured));
    check_note("%.2f ms, by the host's clock %.2f ms", -measured * 1e3, around * 1e3);
}

static void questions(void)
{
    teeny_event *never = check_event(false), *event = check_event(false);
    teeny_event *timed = check_event(true);
    bool is_done;
    OK(teeny_event_query(never, &is_done));
    REQUIRE(is_done, "an event that was never recorded is not done");
    OK(teeny_event_synchronize(never));
    OK(teeny_stream_wait(stream, never));
    OK(check_hold(stream));
    OK(teeny_event_record(event, stream));
    OK(teeny_event_query(event, &is_done));
    REQUIRE(!is_done, "the event is done though the stream is held up");
    OK(teeny_stream_query(stream, &is_done));
    REQUIRE(!is_done, "the stream is done though it is held up");
    double elapsed;
    OK(teeny_event_record(timed, stream));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_event_elapsed(timed, timed, &elapsed));
    check_release();
    OK(teeny_event_synchronize(event));
    OK(teeny_event_query(event, &is_done));
    REQUIRE(is_done, "the event was waited for, and is not done");
    OK(teeny_stream_synchronize(stream));
    OK(teeny_stream_query(stream, &is_done));
    REQUIRE(is_done, "the stream was waited for, and is not done");
}

/* A long kernel writes on one stream what the other reads; the wait is for what the event stood for
 * when it was called. */
static void one_stream_waits_for_another(void)
{
    teeny_buffer *buffer = check_buffer(SPIN_COUNT * sizeof(float));
    teeny_stream *other = check_stream();
    teeny_event *event = check_event(false);
    float *result = check_pinned(sizeof *result);
    const float zero = 0;
    OK(teeny_buffer_fill(stream, buffer, 0, teeny_buffer_size(buffer), &zero, sizeof zero));
    OK(check_spin(stream, check_floats(buffer)));
    OK(teeny_event_record(event, stream));
    OK(teeny_stream_wait(other, event));
    OK(TEENY_LAUNCH(add_one, other, teeny_grid1(1), check_floats(buffer), 1));
    OK(teeny_event_record(event, other)); /* it stands for something else now */
    OK(teeny_buffer_read_async(other, buffer, 0, result, sizeof *result));
    OK(teeny_stream_synchronize(other));
    EQUAL(*result, 3);
    OK(teeny_event_synchronize(event));
}

/* An event dies, and a stream, while others wait for what they stood for. */
static void events_and_streams_may_go(void)
{
    teeny_buffer *buffer = check_buffer(SPIN_COUNT * sizeof(float));
    teeny_stream *busy;
    teeny_event *event;
    float *result = check_pinned(sizeof *result);
    const float zero = 0;
    OK(teeny_buffer_fill(stream, buffer, 0, teeny_buffer_size(buffer), &zero, sizeof zero));
    OK(teeny_stream_synchronize(stream));
    OK(teeny_stream_create(device, &busy));
    OK(teeny_event_create(device, false, &event));
    OK(check_spin(busy, check_floats(buffer)));
    OK(teeny_event_record(event, busy));
    OK(teeny_stream_wait(stream, event));
    teeny_event_destroy(event);
    OK(teeny_buffer_read_async(stream, buffer, 0, result, sizeof *result));
    teeny_stream_destroy(busy);
    OK(teeny_stream_synchronize(stream));
    EQUAL(*result, 2);
}

static void streams_run_beside_each_other(void)
{
    teeny_buffer *a = check_buffer(SPIN_COUNT * sizeof(float));
    teeny_buffer *b = check_buffer(SPIN_COUNT * sizeof(float));
    teeny_stream *other = check_stream();
    double one = check_seconds();
    OK(check_spin(stream, check_floats(a)));
    OK(teeny_stream_synchronize(stream));
    one = check_seconds() - one;
    double both = check_seconds();
    OK(check_spin(stream, check_floats(a)));
    OK(check_spin(other, check_floats(b)));
    OK(teeny_stream_synchronize(stream));
    OK(teeny_stream_synchronize(other));
    check_note("one %.1f ms, two %.1f ms", one * 1e3, (check_seconds() - both) * 1e3);
}

static void priorities(void)
{
    int least, greatest;
    float result = 0;
    teeny_buffer *buffer = check_buffer(sizeof result);
    teeny_stream *urgent;
    OK(teeny_stream_priorities(device, &least, &greatest));
    OK(teeny_stream_priorities(device, NULL, NULL));
    REQUIRE(greatest <= least, "the range is %d to %d", least, greatest);
    const teeny_stream_options options = {.priority = greatest}, far = {.priority = -1000},
                               blocking = {.blocking = true};
    const teeny_stream_options *const all[] = {&options, &far, &blocking, NULL};
    for (int i = 0; i < 4; i++) {
        OK(teeny_stream_create_with(device, all[i], &urgent));
        OK(teeny_buffer_write(urgent, buffer, 0, &(float){3}, sizeof result));
        OK(TEENY_LAUNCH(add_one, urgent, teeny_grid1(1), check_floats(buffer), 1));
        OK(teeny_buffer_read(urgent, buffer, 0, &result, sizeof result));
        teeny_stream_destroy(urgent);
        EQUAL(result, 4);
    }
    check_note("%d to %d", least, greatest);
}

/* Each call sees what was put on the stream before it, and nothing that comes behind. */
static float seen[2];
static float *shared_value;

static void look_first(void *user)
{
    *(float *)user = shared_value[0];
}

static void calls_of_the_host(void)
{
    enum { SIZE = SPIN_COUNT * sizeof(float) };
    teeny_buffer *buffer = check_buffer(SIZE);
    const float zero = 0;
    shared_value = check_pinned(sizeof *shared_value);
    seen[0] = seen[1] = -1;
    OK(teeny_buffer_fill(stream, buffer, 0, SIZE, &zero, sizeof zero));
    OK(check_spin(stream, check_floats(buffer)));
    OK(teeny_buffer_read_async(stream, buffer, 0, shared_value, sizeof(float)));
    OK(teeny_stream_call(stream, look_first, &seen[0]));
    OK(TEENY_LAUNCH(add_one, stream, teeny_grid1(1), check_floats(buffer), 1));
    OK(teeny_buffer_read_async(stream, buffer, 0, shared_value, sizeof(float)));
    OK(teeny_stream_call(stream, look_first, &seen[1]));
    OK(teeny_stream_synchronize(stream));
    EQUAL(seen[0], 2);
    EQUAL(seen[1], 3);
    GIVES(TEENY_INVALID_ARGUMENT, teeny_stream_call(stream, NULL, NULL));
}

/* A stream of cpu waits for an event of this device, and the other way round. */
static void events_of_other_devices(void)
{
    teeny_device *cpu;
    teeny_stream *on_cpu;
    teeny_event *event = check_event(false), *of_cpu;
    teeny_buffer *buffer = check_buffer(SPIN_COUNT * sizeof(float));
    bool is_done;
    OK(teeny_device_open("cpu", &cpu));
    OK(teeny_stream_create(cpu, &on_cpu));
    OK(teeny_event_create(cpu, false, &of_cpu));
    OK(check_spin(stream, check_floats(buffer)));
    OK(teeny_event_record(event, stream));
    OK(teeny_stream_wait(on_cpu, event));
    OK(teeny_event_record(of_cpu, on_cpu));
    OK(teeny_stream_wait(stream, of_cpu));
    OK(teeny_stream_synchronize(on_cpu));
    OK(teeny_event_query(event, &is_done));
    REQUIRE(is_done, "the stream of cpu did not wait");
    if (teeny_stream_device(on_cpu) != device) {
        GIVES(TEENY_INVALID_ARGUMENT, teeny_event_record(event, on_cpu));
        double elapsed;
        GIVES(TEENY_INVALID_ARGUMENT, teeny_event_elapsed(event, of_cpu, &elapsed));
    }
    teeny_event_destroy(of_cpu);
    teeny_stream_destroy(on_cpu);
    teeny_device_close(cpu);
}

static teeny_status waited;

static void *wait_in_thread(void *event)
{
    waited = teeny_event_synchronize(event);
    return NULL;
}

static void another_thread_waits(void)
{
    teeny_buffer *buffer = check_buffer(SPIN_COUNT * sizeof(float));
    teeny_event *event = check_event(false);
    pthread_t thread;
    bool is_done;
    OK(check_spin(stream, check_floats(buffer)));
    OK(teeny_event_record(event, stream));
    REQUIRE(pthread_create(&thread, NULL, wait_in_thread, event) == 0, "no thread");
    pthread_join(thread, NULL);
    OK(waited);
    OK(teeny_event_query(event, &is_done));
    REQUIRE(is_done, "the thread waited, and the event is not done");
}

const check_row check_events[] = {
    {"the time of a kernel between two events", time_of_a_kernel, ANY_DEVICE},
    {"events and streams say whether they are done", questions, ASYNCHRONOUS},
    {"one stream waits for an event of another", one_stream_waits_for_another, ANY_DEVICE},
    {"events and streams go while others wait for them", events_and_streams_may_go, ANY_DEVICE},
    {"two streams at once", streams_run_beside_each_other, ASYNCHRONOUS},
    {"priorities and blocking streams", priorities, ANY_DEVICE},
    {"calls of the host in a stream's order", calls_of_the_host, ANY_DEVICE},
    {"events of this device and of cpu", events_of_other_devices, ANY_DEVICE},
    {"another thread waits for an event", another_thread_waits, ANY_DEVICE},
    {NULL, NULL, ANY_DEVICE},
};
