/* The cpu device: a kernel's image, run by the pool's threads over the host's own memory. */
#include "runtime/cpu/pool.h"
#include "runtime/driver.h"
#include "runtime/host_cpu.h"
#include "runtime/host_threads.h"
#include "runtime/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_ALIGNMENT = 256 };

typedef struct cpu_device {
    teeny_device base;
    teeny_pool *pool;
} cpu_device;

typedef struct cpu_stream {
    teeny_stream base;
    teeny_queue queue;
} cpu_stream;

typedef struct cpu_code {
    teeny_code base;
    teeny_image image;
    size_t arguments_bytes;
} cpu_code;

static teeny_pool *pool_of(const teeny_device *device)
{
    return ((const cpu_device *)device)->pool;
}

/* Takes the pool over. */
static teeny_status make_device(teeny_pool *pool, teeny_device **out_device)
{
    cpu_device *device = calloc(1, sizeof *device);
    if (!device) {
        teeny_pool_destroy(pool);
        return teeny_fail_memory();
    }
    device->pool = pool;
    teeny_host_cpu_model(device->base.model, sizeof device->base.model);
    snprintf(device->base.target, sizeof device->base.target, "cpu");
    *out_device = &device->base;
    return TEENY_OK;
}

static teeny_status device_open(int number, teeny_device **out_device)
{
    (void)number;
    unsigned threads;
    teeny_status status = teeny_host_threads(&threads);
    if (status != TEENY_OK)
        return status;
    teeny_pool *pool = teeny_pool_create(threads, teeny_host_cores() > 1);
    if (!pool)
        return teeny_fail(TEENY_OUT_OF_MEMORY, "the threads of device cpu could not be started: %s",
            strerror(errno));
    return make_device(pool, out_device);
}

teeny_status teeny_cpu_device_make(const teeny_executor *executor, teeny_device **out_device)
{
    teeny_pool *pool = teeny_pool_create_on(executor, teeny_host_cores() > 1);
    return pool ? make_device(pool, out_device) : teeny_fail_memory();
}

static void device_close(teeny_device *device)
{
    teeny_pool_destroy(pool_of(device));
    free(device);
}

static void device_synchronize(teeny_device *device)
{
    teeny_pool_wait_all(pool_of(device));
}

static teeny_status stream_create(teeny_device *device, teeny_stream **out_stream)
{
    cpu_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return teeny_fail_memory();
    teeny_pool_add_queue(pool_of(device), &stream->queue);
    *out_stream = &stream->base;
    return TEENY_OK;
}

static void stream_destroy(teeny_stream *stream)
{
    teeny_pool_remove_queue(pool_of(stream->device), &((cpu_stream *)stream)->queue);
    free(stream);
}

static teeny_status stream_synchronize(teeny_stream *stream)
{
    if (teeny_pool_wait(pool_of(stream->device), &((cpu_stream *)stream)->queue))
        return TEENY_OK;
    return teeny_fail(TEENY_OUT_OF_MEMORY,
        "a kernel on the stream did not run, or not to its end: no memory for its scratch space");
}

static teeny_status memory_allocate(teeny_device *device, size_t size, void **out_pointer)
{
    (void)device;
    if (posix_memalign(out_pointer, MEMORY_ALIGNMENT, size) == 0)
        return TEENY_OK;
    return teeny_fail(TEENY_OUT_OF_MEMORY, "device cpu has no %zu bytes left", size);
}

static void memory_free(teeny_device *device, void *pointer)
{
    (void)device;
    free(pointer);
}

static teeny_status copy(teeny_stream *stream, void *destination, const void *source, size_t size)
{
    teeny_status status = stream_synchronize(stream);
    if (status == TEENY_OK)
        memcpy(destination, source, size);
    return status;
}

static teeny_status code_load(
    teeny_device *device, const teeny_artifact *artifact, teeny_code **out_code)
{
    const teeny_bytes *bytes = teeny_artifact_code(artifact);
    cpu_code *code = calloc(1, sizeof *code);
    if (!code)
        return teeny_fail_memory();
    int error = teeny_image_map(bytes, &code->image);
    if (error) {
        free(code);
        return teeny_image_fail(error, artifact->stem);
    }
    code->base.device = device;
    code->arguments_bytes = artifact->metadata.arguments_bytes;
    *out_code = &code->base;
    return TEENY_OK;
}

static void code_unload(teeny_code *base)
{
    cpu_code *code = (cpu_code *)base;
    teeny_pool_wait_all(pool_of(base->device));
    teeny_image_unmap(&code->image);
    free(code);
}

static teeny_status launch(
    teeny_stream *stream, teeny_code *base, const teeny_grid *grid, const void *arguments)
{
    const cpu_code *code = (const cpu_code *)base;
    const uint32_t programs[3] = {(uint32_t)grid->x, (uint32_t)grid->y, (uint32_t)grid->z};
    if (teeny_pool_submit(pool_of(stream->device), &((cpu_stream *)stream)->queue, &code->image,
            programs, arguments, code->arguments_bytes))
        return TEENY_OK;
    return teeny_fail_memory();
}

const teeny_driver teeny_cpu_driver = {
    .name = "cpu",
    .targets = "cpu",
    .grid_limit = {INT32_MAX, INT32_MAX, INT32_MAX},
    .program_limit = INT64_MAX,
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
