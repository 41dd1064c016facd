/* The part of the stub driver that has streams, events and graphs; stub_cuda.c includes it, once.
 *
 * What is put on a stream is done at once, or noted where the stream is being captured. A call that
 * the real driver forbids while there is a capture is counted (stub_violations, with the last one's
 * name) and spoils every capture, as it would there. All that is not put on a stream counts as
 * forbidden to a thread that has not said CU_STREAM_CAPTURE_MODE_RELAXED.
 */
#include <pthread.h>

enum {
    INVALID_HANDLE = 400,
    NOT_READY = 600,
    PEER_ALREADY = 704,
    ALREADY_REGISTERED = 712,
    NOT_REGISTERED = 713,
    CAPTURE_UNSUPPORTED = 900,
    CAPTURE_INVALIDATED = 901,
    CAPTURE_UNMATCHED = 903,
    CAPTURED_EVENT = 907,
    UPDATE_FAILURE = 910,
};

enum node_kind { NODE_LAUNCH, NODE_COPY, NODE_FILL, NODE_CALL };

struct node {
    enum node_kind kind;
    struct {
        float *out;
        const float *x, *y;
        int n;
    } launch;
    void *to;
    const void *from;
    size_t size;
    unsigned unit, pattern;
    void (*function)(void *user);
    void *user;
};

struct graph {
    struct node nodes[64];
    int count;
    int mode; /* of the capture; -1: it is over */
    pthread_t thread;
    int is_spoiled;
    struct graph *made_before;
};

struct stream {
    void *context;
    struct graph *capture;
    int priority;
};

struct event {
    void *context;
    struct graph *capture;
    int is_timed;
    double time; /* 0: never recorded */
};

static struct stream legacy_stream, per_thread_stream;
static struct graph *captures[16];
static struct graph *last_made; /* keeps all of them in reach: none is ever freed */
static _Thread_local int thread_mode;
static int violations;
static const char *last_violation = "";
static void *last_stream;

STUB int stub_violations(const char **name)
{
    *name = last_violation;
    return violations;
}

/* The handle that the last stream call got. */
STUB void *stub_last_stream(void)
{
    return last_stream;
}

static void spoil(const char *name)
{
    violations++;
    last_violation = name;
    for (size_t i = 0; i < 16; i++)
        if (captures[i])
            captures[i]->is_spoiled = 1;
}

static int is_forbidden(void)
{
    for (size_t i = 0; i < 16; i++) {
        const struct graph *capture = captures[i];
        if (!capture || thread_mode == 2)
            continue;
        if ((capture->mode == 0 && thread_mode == 0) ||
            (capture->mode != 2 && pthread_equal(capture->thread, pthread_self())))
            return 1;
    }
    return 0;
}

static int is_any_captured(void)
{
    for (size_t i = 0; i < 16; i++)
        if (captures[i])
            return 1;
    return 0;
}

/* For what is not put on a stream. */
#define ENTER_UNSAFE()                                                                             \
    do {                                                                                           \
        ENTER_CONTEXT();                                                                           \
        if (is_forbidden()) {                                                                      \
            spoil(__func__);                                                                       \
            return CAPTURE_UNSUPPORTED;                                                            \
        }                                                                                          \
    } while (0)

/* NULL where the handle is not the current context's. */
static struct stream *stream_of(void *handle)
{
    last_stream = handle;
    if (!handle || handle == (void *)1)
        return &legacy_stream;
    if (handle == (void *)2)
        return &per_thread_stream;
    struct stream *stream = handle;
    return stream->context == current ? stream : NULL;
}

static void run_node(const struct node *node)
{
    switch (node->kind) {
    case NODE_LAUNCH:
        for (int i = 0; i < node->launch.n; i++)
            node->launch.out[i] = node->launch.x[i] + node->launch.y[i];
        break;
    case NODE_COPY:
        memmove(node->to, node->from, node->size);
        break;
    case NODE_FILL:
        for (size_t i = 0; i < node->size; i++)
            memcpy((char *)node->to + i * node->unit, &node->pattern, node->unit);
        break;
    case NODE_CALL:
        node->function(node->user);
    }
}

