/* gpu_check: streams, events, copies, graphs, launch options and shared contexts on one device.
 *
 *   gpu_check [--compile TARGET | DEVICE]      `auto` where none is given
 *
 * Each line is one check. Exit status 0: all that the device can be asked for was right.
 */
#include "check.h"

#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

teeny_device *device;
teeny_stream *stream;

static int rounds;
static int right, wrong, skipped;

/* ---- What a check says ----------------------------------------------------------------------- */

static bool has_failed, cannot_be_asked;
static char failure[2048], remark[256];

void check_fail(const char *file, int line, const char *format, ...)
{
    const char *name = strrchr(file, '/');
    va_list list;
    if (has_failed)
        return;
    has_failed = true;
    int length = snprintf(failure, sizeof failure, "    %s:%d: ", name ? name + 1 : file, line);
    va_start(list, format);
    vsnprintf(failure + length, sizeof failure - (size_t)length, format, list);
    va_end(list);
}

void check_note(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(remark, sizeof remark, format, list);
    va_end(list);
}

void check_skip(const char *reason_format, ...)
{
    va_list list;
    cannot_be_asked = true;
    va_start(list, reason_format);
    vsnprintf(remark, sizeof remark, reason_format, list);
    va_end(list);
}

static void must(teeny_status status, const char *what)
{
    if (status == TEENY_OK)
        return;
    printf("WRONG: %s: %s: %s\n", what, teeny_status_name(status), teeny_message());
    exit(1);
}

/* ---- What a check uses ----------------------------------------------------------------------- */

enum { USED_LIMIT = 32 };

static teeny_buffer *buffers[USED_LIMIT];
static teeny_stream *streams[USED_LIMIT];
static teeny_event *events[USED_LIMIT];
static void *pinned[USED_LIMIT];
static int buffer_count, stream_count, event_count, pinned_count;

teeny_buffer *check_buffer(size_t size)
{
    teeny_buffer *buffer;
    must(teeny_buffer_create(device, size, &buffer), "teeny_buffer_create");
    return buffers[buffer_count++] = buffer;
}

float *check_floats(teeny_buffer *buffer)
{
    return teeny_buffer_pointer(buffer);
}

teeny_stream *check_stream(void)
{
    teeny_stream *made;
    must(teeny_stream_create(device, &made), "teeny_stream_create");
    return streams[stream_count++] = made;
}

teeny_event *check_event(bool timed)
{
    teeny_event *event;
    must(teeny_event_create(device, timed, &event), "teeny_event_create");
    return events[event_count++] = event;
}

void *check_pinned(size_t size)
{
    void *pointer;
    must(teeny_host_allocate(device, size, &pointer), "teeny_host_allocate");
    memset(pointer, 0, size);
    return pinned[pinned_count++] = pointer;
}

static sem_t gate;
static int held;

static void wait_at_gate(void *unused)
{
    (void)unused;
    while (sem_wait(&gate) != 0)
        continue;
}

teeny_status check_hold(teeny_stream *on)
{
    held++;
    return teeny_stream_call(on, wait_at_gate, NULL);
}

void check_release(void)
{
    for (; held; held--)
        sem_post(&gate);
}

static void free_used(void)
{
    while (event_count)
        teeny_event_destroy(events[--event_count]);
    while (stream_count)
        teeny_stream_destroy(streams[--stream_count]);
    while (buffer_count)
        teeny_buffer_destroy(buffers[--buffer_count]);
    while (pinned_count)
        teeny_host_free(device, pinned[--pinned_count]);
}

teeny_status check_spin(teeny_stream *on, float *target)
{
    return TEENY_LAUNCH(spin, on, teeny_grid1(1), target, rounds);
}

double check_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* As many rounds as take 30 ms; emu is not asked to be slow. The last launch loads the code for
 * them: while a stream is held up by a function of the host, loading would wait for it. */
