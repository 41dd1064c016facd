/* The cpu device: a kernel's image, run by the pool's threads over the host's own memory. */
#include "runtime/cpu/cpu.h"
#include "runtime/host_cpu.h"
#include "runtime/host_memory.h"
#include "runtime/host_threads.h"
#include "runtime/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cpu_code {
    teeny_code base;
    teeny_image image;
    size_t arguments_bytes;
} cpu_code;

/* Takes the pool over. */
static teeny_status make_device(teeny_pool *pool, teeny_device **out_device)
{
    teeny_cpu_device *device = calloc(1, sizeof *device);
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
    teeny_pool_destroy(teeny_cpu_pool(device));
    free(device);
}

static void device_synchronize(teeny_device *device)
{
    teeny_pool_wait_all(teeny_cpu_pool(device));
}

/* ---- Streams --------------------------------------------------------------------------------- */

enum { URGENT = -1 };

static teeny_status stream_priorities(teeny_device *device, int *out_least, int *out_greatest)
{
    (void)device;
    *out_least = 0;
    *out_greatest = URGENT;
    return TEENY_OK;
}

static teeny_status stream_create(
    teeny_device *device, const teeny_stream_options *options, teeny_stream **out_stream)
{
    teeny_cpu_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return teeny_fail_memory();
    stream->queue.priority = options->priority < 0 ? URGENT : 0;
    teeny_pool_add_queue(teeny_cpu_pool(device), &stream->queue);
    *out_stream = &stream->base;
    return TEENY_OK;
}

static teeny_status stream_query(teeny_stream *stream, bool *out_done)
{
    *out_done = teeny_pool_is_done(teeny_cpu_pool(stream->device), teeny_cpu_queue(stream));
    return TEENY_OK;
}

static void stream_destroy(teeny_stream *stream)
{
    teeny_pool_remove_queue(teeny_cpu_pool(stream->device), teeny_cpu_queue(stream));
    free(stream);
}

static teeny_status stream_synchronize(teeny_stream *stream)
{
    if (teeny_pool_wait(teeny_cpu_pool(stream->device), teeny_cpu_queue(stream)))
        return TEENY_OK;
    return teeny_fail(TEENY_OUT_OF_MEMORY,
        "a kernel on the stream did not run, or not to its end: no memory for its scratch space");
}

/* ---- Code ------------------------------------------------------------------------------------ */

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
    teeny_pool_wait_all(teeny_cpu_pool(base->device));
    teeny_image_unmap(&code->image);
    free(code);
}

static teeny_status code_resources(teeny_code *base, teeny_resources *out_resources)
{
    *out_resources = (teeny_resources){
        .threads = 1,
        .max_threads = 1,
        .scratch_bytes = ((const cpu_code *)base)->image.scratch_bytes,
        .active_programs = 1,
        .multiprocessors = teeny_pool_threads(teeny_cpu_pool(base->device)),
    };
    return TEENY_OK;
}

static teeny_status launch(
    teeny_stream *stream, teeny_code *base, const teeny_grid *grid, const void *arguments)
{
    const cpu_code *code = (const cpu_code *)base;
    const uint32_t programs[3] = {(uint32_t)grid->x, (uint32_t)grid->y, (uint32_t)grid->z};
    if (teeny_pool_submit(teeny_cpu_pool(stream->device), teeny_cpu_queue(stream), &code->image,
            programs, arguments, code->arguments_bytes))
        return TEENY_OK;
    return teeny_fail_memory();
}

const teeny_driver teeny_cpu_driver = {
    .name = "cpu",
    .targets = "cpu",
    .host_memory = true,
    .grid_limit = {INT32_MAX, INT32_MAX, INT32_MAX},
    .program_limit = INT64_MAX,
    .device_open = device_open,
    .device_close = device_close,
    .device_synchronize = device_synchronize,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_synchronize = stream_synchronize,
    .stream_query = stream_query,
    .stream_wait = teeny_cpu_stream_wait,
    .stream_call = teeny_cpu_call,
    .stream_priorities = stream_priorities,
    .event_create = teeny_cpu_event_create,
    .event_destroy = teeny_cpu_event_destroy,
    .event_record = teeny_cpu_event_record,
    .event_synchronize = teeny_cpu_event_synchronize,
    .event_query = teeny_cpu_event_query,
    .event_elapsed = teeny_cpu_event_elapsed,
    .memory_allocate = teeny_host_memory_allocate,
    .memory_free = teeny_cpu_memory_free,
    .memory_allocate_async = teeny_cpu_memory_allocate_async,
    .memory_free_async = teeny_cpu_memory_free_async,
    .host_allocate = teeny_host_memory_allocate,
    .host_free = teeny_host_memory_free,
    .copy = teeny_cpu_copy,
    .fill = teeny_cpu_fill,
    .code_load = code_load,
    .code_unload = code_unload,
    .code_resources = code_resources,
    .launch = launch,
};
