/* The scenario's second part: streams, events, graphs, copies, and the host's memory. */
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 32, BYTES = SIZE * sizeof(float) };

/* Whatever could not be made is NULL. */
struct state {
    scenario_report *report;
    teeny_device *device, *peer;
    teeny_stream *stream, *second, *wrapped;
    teeny_buffer *out, *in, *wrapped_buffer, *far;
    teeny_event *begin, *end, *wrapped_event;
    teeny_graph *graph;
    float *host;
};

static bool good(struct state *state, teeny_status status)
{
    return scenario_good(state->report, status);
}

/* ---- Making ---------------------------------------------------------------------------------- */

static void open_peer(struct state *state)
{
    int count = 0;
    char kind[32];
    snprintf(kind, sizeof kind, "%s", teeny_device_name(state->device));
    kind[strcspn(kind, ":")] = '\0';
    if (!good(state, teeny_device_count(kind, &count)))
        return;
    if (count > 1)
        good(state, teeny_device_open("cuda:1", &state->peer));
    else if (count == 1)
        good(state, teeny_device_open(kind, &state->peer));
    if (state->peer) {
        good(state, teeny_device_access(state->device, state->peer));
        good(state, teeny_buffer_create(state->peer, BYTES, &state->far));
    }
}

static void make_streams(struct state *state)
{
    const teeny_stream_options options = {.priority = -1};
    int least, greatest;
    good(state, teeny_stream_priorities(state->device, &least, &greatest));
    good(state, teeny_stream_create(state->device, &state->stream));
    good(state, teeny_stream_create_with(state->device, &options, &state->second));
    void *native = state->second ? teeny_stream_native(state->second) : NULL;
    if (native)
        good(state, teeny_stream_wrap(state->device, native, &state->wrapped));
    if (state->stream)
        scenario_expect(state->report, teeny_stream_device(state->stream) == state->device);
}

static void make_events(struct state *state)
{
    good(state, teeny_event_create(state->device, true, &state->begin));
    good(state, teeny_event_create(state->device, true, &state->end));
    void *native = state->end ? teeny_event_native(state->end) : NULL;
    if (native)
        good(state, teeny_event_wrap(state->device, native, &state->wrapped_event));
}

static void *allocate(void *user, size_t size, void *native)
{
    (void)user;
    (void)native;
    return aligned_alloc(256, (size + 255) / 256 * 256);
}

static void give_back(void *user, void *pointer, size_t size, void *native)
{
    (void)user;
    (void)size;
    (void)native;
    free(pointer);
}

static void make_memory(struct state *state)
{
    const teeny_allocator allocator = {.allocate = allocate, .free = give_back};
    if (good(state, teeny_device_set_allocator(state->device, &allocator)))
        good(state, teeny_buffer_create(state->device, BYTES, &state->in));
    good(state, teeny_device_set_allocator(state->device, NULL));
    if (state->stream)
        good(state, teeny_buffer_create_async(state->stream, BYTES, &state->out));
    if (state->out)
        good(state, teeny_buffer_wrap(state->device, teeny_buffer_pointer(state->out), BYTES,
                        &state->wrapped_buffer));
    void *host = NULL;
    if (good(state, teeny_host_allocate(state->device, BYTES, &host)))
        state->host = host;
    static float theirs[SIZE];
    if (good(state, teeny_host_register(state->device, theirs, sizeof theirs)) &&
        !good(state, teeny_host_unregister(state->device, theirs)))
        good(state, teeny_host_unregister(state->device, theirs));
}

/* ---- Using ----------------------------------------------------------------------------------- */

static void note(void *called)
{
    *(bool *)called = true;
}

static void copy_and_fill(struct state *state)
{
    static const unsigned char byte = 0;
    static const unsigned short half = 0;
    static const float one = 1;
    const struct {
        const void *pattern;
        size_t size;
    } patterns[] = {{&byte, sizeof byte}, {&half, sizeof half}, {&one, sizeof one}};
    for (size_t i = 0; i < 3; i++)
        good(state, teeny_buffer_fill(
                        state->stream, state->in, 0, BYTES, patterns[i].pattern, patterns[i].size));
    good(state, teeny_buffer_copy(state->stream, state->out, 0, state->in, 0, BYTES));
    if (state->far) {
        good(state, teeny_buffer_copy(state->stream, state->far, 0, state->out, 0, BYTES));
        good(state, teeny_buffer_copy(state->stream, state->out, 0, state->far, 0, BYTES));
    }
    if (!state->host)
        return;
    good(state, teeny_buffer_read_async(state->stream, state->out, 0, state->host, BYTES));
    if (good(state, teeny_stream_synchronize(state->stream)))
        scenario_expect(state->report, state->host[SIZE - 1] == 1);
    good(state, teeny_buffer_write_async(state->stream, state->in, 0, state->host, BYTES));
}

