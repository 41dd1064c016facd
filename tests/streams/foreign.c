/* Streams, events and memory that were made by others, in the same primary context. */
#include "check.h"

#include "raw.h"

#include <string.h>

/* x = 5 in every element by others; scaled on `on`; read by others. */
static void scale_on(teeny_stream *on, void *native)
{
    uint64_t x, out;
    const float five = 5;
    uint32_t bits;
    float results[COUNT];
    memcpy(&bits, &five, sizeof bits);
    RAW(raw.allocate(&x, BYTES));
    RAW(raw.allocate(&out, BYTES));
    RAW(raw.fill(x, bits, COUNT));
    OK(TEENY_LAUNCH(
        scale, on, teeny_grid1(4), (f32 *)(uintptr_t)out, (const f32 *)(uintptr_t)x, 2.0f, COUNT));
    RAW(raw.stream_synchronize(native));
    RAW(raw.read(results, out, BYTES));
    RAW(raw.free_memory(x));
    RAW(raw.free_memory(out));
    EQUAL(results[0], 10);
    EQUAL(results[COUNT - 1], 10);
}

static void stream_of_others(void)
{
    void *native;
    teeny_stream *wrapped;
    REQUIRE(raw_open(), "no driver");
    RAW(raw.stream_create(&native, 1));
    OK(teeny_stream_wrap(device, native, &wrapped));
    REQUIRE(teeny_stream_native(wrapped) == native, "it is another stream");
    scale_on(wrapped, native);
    OK(teeny_stream_synchronize(wrapped));
    teeny_stream_destroy(wrapped);
    RAW(raw.stream_synchronize(native)); /* it still is */
    RAW(raw.stream_destroy(native));
    raw_close();
}

static void default_streams(void)
{
    void *const natives[] = {NULL, TEENY_STREAM_LEGACY, TEENY_STREAM_PER_THREAD};
    REQUIRE(raw_open(), "no driver");
    for (int i = 0; i < 3; i++) {
        teeny_stream *wrapped;
        bool is_done;
        OK(teeny_stream_wrap(device, natives[i], &wrapped));
        scale_on(wrapped, natives[i]);
        OK(teeny_stream_synchronize(wrapped));
        OK(teeny_stream_query(wrapped, &is_done));
        teeny_graph *none;
        if (natives[i] != TEENY_STREAM_PER_THREAD)
            GIVES(TEENY_INVALID_ARGUMENT, teeny_capture_begin(wrapped));
        GIVES(TEENY_INVALID_ARGUMENT, teeny_capture_end(wrapped, &none));
        teeny_stream_destroy(wrapped);
    }
    raw_close();
}

/* Ours when others wait for it, and theirs when we do. */
static void event_of_others(void)
{
    void *native, *event;
    teeny_stream *wrapped;
    teeny_event *theirs;
    bool is_done;
    REQUIRE(raw_open(), "no driver");
    RAW(raw.stream_create(&native, 1));
    RAW(raw.event_create(&event, 0));
    OK(teeny_stream_wrap(device, native, &wrapped));
    OK(teeny_event_wrap(device, event, &theirs));
    REQUIRE(teeny_event_native(theirs) == event, "it is another event");
    OK(check_hold(wrapped));
    RAW(raw.event_record(event, native));
    OK(teeny_event_query(theirs, &is_done));
    REQUIRE(!is_done, "the event is done though its stream is held up");
    OK(teeny_stream_wait(stream, theirs));
    OK(teeny_stream_query(stream, &is_done));
    REQUIRE(!is_done, "our stream did not wait for their event");
    check_release();
    OK(teeny_stream_synchronize(stream));
    OK(teeny_event_query(theirs, &is_done));
    REQUIRE(is_done, "the stream was waited for, and its event is not done");
    teeny_event_destroy(theirs);
    teeny_stream_destroy(wrapped);
    RAW(raw.event_destroy(event));
    RAW(raw.stream_destroy(native));
    raw_close();
}

static void stream_of_another_context(void)
{
    void *context, *native;
    teeny_stream *wrapped;
    int number;
    REQUIRE(raw_open(), "no driver");
    RAW(raw.device_get(&number, 0));
    RAW(raw.context_create(&context, 0, number));
    RAW(raw.stream_create(&native, 1));
    teeny_status status = teeny_stream_wrap(device, native, &wrapped);
    RAW(raw.stream_destroy(native));
    RAW(raw.context_destroy(context));
    raw_close();
    REQUIRE(status == TEENY_INVALID_ARGUMENT, "it is taken: %s", teeny_status_name(status));
}

static void cpu_and_emu_have_none(void)
{
    static const char *const names[] = {"cpu", "emu"};
    for (int i = 0; i < 2; i++) {
        teeny_device *host;
        teeny_stream *none;
        teeny_event *no_event;
        int dummy;
        OK(teeny_device_open(names[i], &host));
        GIVES(TEENY_UNSUPPORTED, teeny_stream_wrap(host, &dummy, &none));
        GIVES(TEENY_UNSUPPORTED, teeny_event_wrap(host, &dummy, &no_event));
        teeny_device_close(host);
    }
}

const check_row check_foreign[] = {
    {"a stream and memory of others", stream_of_others, ON_CUDA},
    {"the legacy and the per-thread default stream", default_streams, ON_CUDA},
    {"an event of others", event_of_others, ON_CUDA},
    {"a stream of another context is refused", stream_of_another_context, ON_CUDA},
    {"cpu and emu have no streams of others", cpu_and_emu_have_none, ANY_DEVICE},
    {NULL, NULL, ANY_DEVICE},
};
