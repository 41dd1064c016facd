/* teeny for host programs: compile captured kernels at run time and launch them on a device.
 *
 * The parts: status.h (errors), device.h (devices, streams, buffers), compile.h (the compiler and
 * its cache), kernel_file.h (kernels from text), hooks.h (being told of what happens), and here
 * functions, which are kernels loaded on a device, and their launch. Valid in C and in C++; the
 * program links libteeny, which needs libc alone.
 */
#ifndef TEENY_TEENY_H
#define TEENY_TEENY_H

#include <teeny/compile.h>
#include <teeny/descriptor.h>
#include <teeny/device.h>
#include <teeny/grid.h>
#include <teeny/hooks.h>
#include <teeny/kernel_file.h>
#include <teeny/launch.h>
#include <teeny/status.h>

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
 * paths name nothing. */
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

TEENY_END_C

#endif
