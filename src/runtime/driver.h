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

#include <teeny/teeny.h>

/* Compiled code, loaded on a device. */
typedef struct teeny_code {
    teeny_device *device;
} teeny_code;

typedef struct teeny_driver {
    const char *name;      /* "cuda" */
    const char *targets;   /* how the names of its targets begin: "sm_" */
    bool specialises;      /* its code gains by what is known of arguments */
    bool numbered;         /* devices are "cuda:0", "cuda:1", ...; else there is one, "cpu" */
    teeny_grid grid_limit; /* the most programs along each dimension */
    int64_t program_limit; /* and in all */

    /* `out_device` has the driver's part filled in, with model and target. */
    teeny_status (*device_open)(int number, teeny_device **out_device);
    void (*device_close)(teeny_device *device);
    void (*device_synchronize)(teeny_device *device);

    teeny_status (*stream_create)(teeny_device *device, teeny_stream **out_stream);
    void (*stream_destroy)(teeny_stream *stream);
    teeny_status (*stream_synchronize)(teeny_stream *stream);
    void *(*stream_native)(const teeny_stream *stream); /* NULL: there is nothing behind it */

    teeny_status (*memory_allocate)(teeny_device *device, size_t size, void **out_pointer);
    void (*memory_free)(teeny_device *device, void *pointer);
    teeny_status (*copy_to_device)(
        teeny_stream *stream, void *destination, const void *source, size_t size);
    teeny_status (*copy_from_device)(
        teeny_stream *stream, void *destination, const void *source, size_t size);

    /* The artifact is only read during the call. */
    teeny_status (*code_load)(
        teeny_device *device, const teeny_artifact *artifact, teeny_code **out_code);
    void (*code_unload)(teeny_code *code);
    teeny_status (*launch)(
        teeny_stream *stream, teeny_code *code, const teeny_grid *grid, const void *arguments);
} teeny_driver;

struct teeny_device {
    const teeny_driver *driver;
    int number;
    char name[32];
    char model[128];
    char target[16];
    bool is_private;            /* not to be found by its name */
    size_t references;          /* guarded by the registry's mutex (device.c) */
    struct teeny_device *next;  /* of all devices of this process */
    teeny_function_table table; /* functions with default options, by kernel */
};

struct teeny_stream {
    teeny_device *device;
};

/* Every driver, the one that "auto" prefers first; ends with NULL. Those that are only for tests
 * come behind one that always has a device. */
extern const teeny_driver *const teeny_drivers[];
extern const teeny_driver teeny_cuda_driver;
extern const teeny_driver teeny_cpu_driver;
extern const teeny_driver teeny_emu_driver;

/* The cpu device's driver on the threads of an executor, which has been checked. */
teeny_status teeny_cpu_device_make(const teeny_executor *executor, teeny_device **out_device);

/* One more reference to a device. */
teeny_device *teeny_device_retain(teeny_device *device);

#endif
