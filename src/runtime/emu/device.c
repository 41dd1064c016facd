/* The emu device: the code for a GPU on the host, slowly, with everything checked; for tests.
 *
 * A launch runs at once, in the thread that launches, and fails with what was found.
 */
#include "base/environment.h"
#include "runtime/driver.h"
#include "runtime/emu/emu.h"
#include "runtime/host_cpu.h"
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

static teeny_status stream_create(teeny_device *device, teeny_stream **out_stream)
{
    (void)device;
    *out_stream = calloc(1, sizeof **out_stream);
    return *out_stream ? TEENY_OK : teeny_fail_memory();
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
    teeny_emu_memory_free(&((emu_device *)device)->memory, pointer);
}

static teeny_status copy(teeny_stream *stream, void *destination, const void *source, size_t size)
{
    emu_device *device = (emu_device *)stream->device;
    pthread_mutex_lock(&device->launching);
    memcpy(destination, source, size);
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
    .grid_limit = {INT32_MAX, UINT16_MAX, UINT16_MAX},
    .program_limit = UINT32_MAX,
    .device_open = device_open,
    .device_close = device_close,
    .device_synchronize = device_synchronize,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_synchronize = stream_synchronize,
    .memory_allocate = memory_allocate,
    .memory_free = memory_free,
    .copy_to_device = copy,
    .copy_from_device = copy,
    .code_load = code_load,
    .code_unload = code_unload,
    .launch = launch,
};