static int put(void *handle, const struct node *node)
{
    struct stream *stream = stream_of(handle);
    if (!stream)
        return INVALID_HANDLE;
    if (!stream->capture) {
        run_node(node);
        return SUCCESS;
    }
    if (stream->capture->is_spoiled)
        return CAPTURE_INVALIDATED;
    stream->capture->nodes[stream->capture->count++] = *node;
    return SUCCESS;
}

/* ---- Streams --------------------------------------------------------------------------------- */

static int make_stream(void **stream, unsigned flags, int priority)
{
    if (flags > 1)
        return INVALID_VALUE;
    struct stream *made = calloc(1, sizeof *made);
    made->context = current;
    made->priority = priority < -5 ? -5 : priority > 0 ? 0 : priority;
    *stream = made;
    return SUCCESS;
}

STUB int stub_priority(const void *stream)
{
    return ((const struct stream *)stream)->priority;
}

STUB int cuStreamCreateWithPriority(void **stream, unsigned flags, int priority)
{
    ENTER_UNSAFE();
    return make_stream(stream, flags, priority);
}

STUB int cuStreamCreate(void **stream, unsigned flags)
{
    ENTER_UNSAFE();
    return make_stream(stream, flags, 0);
}

STUB int cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    ENTER_CONTEXT();
    *least = 0;
    *greatest = -5;
    return SUCCESS;
}

STUB int cuStreamDestroy_v2(void *handle)
{
    struct stream *stream = handle;
    ENTER_UNSAFE();
    for (size_t i = 0; i < 16; i++)
        if (stream->capture && captures[i] == stream->capture)
            captures[i] = NULL;
    free(stream);
    return SUCCESS;
}

STUB int cuStreamGetCtx(void *stream, void **context)
{
    ENTER_UNSAFE();
    *context = ((struct stream *)stream)->context;
    return SUCCESS;
}

static int wait_for(const char *name, void *handle)
{
    const struct stream *stream = stream_of(handle);
    if (!stream)
        return INVALID_HANDLE;
    if (!stream->capture && !is_forbidden())
        return SUCCESS;
    if (stream->capture)
        spoil(name);
    return stream->capture ? CAPTURE_UNSUPPORTED : SUCCESS;
}

STUB int cuStreamSynchronize(void *stream)
{
    ENTER_CONTEXT();
    return wait_for(__func__, stream);
}

STUB int cuStreamQuery(void *stream)
{
    ENTER_UNSAFE();
    int result = wait_for(__func__, stream);
    return result == SUCCESS && getenv("STUB_BUSY") ? NOT_READY : result;
}

STUB int cuCtxSynchronize(void)
{
    ENTER_CONTEXT();
    if (!is_any_captured())
        return SUCCESS;
    spoil(__func__);
    return CAPTURE_UNSUPPORTED;
}

STUB int cuLaunchHostFunc(void *stream, void (*function)(void *user), void *user)
{
    ENTER_CONTEXT();
    const struct node node = {.kind = NODE_CALL, .function = function, .user = user};
    return put(stream, &node);
}

/* ---- Events ---------------------------------------------------------------------------------- */

STUB int cuEventCreate(void **event, unsigned flags)
{
    ENTER_UNSAFE();
    struct event *made = calloc(1, sizeof *made);
    made->context = current;
    made->is_timed = !(flags & 2);
    *event = made;
    return SUCCESS;
}

STUB int cuEventDestroy_v2(void *event)
{
    ENTER_UNSAFE();
    free(event);
    return SUCCESS;
}

/* Each record is half a millisecond after the one before. */
STUB int cuEventRecord(void *handle, void *stream_handle)
{
    static double clock;
    ENTER_CONTEXT();
    struct event *event = handle;
    struct stream *stream = stream_of(stream_handle);
    if (!stream || event->context != current)
        return INVALID_HANDLE;
    event->capture = stream->capture;
    event->time = clock += 0.5;
    return SUCCESS;
}

