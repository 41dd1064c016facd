/* The part of the stub driver that has copies, fills, the host's memory and launches with options;
 * stub_cuda.c includes it, once, behind stub_cuda_streams.h. */

/* ---- Memory ---------------------------------------------------------------------------------- */

static int put_copy(void *stream, void *to, const void *from, size_t size)
{
    const struct node node = {.kind = NODE_COPY, .to = to, .from = from, .size = size};
    return put(stream, &node);
}

STUB int cuMemcpyHtoDAsync_v2(uint64_t destination, const void *source, size_t size, void *stream)
{
    ENTER_UNSAFE();
    return put_copy(stream, (void *)(uintptr_t)destination, source, size);
}

STUB int cuMemcpyDtoHAsync_v2(void *destination, uint64_t source, size_t size, void *stream)
{
    ENTER_UNSAFE();
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
    ENTER_UNSAFE();
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

static struct {
    unsigned cluster[3], is_cooperative, is_programmatic, shared;
} last_launch;

/* What the last launch was asked for: cluster, cooperative, programmatic, shared bytes.
 */
STUB void stub_last_launch(unsigned out[6])
{
    memcpy(out, &last_launch, sizeof last_launch);
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
    ENTER_UNSAFE();
    if (!stream_of(stream) || size == 0)
        return INVALID_VALUE;
    *pointer = (uintptr_t)malloc(size);
    return SUCCESS;
}

STUB int cuMemFreeAsync(uint64_t pointer, void *stream)
{
    ENTER_UNSAFE();
    free((void *)(uintptr_t)pointer);
    return stream_of(stream) ? SUCCESS : INVALID_VALUE;
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
