/* The emu device: the code for a GPU on the host, slowly, with everything checked; for tests.
 *
 * A launch runs at once, in the thread that launches, and fails with what was found.
 */
#include "base/environment.h"
#include "runtime/callback.h"
#include "runtime/driver.h"
#include "runtime/emu/emu.h"
#include "runtime/host_cpu.h"
#include "runtime/host_memory.h"
#include "runtime/host_threads.h"
#include "runtime/image.h"
#include "runtime/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LARGEST_SHARED = 1 << 20 };

typedef struct emu_device {
    teeny_device base;
    teeny_emu_memory memory;
    teeny_emu_idle idle;
    pthread_mutex_t launching; /* one launch or copy at a time */
    unsigned workers;
    bool is_seed_given;
    uint64_t seed; /* of the next launch; guarded by `launching` */
} emu_device;

typedef struct emu_code {
    teeny_code base;
    teeny_image image;
    unsigned num_warps;
    size_t shared_bytes;
    char *name;
} emu_code;

/* ---- Devices and streams --------------------------------------------------------------------- */

static teeny_status choose_seed(emu_device *device)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    device->seed = (uint64_t)now.tv_sec * 1000000007 + (uint64_t)now.tv_nsec;
    const char *value = teeny_environment(TEENY_VARIABLE_TEENY_EMU_SEED);
    if (!value)
        return TEENY_OK;
    char *end;
    errno = 0;
    device->seed = strtoull(value, &end, 10);
    device->is_seed_given = true;
    if (end == value || *end || errno)
        return teeny_fail(TEENY_OPTION_INVALID, "TEENY_EMU_SEED is `%s`, not a number", value);
    return TEENY_OK;
}

static teeny_status device_open(int number, teeny_device **out_device)
{
    (void)number;
    emu_device *device = calloc(1, sizeof *device);
    if (!device)
        return teeny_fail_memory();
    teeny_status status = teeny_host_threads(&device->workers);
    if (status == TEENY_OK)
        status = choose_seed(device);
    if (status != TEENY_OK) {
        free(device);
        return status;
    }
    teeny_emu_memory_init(&device->memory);
    pthread_mutex_init(&device->launching, NULL);
    char host[64];
    teeny_host_cpu_model(host, sizeof host);
    snprintf(device->base.model, sizeof device->base.model, "sm_90a emulated on %s", host);
    snprintf(device->base.target, sizeof device->base.target, "emu");
    *out_device = &device->base;
    return TEENY_OK;
}

static void device_close(teeny_device *base)
{
    emu_device *device = (emu_device *)base;
    teeny_emu_memory_destroy(&device->memory);
    teeny_emu_idle_free(&device->idle);
    pthread_mutex_destroy(&device->launching);
    free(device);
}

/* Waits for the launches of other threads of the host. */
static void device_synchronize(teeny_device *base)
{
    emu_device *device = (emu_device *)base;
    pthread_mutex_lock(&device->launching);
    pthread_mutex_unlock(&device->launching);
}

static teeny_status stream_create(
    teeny_device *device, const teeny_stream_options *options, teeny_stream **out_stream)
{
    (void)device;
    (void)options;
    teeny_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return teeny_fail_memory();
    *out_stream = stream;
    return TEENY_OK;
}

static void stream_destroy(teeny_stream *stream)
{
    free(stream);
}

static teeny_status stream_synchronize(teeny_stream *stream)
{
    device_synchronize(stream->device);
    return TEENY_OK;
}

static teeny_status stream_query(teeny_stream *stream, bool *out_done)
{
    (void)stream;
    *out_done = true;
    return TEENY_OK;
}

static teeny_status stream_wait(teeny_stream *stream, teeny_event *event)
{
    (void)stream;
    (void)event;
    return TEENY_OK;
}