STUB int cuStreamWaitEvent(void *stream_handle, void *handle, unsigned flags)
{
    ENTER_CONTEXT();
    const struct event *event = handle;
    struct stream *stream = stream_of(stream_handle);
    if (!stream || flags)
        return INVALID_VALUE;
    if (event->capture && event->capture->mode < 0)
        return CAPTURED_EVENT;
    if (event->capture)
        stream->capture = event->capture;
    return SUCCESS;
}

static int ask_event(const char *name, const struct event *event)
{
    if (!event->capture)
        return SUCCESS;
    spoil(name);
    return CAPTURED_EVENT;
}

STUB int cuEventSynchronize(void *event)
{
    ENTER_CONTEXT();
    return ask_event(__func__, event);
}

STUB int cuEventQuery(void *event)
{
    ENTER_UNSAFE();
    int result = ask_event(__func__, event);
    return result == SUCCESS && getenv("STUB_BUSY") ? NOT_READY : result;
}

STUB int cuEventElapsedTime(float *milliseconds, void *begin_handle, void *end_handle)
{
    ENTER_CONTEXT();
    const struct event *begin = begin_handle, *end = end_handle;
    if (!begin->is_timed || !end->is_timed || begin->time == 0 || end->time == 0)
        return INVALID_HANDLE;
    if (getenv("STUB_BUSY"))
        return NOT_READY;
    *milliseconds = (float)(end->time - begin->time);
    return SUCCESS;
}

/* ---- Captures and graphs --------------------------------------------------------------------- */

STUB int cuThreadExchangeStreamCaptureMode(int *mode)
{
    int before = thread_mode;
    ENTER();
    thread_mode = *mode;
    *mode = before;
    return SUCCESS;
}

static struct graph **place_of(const struct graph *capture)
{
    struct graph **place = captures;
    while (*place != capture)
        place++;
    return place;
}

STUB int cuStreamBeginCapture_v2(void *handle, int mode)
{
    ENTER_CONTEXT();
    struct stream *stream = stream_of(handle);
    if (!stream || stream == &legacy_stream || stream->capture)
        return INVALID_VALUE;
    struct graph *capture = calloc(1, sizeof *capture);
    capture->mode = mode;
    capture->thread = pthread_self();
    capture->made_before = last_made;
    last_made = capture;
    *place_of(NULL) = capture;
    stream->capture = capture;
    return SUCCESS;
}

/* A joined stream leaves when it is used next. */
static struct graph *active_capture(struct stream *stream)
{
    if (stream->capture && stream->capture->mode < 0)
        stream->capture = NULL;
    return stream->capture;
}

STUB int cuStreamEndCapture(void *handle, void **graph)
{
    ENTER_CONTEXT();
    struct stream *stream = stream_of(handle);
    *graph = NULL;
    if (!stream || !active_capture(stream))
        return CAPTURE_UNMATCHED;
    struct graph *capture = stream->capture;
    if (capture->mode != 2 && !pthread_equal(capture->thread, pthread_self()))
        return 908;
    *place_of(capture) = NULL;
    capture->mode = -1;
    stream->capture = NULL;
    if (capture->is_spoiled)
        return CAPTURE_INVALIDATED;
    *graph = capture;
    return SUCCESS;
}

STUB int cuStreamIsCapturing(void *handle, int *status)
{
    ENTER_CONTEXT();
    struct stream *stream = stream_of(handle);
    if (!stream)
        return INVALID_HANDLE;
    const struct graph *capture = active_capture(stream);
    *status = !capture ? 0 : capture->is_spoiled ? 2 : 1;
    return SUCCESS;
}

/* Captures outlive their graphs: events and streams may still point to them. */
STUB int cuGraphDestroy(void *graph)
{
    ENTER_UNSAFE();
    live -= graph != NULL;
    return graph ? SUCCESS : INVALID_VALUE;
}

static int instantiate(void **exec, const struct graph *graph)
{
    struct graph *made = malloc(sizeof *made);
    *made = *graph;
    *exec = made;
    return SUCCESS;
}

STUB int cuGraphInstantiate_v2(void **exec, void *graph, void **error, char *log, size_t size)
{
    ENTER_UNSAFE();
    return error || log || size ? INVALID_VALUE : instantiate(exec, graph);
}

