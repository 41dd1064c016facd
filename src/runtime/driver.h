/* What a kind of device has to provide: one table of functions, and the objects that they make.
 *
 * A driver's objects begin with the structs below, followed by what the driver needs itself. Common
 * code checks arguments, counts references and finds functions; a driver is only called with
 * arguments that are right. A further kind of device is a further row of `teeny_drivers`.
 */
#ifndef TEENY_RUNTIME_DRIVER_H
#define TEENY_RUNTIME_DRIVER_H

#include "runtime/artifact.h"
#include "runtime/function_table.h"

#include <stdatomic.h>
#include <teeny/teeny.h>

/* Compiled code, loaded on a device. */
typedef struct teeny_code {
    teeny_device *device;
    const char *origin; /* where the machine code is from, for the log; static, may be NULL */
} teeny_code;

/* Where a copy begins: memory of a device, or of the host where `device` is NULL. */
typedef struct teeny_place {
    teeny_device *device;
    void *pointer;
} teeny_place;

typedef struct teeny_fill {
    void *pointer;
    size_t size;      /* in bytes, a multiple of `unit` */
    unsigned unit;    /* bytes of the pattern: 1, 2 or 4 */
    uint32_t pattern; /* in its low bytes */
} teeny_fill;

/* Graphs that the driver itself makes of what is put on streams. `capture` and `graph` are its. */
typedef struct teeny_graph_driver {
    teeny_status (*begin)(teeny_stream *stream);
    teeny_status (*end)(teeny_stream *stream, void **out_capture);
    void (*drop)(teeny_device *device, void *capture);
    /* Each makes `*graph` of a capture, which it takes over, also when it fails. */
    teeny_status (*make)(teeny_device *device, void *capture, void **out_graph);
    teeny_status (*update)(teeny_device *device, void *capture, void **graph);
    teeny_status (*launch)(teeny_stream *stream, void *graph);
    void (*destroy)(teeny_device *device, void *graph);
    /* Whether somebody captures the stream, libteeny or another. */
    teeny_status (*is_active)(teeny_stream *stream, bool *out_active);
} teeny_graph_driver;

typedef struct teeny_driver {
    const char *name;      /* "cuda" */
    const char *targets;   /* how the names of its targets begin: "sm_" */
    bool specialises;      /* its code gains by what is known of arguments */
    bool numbered;         /* devices are "cuda:0", "cuda:1", ...; else there is one, "cpu" */
    bool host_memory;      /* a device's memory is the host's */
    bool shares_events;    /* a stream can wait for an event of another of its devices */
    teeny_grid grid_limit; /* the most programs along each dimension */
    int64_t program_limit; /* and in all */

    /* `out_device` has the driver's part filled in, with model and target. */
    teeny_status (*device_open)(int number, teeny_device **out_device);
    void (*device_close)(teeny_device *device);
    /* Waits for what was put on the device's streams, those that are being captured aside. */
    void (*device_synchronize)(teeny_device *device);
    /* Those that may be NULL: there is one device; nothing to do; there is no access. */
    teeny_status (*device_count)(int *out_count);
    teeny_status (*device_make_current)(teeny_device *device);
    teeny_status (*device_access)(teeny_device *device, teeny_device *peer);

    teeny_status (*stream_create)(
        teeny_device *device, const teeny_stream_options *options, teeny_stream **out_stream);
    /* NULL: nothing is behind a stream. */
    teeny_status (*stream_wrap)(teeny_device *device, void *native, teeny_stream **out_stream);
    void *(*stream_native)(const teeny_stream *stream);
    void (*stream_destroy)(teeny_stream *stream);
    teeny_status (*stream_synchronize)(teeny_stream *stream);
    teeny_status (*stream_query)(teeny_stream *stream, bool *out_done);
    teeny_status (*stream_wait)(teeny_stream *stream, teeny_event *event);
    teeny_status (*stream_call)(teeny_stream *stream, void (*function)(void *user), void *user);
    /* NULL: there is only 0. */
    teeny_status (*stream_priorities)(teeny_device *device, int *out_least, int *out_greatest);

    teeny_status (*event_create)(teeny_device *device, bool timed, teeny_event **out_event);
    /* NULL: nothing is behind an event. */
    teeny_status (*event_wrap)(teeny_device *device, void *native, teeny_event **out_event);
    void *(*event_native)(const teeny_event *event);
    void (*event_destroy)(teeny_event *event);
    teeny_status (*event_record)(teeny_event *event, teeny_stream *stream);
    teeny_status (*event_synchronize)(teeny_event *event);
    teeny_status (*event_query)(teeny_event *event, bool *out_done);
    /* Both were recorded. */
    teeny_status (*event_elapsed)(teeny_event *begin, teeny_event *end, double *out_seconds);

    teeny_status (*memory_allocate)(teeny_device *device, size_t size, void **out_pointer);
    /* Waits for what may use it. */
    void (*memory_free)(teeny_device *device, void *pointer);
    /* In the order of a stream. memory_free takes such memory too. */
    teeny_status (*memory_allocate_async)(teeny_stream *stream, size_t size, void **out_pointer);
    teeny_status (*memory_free_async)(teeny_stream *stream, void *pointer);
    /* NULL: kernels may use any memory. */
    teeny_status (*memory_adopt)(teeny_device *device, void *pointer, size_t size);
    void (*memory_disown)(teeny_device *device, void *pointer);
    teeny_status (*host_allocate)(teeny_device *device, size_t size, void **out_pointer);
    void (*host_free)(teeny_device *device, void *pointer);
    /* NULL: all of the host's memory will do. */
    teeny_status (*host_register)(teeny_device *device, void *pointer, size_t size);
    teeny_status (*host_unregister)(teeny_device *device, void *pointer);

    /* Where `host_memory` is false, one of the places may be the host's, and others are of the
     * driver's devices, one of them the stream's; else both are the host's. */
    teeny_status (*copy)(teeny_stream *stream, const teeny_place *destination,
        const teeny_place *source, size_t size);
    teeny_status (*fill)(teeny_stream *stream, const teeny_fill *fill);

    /* The artifact is only read during the call. */
    teeny_status (*code_load)(
        teeny_device *device, const teeny_artifact *artifact, teeny_code **out_code);
    void (*code_unload)(teeny_code *code);
    teeny_status (*code_resources)(teeny_code *code, teeny_resources *out_resources);
    teeny_status (*launch)(
        teeny_stream *stream, teeny_code *code, const teeny_grid *grid, const void *arguments);
    /* The grid is a multiple of the cluster, which has no 0. NULL: of the options only what can be
     * ignored is left, and `launch` is called. */
    teeny_status (*launch_with)(teeny_stream *stream, teeny_code *code, const teeny_grid *grid,
        const teeny_launch_options *options, const void *arguments);

    const teeny_graph_driver *graphs; /* NULL: a list of what was put on streams is a graph */
} teeny_driver;