static void wait_for_events(struct state *state)
{
    static bool called;
    bool done = false;
    double seconds;
    called = false;
    good(state, teeny_event_record(state->begin, state->stream));
    bool calls = good(state, teeny_stream_call(state->stream, note, &called));
    if (!good(state, teeny_event_record(state->end, state->stream)))
        return;
    good(state, teeny_stream_wait(state->second, state->end));
    good(state, teeny_event_synchronize(state->end));
    good(state, teeny_event_query(state->end, &done));
    if (calls && good(state, teeny_stream_synchronize(state->stream)))
        scenario_expect(state->report, called);
    good(state, teeny_stream_query(state->second, &done));
    good(state, teeny_event_elapsed(state->begin, state->end, &seconds));
}

/* One launch, which the graph repeats. */
static bool capture(struct state *state)
{
    float *out = teeny_buffer_pointer(state->out), *in = teeny_buffer_pointer(state->in);
    bool active = false;
    if (!good(state, teeny_capture_begin(state->stream)))
        return false;
    if (good(state, teeny_capture_is_active(state->stream, &active)))
        scenario_expect(state->report, active);
    good(state, TEENY_LAUNCH(vector_add, state->stream, teeny_grid1(1), out, in, in, SIZE));
    return true;
}

static void use_graph(struct state *state)
{
    if (!capture(state) || !good(state, teeny_capture_end(state->stream, &state->graph)))
        return;
    good(state, teeny_graph_launch(state->graph, state->stream));
    if (capture(state))
        good(state, teeny_capture_end_into(state->stream, state->graph));
    good(state, teeny_graph_launch(state->graph, state->stream));
    good(state, teeny_stream_synchronize(state->stream));
}

static void launch_with_options(struct state *state)
{
    const teeny_launch_options options = {.extra_shared_bytes = 1024, .cluster = {1, 1, 1}};
    struct {
        float *out;
        const float *x, *y;
        int n;
    } packed;
    memset(&packed, 0, sizeof packed);
    packed.out = teeny_buffer_pointer(state->out);
    packed.x = packed.y = teeny_buffer_pointer(state->in);
    packed.n = SIZE;
    teeny_grid grid = teeny_grid1(1);
    teeny_function *function = NULL;
    teeny_resources resources;
    good(state, teeny_launch_with(state->stream, TEENY_KERNEL_OF(vector_add), grid, &options,
                    &packed, sizeof packed));
    if (!good(state, teeny_load(state->device, TEENY_KERNEL_OF(vector_add), NULL, &function)))
        return;
    good(state, teeny_launch_function_with(
                    state->stream, function, grid, &options, &packed, sizeof packed));
    good(state, teeny_kernel_info(function, &packed, sizeof packed, &resources));
    good(state, teeny_stream_synchronize(state->stream));
    teeny_unload(function);
}

static void use(struct state *state)
{
    if (!state->stream || !state->second || !state->out || !state->in)
        return;
    copy_and_fill(state);
    if (state->begin && state->end)
        wait_for_events(state);
    use_graph(state);
    launch_with_options(state);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void take_down(struct state *state)
{
    teeny_graph_destroy(state->graph);
    teeny_event_destroy(state->wrapped_event);
    teeny_event_destroy(state->begin);
    teeny_event_destroy(state->end);
    teeny_buffer_destroy(state->wrapped_buffer);
    if (state->out && !good(state, teeny_buffer_destroy_async(state->stream, state->out)))
        teeny_buffer_destroy(state->out);
    teeny_buffer_destroy(state->in);
    teeny_buffer_destroy(state->far);
    teeny_stream_destroy(state->wrapped);
    teeny_stream_destroy(state->second);
    teeny_stream_destroy(state->stream);
    if (state->host)
        teeny_host_free(state->device, state->host);
    teeny_device_close(state->peer);
}

void scenario_order(teeny_device *device, scenario_report *report)
{
    struct state state = {.report = report, .device = device};
    open_peer(&state);
    make_streams(&state);
    make_events(&state);
    make_memory(&state);
    use(&state);
    take_down(&state);
}
