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
    struct graph *next; /* of all captures: they stay, as events and streams point to them */
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
static struct graph *captures[16], *all_captures;
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

/* What is to be destroyed is gone, also where that fails. */
STUB int cuStreamDestroy_v2(void *handle)
{
    struct stream *stream = handle;
    for (size_t i = 0; i < 16; i++)
        if (stream->capture && captures[i] == stream->capture)
            captures[i] = NULL;
    free(stream);
    ENTER_UNSAFE();
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
    if (!stream->capture)
        return SUCCESS;
    spoil(name);
    return CAPTURE_UNSUPPORTED;
}

STUB int cuStreamSynchronize(void *stream)
{
    ENTER_UNSAFE();
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
    free(event);
    ENTER_UNSAFE();
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
    ENTER_UNSAFE();
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
    ENTER_UNSAFE();
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
    capture->next = all_captures;
    all_captures = capture;
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
    const struct stream *on = stream_of(stream);
    if (on && on->capture && on->capture->mode >= 0) {
        spoil(__func__);
        return CAPTURE_UNSUPPORTED;
    }
    for (int i = 0; i < exec->count; i++) {
        int result = put(stream, &exec->nodes[i]);
        if (result != SUCCESS)
            return result;
    }
    return SUCCESS;
}