struct teeny_device {
    const teeny_driver *driver;
    int number;
    char name[32];
    char model[128];
    char target[16];
    uint64_t memory;            /* in bytes; 0: not known */
    unsigned processors;        /* of the GPU, or the threads that run kernels; 0: not known */
    bool is_private;            /* not to be found by its name */
    size_t references;          /* guarded by the registry's mutex (device.c) */
    struct teeny_device *next;  /* of all devices of this process */
    teeny_function_table table; /* functions with default options, by kernel */
    teeny_allocator allocator;  /* guarded by buffer.c's mutex; all zero: the driver's own */
};

struct teeny_recording;

struct teeny_stream {
    teeny_device *device;
    bool is_wrapped;
    /* What is put on it goes into this recording; NULL: nowhere but to the driver. This and the
     * rest are recording.c's, guarded by its mutex. */
    _Atomic(struct teeny_recording *) recording;
    struct teeny_stream *next_member;
    uint64_t steps;     /* that it has put into the recording */
    bool is_waited_for; /* another stream of the recording waits for its last step */
};

struct teeny_event {
    teeny_device *device;
    bool is_wrapped;
    bool is_timed;
    _Atomic(bool) is_recorded;
    /* It is a point in this recording, behind that step of that stream; NULL: it is none. */
    _Atomic(struct teeny_recording *) recording;
    const struct teeny_stream *stream;
    uint64_t step;
};

/* Every driver, the one that "auto" prefers first; ends with NULL. Those that are only for tests
 * come behind one that always has a device. */
extern const teeny_driver *const teeny_drivers[];
extern const teeny_driver teeny_cuda_driver;
extern const teeny_driver teeny_cpu_driver;
extern const teeny_driver teeny_emu_driver;

/* The cpu device's driver on the threads of an executor, which has been checked. */
teeny_status teeny_cpu_device_make(const teeny_executor *executor, teeny_device **out_device);

/* TEENY_INVALID_ARGUMENT: what `call` was given ("the buffer") is on `device`, its stream on
 * another one, maybe of the same name. */
teeny_status teeny_device_fail_stream(
    const char *call, const char *what, const teeny_device *device, const teeny_stream *stream);

/* One more reference to a device. */
teeny_device *teeny_device_retain(teeny_device *device);

#endif
