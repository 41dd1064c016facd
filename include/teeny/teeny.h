/* teeny for host programs: compile captured kernels at run time and launch them on a device.
 *
 * The parts: status.h (errors), device.h, stream.h, event.h, buffer.h and graph.h (where and in
 * which order work runs, and on what), compile.h (the compiler and its cache), cache.h (the
 * cache's upkeep), embedded.h (kernels compiled ahead), kernel_file.h (kernels from text), hooks.h
 * (being told of what happens), and here functions, which are kernels loaded on a device, and their
 * launch. Valid in C and in C++; the program links libteeny, which needs libc alone.
 *
 * NULL for a pointer is TEENY_INVALID_ARGUMENT, in all of these headers, unless a function says
 * that it is allowed or what it gives for it.
 */
#ifndef TEENY_TEENY_H
#define TEENY_TEENY_H

#include <teeny/buffer.h>
#include <teeny/cache.h>
#include <teeny/compile.h>
#include <teeny/descriptor.h>
#include <teeny/device.h>
#include <teeny/embedded.h>
#include <teeny/event.h>
#include <teeny/graph.h>
#include <teeny/grid.h>
#include <teeny/hooks.h>
#include <teeny/kernel_file.h>
#include <teeny/launch.h>
#include <teeny/status.h>
#include <teeny/stream.h>

TEENY_BEGIN_C

/* A kernel with its options, loaded on a device. Never changes; thread-safe. */
typedef struct teeny_function teeny_function;

/* Compiles `kernel` (teeny_compile_kernel, for the device's target unless the options name another)
 * and loads it. `options` may be NULL; teeny_launch then uses the same function. The driver's own
 * compilation of PTX is kept beside the PTX in the cache, for this driver and chip. A shared
 * library that holds the kernel stays loaded as long as the function does. teeny_unload frees the
 * result.
 *
 * Errors: those of teeny_compile_kernel; TEENY_DRIVER_TOO_OLD, TEENY_ARTIFACT_INVALID,
 * TEENY_DEVICE_FAILED, TEENY_OUT_OF_MEMORY. */
TEENY_API teeny_status teeny_load(teeny_device *device, const teeny_kernel *kernel,
    const teeny_options *options, teeny_function **out_function);

/* Gives a function back; waits for the device's work where it was the last to use the code. NULL is
 * allowed. */
TEENY_API void teeny_unload(teeny_function *function);

/* What the function was compiled to; the function owns it. Where the cache could not be used its
 * paths name nothing, and else they may later: the code is in memory, so the cache may evict the
 * files. NULL for NULL. */
TEENY_API const teeny_artifact *teeny_function_artifact(const teeny_function *function);

/* The value that a name of the kernel's META has in this function: a grid is often computed from
 * it. Errors: TEENY_OPTION_INVALID. */
TEENY_API teeny_status teeny_function_meta(
    const teeny_function *function, const char *name, int64_t *out_value);

/* Puts a launch on the stream and returns: `arguments` is the packed struct of the kernel's
 * parameters, which is copied, and `arguments_size` its size in bytes. TEENY_LAUNCH makes both and
 * checks them at compile time. The first launch of a kernel on a device compiles and loads it with
 * default options; after that a launch costs one table lookup more than teeny_launch_function.
 *
 * On devices whose code gains by it (cuda, emu), a launch looks at its arguments: pointers that are
 * multiples of 16 bytes, integers that are multiples of 16, integers that are 1. For each such
 * combination the kernel is compiled once more, by the first launch that has it, and kept with the
 * function, up to 64 of them; later launches find it without a lock. Where that fails (there is no
 * compiler, say) the code that fits any arguments runs, and a warning is logged. Results do not
 * depend on it. teeny_options' `do_not_specialise` exempts parameters.
 *
 * Errors: TEENY_INVALID_GRID names the dimension and its limit; TEENY_INVALID_ARGUMENT where the
 * size is not the kernel's; those of teeny_load; TEENY_DEVICE_FAILED. */
TEENY_API teeny_status teeny_launch(teeny_stream *stream, const teeny_kernel *kernel,
    teeny_grid grid, const void *arguments, size_t arguments_size);

/* The same for a function that was loaded before, on a stream of the device that it is on. */
TEENY_API teeny_status teeny_launch_function(teeny_stream *stream, teeny_function *function,
    teeny_grid grid, const void *arguments, size_t arguments_size);

/* How to launch, beyond a grid. All zero is a plain launch. What is a promise to the kernel is
 * kept or refused; what only makes it faster may be ignored. A grid of no programs launches
 * nothing, and needs no promise. */