STUB int cuGraphExecDestroy(void *exec)
{
    ENTER_UNSAFE();
    free(exec);
    return SUCCESS;
}

static int update(struct graph *exec, const struct graph *graph)
{
    if (exec->count != graph->count)
        return UPDATE_FAILURE;
    for (int i = 0; i < graph->count; i++)
        if (exec->nodes[i].kind != graph->nodes[i].kind)
            return UPDATE_FAILURE;
    *exec = *graph;
    return SUCCESS;
}

STUB int cuGraphExecUpdate(void *exec, void *graph, void **node, int *result)
{
    ENTER_UNSAFE();
    *node = NULL;
    *result = 0;
    return update(exec, graph);
}

STUB int cuGraphLaunch(void *handle, void *stream)
{
    ENTER_CONTEXT();
    const struct graph *exec = handle;
    for (int i = 0; i < exec->count; i++) {
        int result = put(stream, &exec->nodes[i]);
        if (result != SUCCESS)
            return result;
    }
    return SUCCESS;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int put_copy(void *stream, void *to, const void *from, size_t size)
{
    const struct node node = {.kind = NODE_COPY, .to = to, .from = from, .size = size};
    return put(stream, &node);
}

STUB int cuMemcpyHtoDAsync_v2(uint64_t destination, const void *source, size_t size, void *stream)
{
    ENTER_CONTEXT();
    return put_copy(stream, (void *)(uintptr_t)destination, source, size);
}

STUB int cuMemcpyDtoHAsync_v2(void *destination, uint64_t source, size_t size, void *stream)
{
    ENTER_CONTEXT();
    return put_copy(stream, destination, (const void *)(uintptr_t)source, size);
}

STUB int cuMemcpyDtoDAsync_v2(uint64_t destination, uint64_t source, size_t size, void *stream)
{
    ENTER_CONTEXT();
    return put_copy(stream, (void *)(uintptr_t)destination, (const void *)(uintptr_t)source, size);
}

STUB int cuMemcpyPeerAsync(uint64_t destination, void *destination_context, uint64_t source,
    void *source_context, size_t size, void *stream)
{
    ENTER_CONTEXT();
    if (!destination_context || !source_context || destination_context == source_context)
        return INVALID_VALUE;
    return put_copy(stream, (void *)(uintptr_t)destination, (const void *)(uintptr_t)source, size);
}

static int put_fill(void *stream, uint64_t to, unsigned pattern, unsigned unit, size_t count_)
{
    const struct node node = {.kind = NODE_FILL,
        .to = (void *)(uintptr_t)to,
        .pattern = pattern,
        .unit = unit,
        .size = count_};
    return to % unit ? INVALID_VALUE : put(stream, &node);
}

STUB int cuMemsetD8Async(uint64_t to, unsigned char value, size_t count_, void *stream)
{
    ENTER_CONTEXT();
    return put_fill(stream, to, value, 1, count_);
}

STUB int cuMemsetD16Async(uint64_t to, unsigned short value, size_t count_, void *stream)
{
    ENTER_CONTEXT();
    return put_fill(stream, to, value, 2, count_);
}

STUB int cuMemsetD32Async(uint64_t to, unsigned value, size_t count_, void *stream)
{
    ENTER_CONTEXT();
    return put_fill(stream, to, value, 4, count_);
}

STUB int cuMemHostAlloc(void **pointer, size_t size, unsigned flags)
{
    ENTER_UNSAFE();
    *pointer = malloc(size);
    return flags == 1 && *pointer ? SUCCESS : INVALID_VALUE;
}

STUB int cuMemFreeHost(void *pointer)
{
    ENTER_UNSAFE();
    free(pointer);
    return SUCCESS;
}

static void *registered;

STUB int cuMemHostRegister_v2(void *pointer, size_t size, unsigned flags)
{
    ENTER_UNSAFE();
    if (registered == pointer)
        return ALREADY_REGISTERED;
    registered = pointer;
    return size && flags == 1 ? SUCCESS : INVALID_VALUE;
}

STUB int cuMemHostUnregister(void *pointer)
{
    ENTER_UNSAFE();
    if (registered != pointer)
        return NOT_REGISTERED;
    registered = NULL;
    return SUCCESS;
}

STUB int cuDeviceCanAccessPeer(int *can, int device, int peer)
{
    ENTER();
    *can = device != peer && number("STUB_PEERS", 1);
    return SUCCESS;
}

STUB int cuCtxEnablePeerAccess(void *context, unsigned flags)
{
    static void *enabled;
    ENTER_UNSAFE();
    if (enabled == context)
        return PEER_ALREADY;
    enabled = context;
    return flags ? INVALID_VALUE : SUCCESS;
}

/* ---- Launches -------------------------------------------------------------------------------- */

static int put_launch(void *stream, void **extra)
{
    struct node node = {.kind = NODE_LAUNCH};
    if (extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] != NULL)
        return INVALID_VALUE;
    size_t size = *(size_t *)extra[3];
    if (size != offsetof(struct arguments, n) + sizeof node.launch.n)
        return INVALID_VALUE;
    memcpy(&node.launch, extra[1], size);
    return put(stream, &node);
}

