/* Two GPUs in one program. */
#include "check.h"

static teeny_device *second;
static teeny_stream *on_second;

static void open_second(void)
{
    OK(teeny_device_open("cuda:1", &second));
    OK(teeny_stream_create(second, &on_second));
}

static void close_second(void)
{
    teeny_stream_destroy(on_second);
    teeny_device_close(second);
}

/* cuda:0 computes, cuda:1 waits for it, fetches the result and goes on, cuda:0 waits for that. */
static void there_and_back(void)
{
    enum { SIZE = SPIN_COUNT * sizeof(float) };
    teeny_buffer *here = check_buffer(SIZE), *there;
    teeny_event *event = check_event(false), *event_there;
    float result;
    const float zero = 0;
    open_second();
    OK(teeny_buffer_create(second, SIZE, &there));
    OK(teeny_event_create(second, false, &event_there));
    OK(teeny_buffer_fill(stream, here, 0, SIZE, &zero, sizeof zero));
    OK(check_spin(stream, check_floats(here)));
    OK(teeny_event_record(event, stream));
    OK(teeny_stream_wait(on_second, event));
    OK(teeny_buffer_copy(on_second, there, 0, here, 0, SIZE));
    OK(TEENY_LAUNCH(add_one, on_second, teeny_grid1(1), check_floats(there), SPIN_COUNT));
    OK(teeny_event_record(event_there, on_second));
    OK(teeny_stream_wait(stream, event_there));
    OK(teeny_buffer_copy(stream, here, 0, there, 0, SIZE));
    OK(teeny_buffer_read(stream, here, SIZE - 4, &result, sizeof result));
    teeny_event_destroy(event_there);
    teeny_buffer_destroy(there);
    close_second();
    EQUAL(result, 3);
}

static void memory_of_the_other(void)
{
    teeny_buffer *here = check_buffer(BYTES);
    float result;
    open_second();
    OK(teeny_buffer_write(stream, here, 0, &(float){5}, sizeof result));
    teeny_status status = teeny_device_access(second, device);
    if (status == TEENY_UNSUPPORTED) {
        check_skip("%s", teeny_message());
        close_second();
        return;
    }
    OK(status);
    OK(teeny_device_access(second, device));
    OK(TEENY_LAUNCH(add_one, on_second, teeny_grid1(1), check_floats(here), 1));
    OK(teeny_stream_synchronize(on_second));
    OK(teeny_buffer_read(stream, here, 0, &result, sizeof result));
    close_second();
    EQUAL(result, 6);
}

const check_row check_peers[] = {
    {"copies and events between two GPUs", there_and_back, TWO_GPUS},
    {"kernels on one GPU use memory of another", memory_of_the_other, TWO_GPUS},
    {NULL, NULL, ANY_DEVICE},
};