typedef struct teeny_launch_options {
    /* Programs of a cluster along x, y and z, which run at once on neighbouring multiprocessors; a
     * 0 means 1, all 0 no clusters. The grid is a multiple of it, and it has at most 8 programs, on
     * some chips 16. On cuda it takes sm_90 and CUDA 11.8. On cpu and emu it is checked and
     * ignored: no operation of the kernel language reaches into another program. */
    uint32_t cluster[3];
    /* Shared memory that each program gets and does not use, in bytes: fewer programs run at once
     * on a multiprocessor. On cpu and emu it is ignored. What a kernel needs itself it always gets,
     * also beyond 48 KiB. */
    uint32_t extra_shared_bytes;
    /* All programs run at once, so that they may wait for each other, or TEENY_INVALID_GRID where
     * they do not fit on the device (teeny_kernel_info). On cuda it takes CUDA 11.8. On cpu and
     * emu, which run one after the other, TEENY_UNSUPPORTED for more than one program. */
    bool cooperative;
    /* The launch may begin before the one ahead of it on the stream has ended, and does not see
     * what that one writes: a programmatic dependent launch, for kernels that do not depend on
     * each other, as no kernel waits for the one ahead by itself yet. On cuda it takes sm_90 and
     * CUDA 11.8. On cpu and emu it is ignored. */
    bool programmatic;
} teeny_launch_options;

/* teeny_launch and teeny_launch_function with options, which are only read during the call; NULL is
 * a plain launch. TEENY_LAUNCH_WITH and TEENY_LAUNCH_FUNCTION_WITH make and check the arguments.
 *
 * Errors also: TEENY_UNSUPPORTED where the device cannot keep a promise, TEENY_DRIVER_TOO_OLD where
 * the driver cannot, TEENY_INVALID_GRID where the grid is not a multiple of the cluster,
 * TEENY_INVALID_ARGUMENT for a cluster or for shared memory that is too large. */
TEENY_API teeny_status teeny_launch_with(teeny_stream *stream, const teeny_kernel *kernel,
    teeny_grid grid, const teeny_launch_options *options, const void *arguments,
    size_t arguments_size);
TEENY_API teeny_status teeny_launch_function_with(teeny_stream *stream, teeny_function *function,
    teeny_grid grid, const teeny_launch_options *options, const void *arguments,
    size_t arguments_size);

/* teeny_launch_function_with for a function that is to be of the kernel with this name, whatever
 * its parameters: TEENY_LAUNCH_FUNCTION and TEENY_LAUNCH_FUNCTION_WITH, which pack the arguments as
 * that kernel has them, call it. Errors also: TEENY_INVALID_ARGUMENT names both kernels where it is
 * of another. */
TEENY_API teeny_status teeny_launch_function_of(teeny_stream *stream, const char *kernel,
    teeny_function *function, teeny_grid grid, const teeny_launch_options *options,
    const void *arguments, size_t arguments_size);

/* What a loaded kernel takes. What does not exist on a device is 0 there: cpu has no registers to
 * count and no shared memory, emu no registers. */
typedef struct teeny_resources {
    uint32_t num_warps;       /* of a program; on cpu 0: a program is one thread's */
    uint32_t threads;         /* of a program; on cpu 1 */
    uint32_t max_threads;     /* that a program could have with these registers */
    uint32_t registers;       /* of a thread */
    uint32_t local_bytes;     /* of a thread: what did not fit into registers */
    uint32_t shared_bytes;    /* of a program */
    uint32_t constant_bytes;  /* of the kernel, without its arguments */
    uint64_t scratch_bytes;   /* on cpu, of each thread that runs programs */
    uint32_t active_programs; /* at once on one multiprocessor, or on one core */
    uint32_t multiprocessors; /* of the device; on cpu and emu the host's threads that it uses */
    uint32_t ptx_version;     /* 80 is the one of sm_80 */
    uint32_t binary_version;  /* 90 is sm_90's code */
} teeny_resources;

/* What the code takes that a launch with these packed arguments would run, compiling it if it is
 * the first of its kind; with NULL, the code that fits any arguments. TEENY_KERNEL_INFO packs them.
 * Thread-safe. Errors: TEENY_INVALID_ARGUMENT, TEENY_DEVICE_FAILED. */
TEENY_API teeny_status teeny_kernel_info(teeny_function *function, const void *arguments,
    size_t arguments_size, teeny_resources *out_resources);

TEENY_END_C

#endif