static teeny_status stream_call(teeny_stream *stream, void (*function)(void *user), void *user)
{
    (void)stream;
    teeny_callback before = teeny_callback_begin(TEENY_CALLBACK_STREAM);
    function(user);
    teeny_callback_end(before);
    return TEENY_OK;
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* All is done when an event is recorded: only the time is kept. */
typedef struct emu_event {
    teeny_event base;
    _Atomic(int64_t) time; /* on the monotonic clock, in nanoseconds */
} emu_event;

static teeny_status event_create(teeny_device *device, bool timed, teeny_event **out_event)
{
    (void)device;
    (void)timed;
    emu_event *event = calloc(1, sizeof *event);
    if (!event)
        return teeny_fail_memory();
    *out_event = &event->base;
    return TEENY_OK;
}

static void event_destroy(teeny_event *event)
{
    free(event);
}

static teeny_status event_record(teeny_event *event, teeny_stream *stream)
{
    (void)stream;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    atomic_store(&((emu_event *)event)->time, (int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
    return TEENY_OK;
}

static teeny_status event_synchronize(teeny_event *event)
{
    (void)event;
    return TEENY_OK;
}

static teeny_status event_query(teeny_event *event, bool *out_done)
{
    (void)event;
    *out_done = true;
    return TEENY_OK;
}

static teeny_status event_elapsed(teeny_event *begin, teeny_event *end, double *out_seconds)
{
    int64_t from = atomic_load(&((emu_event *)begin)->time);
    int64_t to = atomic_load(&((emu_event *)end)->time);
    *out_seconds = (double)(to - from) * 1e-9;
    return TEENY_OK;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static teeny_status memory_allocate(teeny_device *device, size_t size, void **out_pointer)
{
    void *pointer = teeny_emu_memory_allocate(&((emu_device *)device)->memory, size);
    if (!pointer)
        return teeny_fail(TEENY_OUT_OF_MEMORY, "device emu has no %zu bytes left", size);
    *out_pointer = pointer;
    return TEENY_OK;
}

static void memory_free(teeny_device *device, void *pointer)
{
    device_synchronize(device);
    teeny_emu_memory_free(&((emu_device *)device)->memory, pointer);
}

static teeny_status memory_allocate_async(teeny_stream *stream, size_t size, void **out_pointer)
{
    return memory_allocate(stream->device, size, out_pointer);
}

static teeny_status memory_free_async(teeny_stream *stream, void *pointer)
{
    memory_free(stream->device, pointer);
    return TEENY_OK;
}

static teeny_status memory_adopt(teeny_device *device, void *pointer, size_t size)
{
    return teeny_emu_memory_adopt(&((emu_device *)device)->memory, pointer, size);
}

static void memory_disown(teeny_device *device, void *pointer)
{
    device_synchronize(device);
    teeny_emu_memory_disown(&((emu_device *)device)->memory, pointer);
}

static teeny_status copy(
    teeny_stream *stream, const teeny_place *destination, const teeny_place *source, size_t size)
{
    emu_device *device = (emu_device *)stream->device;
    pthread_mutex_lock(&device->launching);
    memcpy(destination->pointer, source->pointer, size);
    pthread_mutex_unlock(&device->launching);
    return TEENY_OK;
}

static teeny_status fill(teeny_stream *stream, const teeny_fill *fill)
{
    emu_device *device = (emu_device *)stream->device;
    pthread_mutex_lock(&device->launching);
    teeny_fill_host(fill);
    pthread_mutex_unlock(&device->launching);
    return TEENY_OK;
}

/* ---- Code ------------------------------------------------------------------------------------ */

static teeny_status check_needs(const teeny_metadata *metadata)
{
    if (metadata->num_warps < 1 || metadata->num_warps > TEENY_EMU_WARP_LIMIT)
        return teeny_fail(TEENY_ARTIFACT_INVALID, "kernel `%s` wants %u warps, not 1 to %d",
            metadata->kernel, metadata->num_warps, TEENY_EMU_WARP_LIMIT);
    if (metadata->shared_bytes > LARGEST_SHARED)
        return teeny_fail(TEENY_ARTIFACT_INVALID,
            "kernel `%s` wants %u bytes of shared memory; emu has %d", metadata->kernel,
            metadata->shared_bytes, LARGEST_SHARED);
    return TEENY_OK;
}

static teeny_status map_code(emu_code *code, const teeny_artifact *artifact)
{
    int error = teeny_image_map(teeny_artifact_code(artifact), &code->image);
    if (error)
        return teeny_image_fail(error, artifact->stem);
    code->name = strdup(artifact->stem);
    return code->name ? TEENY_OK : teeny_fail_memory();
}

static void free_code(emu_code *code)
{
    teeny_image_unmap(&code->image);
    free(code->name);
    free(code);
}

static teeny_status code_load(
    teeny_device *device, const teeny_artifact *artifact, teeny_code **out_code)
{
    teeny_status status = check_needs(&artifact->metadata);
    if (status != TEENY_OK)
        return status;
    emu_code *code = calloc(1, sizeof *code);
    if (!code)
        return teeny_fail_memory();
    code->base.device = device;
    code->num_warps = artifact->metadata.num_warps;
    code->shared_bytes = artifact->metadata.shared_bytes;
    status = map_code(code, artifact);
    if (status == TEENY_OK)
        *out_code = &code->base;
    else
        free_code(code);
    return status;
}

static void code_unload(teeny_code *code)
{
    device_synchronize(code->device);
    free_code((emu_code *)code);
}

static teeny_status code_resources(teeny_code *base, teeny_resources *out_resources)
{
    const emu_code *code = (const emu_code *)base;
    *out_resources = (teeny_resources){
        .num_warps = code->num_warps,
        .threads = code->num_warps * TEENY_EMU_LANES,
        .max_threads = TEENY_EMU_THREAD_LIMIT,
        .shared_bytes = (uint32_t)code->shared_bytes,
        .active_programs = 1,
        .multiprocessors = ((const emu_device *)base->device)->workers,
    };
    return TEENY_OK;
}

/* ---- Launches -------------------------------------------------------------------------------- */

static teeny_status run(emu_device *device, const emu_code *code, teeny_emu_launch *launch)
{
    if (teeny_emu_run(launch))
        return TEENY_OK;
    teeny_status status = teeny_fail(TEENY_DEVICE_FAILED,
        "kernel `%s` failed on device %s: %s; TEENY_EMU_SEED=%llu gives the same order again",
        code->name, device->base.name, teeny_string_text(&launch->message),
        (unsigned long long)launch->seed);
    teeny_string_free(&launch->message);
    return status;
}

static teeny_status launch(
    teeny_stream *stream, teeny_code *base, const teeny_grid *grid, const void *arguments)
{
    emu_device *device = (emu_device *)stream->device;
    const emu_code *code = (const emu_code *)base;
    teeny_emu_launch launch = {
        .entry = (emu_entry *)(void (*)(void))code->image.entry,
        .arguments = arguments,
        .num_programs = {(uint32_t)grid->x, (uint32_t)grid->y, (uint32_t)grid->z},
        .num_warps = code->num_warps,
        .shared_bytes = code->shared_bytes,
        .workers = device->workers,
        .memory = &device->memory,
        .idle = &device->idle,
    };
    pthread_mutex_lock(&device->launching);
    launch.seed = device->is_seed_given ? device->seed : device->seed++;
    teeny_status status = run(device, code, &launch);
    pthread_mutex_unlock(&device->launching);
    return status;
}

/* A record keeps a program's number in 32 bits. The limits are the GPU's. */
const teeny_driver teeny_emu_driver = {
    .name = "emu",
    .targets = "emu",
    .specialises = true,
    .host_memory = true,
    .grid_limit = {INT32_MAX, UINT16_MAX, UINT16_MAX},
    .program_limit = UINT32_MAX,
    .device_open = device_open,
    .device_close = device_close,
    .device_synchronize = device_synchronize,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_synchronize = stream_synchronize,
    .stream_query = stream_query,
    .stream_wait = stream_wait,
    .stream_call = stream_call,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_synchronize = event_synchronize,
    .event_query = event_query,
    .event_elapsed = event_elapsed,
    .memory_allocate = memory_allocate,
    .memory_free = memory_free,
    .memory_allocate_async = memory_allocate_async,
    .memory_free_async = memory_free_async,
    .memory_adopt = memory_adopt,
    .memory_disown = memory_disown,
    .host_allocate = teeny_host_memory_allocate,
    .host_free = teeny_host_memory_free,
    .copy = copy,
    .fill = fill,
    .code_load = code_load,
    .code_unload = code_unload,
    .code_resources = code_resources,
    .launch = launch,
};
