/* The cpu device's own objects, and the driver table's functions by the file that has them. */
#ifndef TEENY_RUNTIME_CPU_CPU_H
#define TEENY_RUNTIME_CPU_CPU_H

#include "runtime/cpu/pool.h"
#include "runtime/driver.h"

typedef struct teeny_cpu_device {
    teeny_device base;
    teeny_pool *pool;
} teeny_cpu_device;

typedef struct teeny_cpu_stream {
    teeny_stream base;
    teeny_queue queue;
} teeny_cpu_stream;

static inline teeny_pool *teeny_cpu_pool(const teeny_device *device)
{
    return ((const teeny_cpu_device *)device)->pool;
}

static inline teeny_queue *teeny_cpu_queue(teeny_stream *stream)
{
    return &((teeny_cpu_stream *)stream)->queue;
}

/* event.c */
teeny_status teeny_cpu_event_create(teeny_device *device, bool timed, teeny_event **out_event);
void teeny_cpu_event_destroy(teeny_event *base);
teeny_status teeny_cpu_event_record(teeny_event *base, teeny_stream *stream);
teeny_status teeny_cpu_event_synchronize(teeny_event *event);
teeny_status teeny_cpu_event_query(teeny_event *event, bool *out_done);
teeny_status teeny_cpu_event_elapsed(teeny_event *begin, teeny_event *end, double *out_seconds);
teeny_status teeny_cpu_stream_wait(teeny_stream *stream, teeny_event *event);

/* memory.c */
void teeny_cpu_memory_free(teeny_device *device, void *pointer);
teeny_status teeny_cpu_memory_allocate_async(teeny_stream *stream, size_t size, void **out_pointer);
teeny_status teeny_cpu_memory_free_async(teeny_stream *stream, void *pointer);
teeny_status teeny_cpu_copy(
    teeny_stream *stream, const teeny_place *destination, const teeny_place *source, size_t size);
teeny_status teeny_cpu_fill(teeny_stream *stream, const teeny_fill *fill);
teeny_status teeny_cpu_call(teeny_stream *stream, void (*function)(void *user), void *user);

#endif