static void calibrate(void)
{
    enum { PROBE = 200000 };
    teeny_buffer *buffer = check_buffer(SPIN_COUNT * sizeof(float));
    rounds = 64;
    must(check_spin(stream, check_floats(buffer)), "the kernel spin");
    must(teeny_stream_synchronize(stream), "the kernel spin");
    if (strcmp(teeny_device_name(device), "emu") != 0) {
        rounds = PROBE;
        double start = check_seconds();
        must(check_spin(stream, check_floats(buffer)), "the kernel spin");
        must(teeny_stream_synchronize(stream), "the kernel spin");
        rounds = (int)(PROBE * 0.03 / (check_seconds() - start));
        must(check_spin(stream, check_floats(buffer)), "the kernel spin");
        must(teeny_stream_synchronize(stream), "the kernel spin");
    }
    free_used();
}

/* ---- Running --------------------------------------------------------------------------------- */

/* NULL where the device has what the check needs. */
static const char *reason_to_skip(check_needs needs)
{
    const char *name = teeny_device_name(device);
    int gpus = 0;
    if (needs == ASYNCHRONOUS && strcmp(name, "emu") == 0)
        return "emu does everything at once";
    if (needs >= ON_CUDA && strncmp(name, "cuda", 4) != 0)
        return "no cuda device";
    if (needs == ON_CUDA_ALONE && getenv("GPU_CHECK_WITH_TOOL"))
        return "GPU_CHECK_WITH_TOOL: the tool's own calls would spoil the capture";
    if (needs == TWO_GPUS && (teeny_device_count("cuda", &gpus) != TEENY_OK || gpus < 2))
        return "one GPU";
    return NULL;
}

/* A check that has failed may have left its stream in a capture. */
static void end_own_capture(void)
{
    teeny_graph *graph;
    bool is_active = false;
    if (teeny_capture_is_active(stream, &is_active) == TEENY_OK && is_active &&
        teeny_capture_end(stream, &graph) == TEENY_OK)
        teeny_graph_destroy(graph);
}

static void run(const check_row *row)
{
    const char *reason = reason_to_skip(row->needs);
    has_failed = cannot_be_asked = false;
    remark[0] = '\0';
    printf("%-66s ", row->name);
    fflush(stdout);
    if (reason) {
        printf("skipped: %s\n", reason);
        skipped++;
        return;
    }
    row->body();
    check_release();
    check_end_capture();
    end_own_capture();
    teeny_status left = teeny_stream_synchronize(stream);
    if (left != TEENY_OK && !has_failed)
        check_fail(__FILE__, __LINE__, "left behind on the stream: %s", teeny_message());
    free_used();
    if (has_failed)
        printf("WRONG\n%s\n", failure);
    else if (cannot_be_asked)
        printf("skipped: %s\n", remark);
    else
        printf("right%s%s\n", remark[0] ? "  " : "", remark);
    wrong += has_failed;
    skipped += !has_failed && cannot_be_asked;
    right += !has_failed && !cannot_be_asked;
}

static void run_all(void)
{
    const check_row *const groups[] = {check_copies, check_events, check_graphs, check_options,
        check_foreign, check_captures, check_contexts, check_peers};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        for (const check_row *row = groups[i]; row->name; row++)
            run(row);
}

static int compile_all(const char *target)
{
    static const teeny_kernel *const kernels[] = {&teeny_kernel_spin, &teeny_kernel_scale,
        &teeny_kernel_add_one, &teeny_kernel_transpose, &teeny_kernel_cold_foreign,
        &teeny_kernel_cold_own, &teeny_kernel_cold_thread, &teeny_kernel_cold_context};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        teeny_artifact *artifact;
        must(teeny_compile_kernel(kernels[i], target, NULL, &artifact), kernels[i]->text.name);
        teeny_artifact_destroy(artifact);
    }
    return 0;
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "--compile") == 0)
        return compile_all(words[2]);
    must(teeny_device_open(count > 1 ? words[1] : "auto", &device), "teeny_device_open");
    must(teeny_stream_create(device, &stream), "teeny_stream_create");
    printf("device %s, %s\n", teeny_device_name(device), teeny_device_model(device));
    sem_init(&gate, 0, 0);
    calibrate();
    run_all();
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    printf("%d passed, %d failed, %d skipped\n", right, wrong, skipped);
    return wrong != 0;
}