STUB int cuFuncGetAttribute(int *value, int attribute, void *function)
{
    static const int values[] = {1024, 0, 48, 16, 40, 80, 90};
    ENTER_UNSAFE();
    if (!function || (size_t)attribute >= sizeof values / sizeof values[0])
        return INVALID_VALUE;
    *value = values[attribute];
    return SUCCESS;
}

STUB int cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, void *function, int threads, size_t shared)
{
    ENTER_UNSAFE();
    *blocks = 2048 / threads;
    return function && shared == 0 ? SUCCESS : INVALID_VALUE;
}

/* ---- What older drivers lack ----------------------------------------------------------------- */

#ifndef STUB_CUDA_11
STUB int cuMemAllocAsync(uint64_t *pointer, size_t size, void *stream)
{
    ENTER_CONTEXT();
    if (!stream_of(stream) || size == 0)
        return INVALID_VALUE;
    *pointer = (uintptr_t)malloc(size);
    return SUCCESS;
}

STUB int cuMemFreeAsync(uint64_t pointer, void *stream)
{
    ENTER_CONTEXT();
    if (!stream_of(stream))
        return INVALID_VALUE;
    free((void *)(uintptr_t)pointer);
    return SUCCESS;
}

STUB int cuGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags)
{
    ENTER_UNSAFE();
    return flags ? INVALID_VALUE : instantiate(exec, graph);
}

STUB int cuGraphExecUpdate_v2(void *exec, void *graph, void *info)
{
    ENTER_UNSAFE();
    return info ? update(exec, graph) : INVALID_VALUE;
}

struct attribute {
    int id;
    char padding[4];
    unsigned value[16];
};

struct configuration {
    unsigned grid[3], block[3], shared;
    void *stream;
    struct attribute *attributes;
    unsigned attribute_count;
};

static struct {
    unsigned cluster[3], is_cooperative, is_programmatic, shared;
} last_launch;

/* What the last cuLaunchKernelEx was asked for: cluster, cooperative, programmatic, shared bytes.
 */
STUB void stub_last_launch(unsigned out[6])
{
    memcpy(out, &last_launch, sizeof last_launch);
}

STUB int cuLaunchKernelEx(
    const struct configuration *config, void *function, void **parameters, void **extra)
{
    ENTER_CONTEXT();
    memset(&last_launch, 0, sizeof last_launch);
    last_launch.shared = config->shared;
    for (unsigned i = 0; i < config->attribute_count; i++) {
        const struct attribute *attribute = &config->attributes[i];
        if (attribute->id == 4)
            memcpy(last_launch.cluster, attribute->value, sizeof last_launch.cluster);
        else if (attribute->id == 2)
            last_launch.is_cooperative = attribute->value[0];
        else if (attribute->id == 6)
            last_launch.is_programmatic = attribute->value[0];
        else
            return INVALID_VALUE;
    }
    if (!function || parameters || config->block[0] != 128)
        return INVALID_VALUE;
    return put_launch(config->stream, extra);
}
#endif
