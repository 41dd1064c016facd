/* See scenario.h. */
#include "scenario.h"

#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 32 };

struct state {
    scenario_report *report;
    const char *name;
    teeny_device *device, *own;
    teeny_stream *stream, *own_stream;
    teeny_buffer *out, *in;
    teeny_function *shared, *special, *large;
    teeny_artifact *artifact;
};

bool scenario_good(scenario_report *report, teeny_status status)
{
    if (status == TEENY_OK)
        return true;
    if (report->first == TEENY_OK)
        report->first = status;
    int written =
        snprintf(report->messages + report->length, sizeof report->messages - report->length,
            "%s: %s: %s\n", report->step, teeny_status_name(status), teeny_message());
    report->length += (size_t)written;
    if (report->length >= sizeof report->messages)
        report->length = sizeof report->messages - 1;
    return false;
}

void scenario_expect(scenario_report *report, bool right)
{
    if (!right && report->first == TEENY_OK)
        report->is_wrong = true;
}

static bool good(struct state *state, teeny_status status)
{
    return scenario_good(state->report, status);
}

static void expect(struct state *state, bool right)
{
    scenario_expect(state->report, right);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static void ask_about_status(struct state *state)
{
    expect(state, strcmp(teeny_status_name(TEENY_OK), "TEENY_OK") == 0);
    expect(state, teeny_status_explanation(TEENY_DEVICE_LOST)[0] != '\0');
}

static void compile(struct state *state)
{
    const teeny_options options = {.keep = "ttgir", .meta = {{"BLOCK", 64}}};
    const char *target = strncmp(state->name, "cuda", 4) == 0 ? "sm_90" : state->name;
    int64_t block = 0;
    if (!good(state,
            teeny_compile_kernel(TEENY_KERNEL_OF(vector_add), target, &options, &state->artifact)))
        return;
    const teeny_artifact *artifact = state->artifact;
    expect(state, strstr(teeny_artifact_path(artifact), "vector_add.") != NULL);
    expect(state, teeny_artifact_stage(artifact, "source") != NULL);
    expect(state, strstr(teeny_artifact_metadata(artifact), "kernel = vector_add") != NULL);
    expect(state, teeny_artifact_cached(artifact) || !teeny_artifact_hit(artifact));
    if (good(state, teeny_artifact_meta(artifact, "BLOCK", &block)))
        expect(state, block == 64);
}

static void open_device(struct state *state)
{
    if (!good(state, teeny_device_open(state->name, &state->device)))
        return;
    expect(state, strncmp(teeny_device_name(state->device), state->name, 3) == 0);
    expect(state, teeny_device_model(state->device)[0] != '\0');
    expect(state, teeny_device_target(state->device)[0] != '\0');
}

static void open_stream(struct state *state)
{
    if (state->device && good(state, teeny_stream_create(state->device, &state->stream)))
        teeny_stream_native(state->stream);
}

static void make_buffers(struct state *state)
{
    float values[SIZE];
    for (int i = 0; i < SIZE; i++)
        values[i] = (float)i;
    if (!state->device)
        return;
    if (good(state, teeny_buffer_create(state->device, sizeof values, &state->out)))
        expect(state, teeny_buffer_size(state->out) == sizeof values);
    good(state, teeny_buffer_create(state->device, sizeof values, &state->in));
    if (state->stream && state->in)
        good(state, teeny_buffer_write(state->stream, state->in, 0, values, sizeof values));
}

static void load(struct state *state)
{
    const teeny_options options = {.num_warps = 4, .meta = {{"BLOCK", 256}}};
    int64_t block = 0;
    if (!state->device)
        return;
    good(state, teeny_load(state->device, TEENY_KERNEL_OF(vector_add), NULL, &state->shared));
    if (!good(state,
            teeny_load(state->device, TEENY_KERNEL_OF(vector_add), &options, &state->special)))
        return;
    expect(state, teeny_function_artifact(state->special) != NULL);
    if (good(state, teeny_function_meta(state->special, "BLOCK", &block)))
        expect(state, block == 256);
}

/* More shared memory than a kernel gets unasked. */
static void load_large(struct state *state)
{
    const teeny_options options = {.meta = {{"BLOCK", 512}}};
    if (!state->device)
        return;
    setenv("FAKE_SHARED", "65536", 1);
    good(state, teeny_load(state->device, TEENY_KERNEL_OF(vector_add), &options, &state->large));
    unsetenv("FAKE_SHARED");
}

/* `shift` elements behind a multiple of 16 bytes: 1 lets nothing be known of the pointers. */
static void launch_at(struct state *state, int shift, int n)
{
    float sums[SIZE] = {0};
    float *out = (float *)teeny_buffer_pointer(state->out) + shift;
    float *in = (float *)teeny_buffer_pointer(state->in) + shift;
    good(state, TEENY_LAUNCH(vector_add, state->stream, teeny_grid1(1), out, in, in, n));
    if (state->special)
        good(state, TEENY_LAUNCH_FUNCTION(
                        vector_add, state->special, state->stream, teeny_grid1(1), out, in, in, n));
    if (!good(state, teeny_buffer_read(state->stream, state->out, 0, sums, sizeof sums)))
        return;
    for (int i = shift; i < shift + n; i++)
        expect(state, sums[i] == 2 * (float)i);
}

static void launch(struct state *state)
{
    if (!state->stream || !state->out || !state->in)
        return;
    launch_at(state, 1, 5);
    launch_at(state, 0, 16);
    good(state, teeny_stream_synchronize(state->stream));
}

static void run_here(void *user, unsigned count, void (*task)(void *argument), void *argument)
{
    (void)user;
    while (count--)
        task(argument);
}

static void use_executor(struct state *state)
{
    const teeny_executor executor = {.run = run_here, .threads = 2};
    float out[4] = {0}, in[4] = {1, 2, 3, 4};
    if (!good(state, teeny_device_open_on(&executor, &state->own)) ||
        !good(state, teeny_stream_create(state->own, &state->own_stream)))
        return;
    bool launched =
        good(state, TEENY_LAUNCH(vector_add, state->own_stream, teeny_grid1(1), out, in, in, 4));
    if (good(state, teeny_stream_synchronize(state->own_stream)) && launched)
        expect(state, out[3] == 8);
}

static void use_order(struct state *state)
{
    if (state->device)
        scenario_order(state->device, state->report);
}

static void destroy_streams(struct state *state)
{
    teeny_stream_destroy(state->own_stream);
    teeny_stream_destroy(state->stream);
}

static void destroy_buffers(struct state *state)
{
    teeny_buffer_destroy(state->out);
    teeny_buffer_destroy(state->in);
}

static void unload(struct state *state)
{
    teeny_unload(state->special);
    teeny_unload(state->large);
    teeny_unload(state->shared);
    teeny_artifact_destroy(state->artifact);
}

static void close_devices(struct state *state)
{
    teeny_device_close(state->own);
    teeny_device_close(state->device);
}

static const struct {
    const char *name;
    void (*run)(struct state *state);
} steps[] = {
    {"status", ask_about_status},
    {"compile", compile},
    {"open", open_device},
    {"stream", open_stream},
    {"buffers", make_buffers},
    {"load", load},
    {"load large", load_large},
    {"launch", launch},
    {"executor", use_executor},
    {"order", use_order},
    {"destroy streams", destroy_streams},
    {"destroy buffers", destroy_buffers},
    {"unload", unload},
    {"close", close_devices},
};

void scenario_run(
    const char *device, void (*after_step)(const char *step), scenario_report *out_report)
{
    struct state state = {.report = out_report, .name = device};
    *out_report = (scenario_report){.first = TEENY_OK};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        out_report->step = steps[i].name;
        steps[i].run(&state);
        if (after_step)
            after_step(steps[i].name);
    }
}
