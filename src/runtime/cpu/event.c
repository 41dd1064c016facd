/* Events of the cpu device: moments of its queues. */
#include "runtime/cpu/cpu.h"
#include "runtime/report.h"

#include <stdlib.h>

typedef struct cpu_event {
    teeny_event base;
    pthread_mutex_t mutex; /* guards which moment it is; taken before the pool's */
    teeny_moment *moment;  /* NULL: it was never recorded */
} cpu_event;

teeny_status teeny_cpu_event_create(teeny_device *device, bool timed, teeny_event **out_event)
{
    (void)device;
    (void)timed;
    cpu_event *event = calloc(1, sizeof *event);
    if (!event)
        return teeny_fail_memory();
    pthread_mutex_init(&event->mutex, NULL);
    *out_event = &event->base;
    return TEENY_OK;
}

void teeny_cpu_event_destroy(teeny_event *base)
{
    cpu_event *event = (cpu_event *)base;
    teeny_moment_release(teeny_cpu_pool(base->device), event->moment);
    pthread_mutex_destroy(&event->mutex);
    free(event);
}

teeny_status teeny_cpu_event_record(teeny_event *base, teeny_stream *stream)
{
    cpu_event *event = (cpu_event *)base;
    teeny_pool *pool = teeny_cpu_pool(base->device);
    teeny_moment *moment = teeny_pool_record(pool, teeny_cpu_queue(stream));
    if (!moment)
        return teeny_fail_memory();
    pthread_mutex_lock(&event->mutex);
    teeny_moment *before = event->moment;
    event->moment = moment;
    pthread_mutex_unlock(&event->mutex);
    teeny_moment_release(pool, before);
    return TEENY_OK;
}

/* The moment that the event is now, with a reference of the caller's; NULL: it was never recorded.
 */
static teeny_moment *take_moment(teeny_event *base)
{
    cpu_event *event = (cpu_event *)base;
    pthread_mutex_lock(&event->mutex);
    teeny_moment *moment = event->moment;
    if (moment)
        teeny_moment_retain(teeny_cpu_pool(base->device), moment);
    pthread_mutex_unlock(&event->mutex);
    return moment;
}

teeny_status teeny_cpu_event_synchronize(teeny_event *event)
{
    teeny_pool *pool = teeny_cpu_pool(event->device);
    teeny_moment *moment = take_moment(event);
    if (moment)
        teeny_moment_wait(pool, moment);
    teeny_moment_release(pool, moment);
    return TEENY_OK;
}

teeny_status teeny_cpu_stream_wait(teeny_stream *stream, teeny_event *event)
{
    teeny_pool *pool = teeny_cpu_pool(stream->device);
    teeny_moment *moment = take_moment(event);
    if (moment)
        teeny_pool_hold_up(pool, teeny_cpu_queue(stream), moment);
    teeny_moment_release(pool, moment);
    return TEENY_OK;
}

/* An event that was never recorded is done, at no time in particular. */
static bool is_done(teeny_event *event, int64_t *out_time)
{
    teeny_pool *pool = teeny_cpu_pool(event->device);
    teeny_moment *moment = take_moment(event);
    *out_time = 0;
    bool is_done = !moment || teeny_moment_has_passed(pool, moment, out_time);
    teeny_moment_release(pool, moment);
    return is_done;
}

teeny_status teeny_cpu_event_query(teeny_event *event, bool *out_done)
{
    int64_t time;
    *out_done = is_done(event, &time);
    return TEENY_OK;
}

teeny_status teeny_cpu_event_elapsed(teeny_event *begin, teeny_event *end, double *out_seconds)
{
    int64_t from, to;
    if (!is_done(begin, &from) || !is_done(end, &to))
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_event_elapsed: the events are not done");
    *out_seconds = (double)(to - from) * 1e-9;
    return TEENY_OK;
}
