/* Devices: where kernels run. What runs there and on what: stream.h, buffer.h, event.h, graph.h.
 *
 * Everything in these headers is thread-safe: any thread may use any object, and streams keep the
 * order in which they were called. Objects hold on to the device that they came from, so the order
 * in which they are destroyed does not matter.
 *
 * A child process made by fork() may open devices for itself: cpu and emu at any time, cuda only
 * where its parent has not opened a cuda device before. What it has inherited from its parent it
 * can destroy and close, to no effect on the parent, and nothing else: all other calls with it fail
 * with TEENY_DEVICE_LOST. What belongs to work that was under way, such as the arguments of its
 * launches, stays allocated in the child.
 *
 * On cuda the context is the device's primary one, which the CUDA runtime, cuBLAS, cuDNN and torch
 * use too: their pointers, streams and events are libteeny's, and the other way round. The context
 * that is current before a call is current after it.
 */
#ifndef TEENY_DEVICE_H
#define TEENY_DEVICE_H

#include <stddef.h>
#include <stdint.h>
#include <teeny/status.h>

TEENY_BEGIN_C

/* What runs kernels. Opened by name, shared: a name opened twice is one device. */
typedef struct teeny_device teeny_device;

/* Opens a device and hands out one reference to it, which teeny_device_close gives back.
 *
 * name: "cuda:N", the N-th GPU of the driver, from 0, and "cuda" the first; "cpu", the cores that
 * this process may use, as many as TEENY_CPU_THREADS allows; "auto", the device that
 * TEENY_AUTO_DEVICE names, else cuda:0 where there is one and cpu elsewhere; "emu", for tests: the
 * code for a GPU on the host, slowly, where a launch fails with TEENY_DEVICE_FAILED and the user's
 * line when a thread leaves its buffers, races with another, or waits in vain for one. Errors:
 * TEENY_UNKNOWN_DEVICE, TEENY_NO_DRIVER, TEENY_NO_DEVICE; TEENY_OPTION_INVALID where
 * TEENY_CPU_THREADS or TEENY_EMU_SEED is no such number; TEENY_OUT_OF_MEMORY. */
TEENY_API teeny_status teeny_device_open(const char *name, teeny_device **out_device);

/* Threads of the host program that the device cpu is to use in place of its own. */
typedef struct teeny_executor {
    /* Sees to it that task(argument) is called `count` times, each call once, on any threads, at
     * once or one after the other, before or after this returns: it may run them all itself, or
     * hand them to a pool. It must not drop one. It is called by any thread that uses the device,
     * also from within a task, and by several at once. A task ends when there is nothing left to
     * do; it does not wait for others. */
    void (*run)(void *user, unsigned count, void (*task)(void *argument), void *argument);
    void *user;       /* handed to `run`; must live until the device is freed */
    unsigned threads; /* the most tasks that are to run at once, at least 1 */
} teeny_executor;

/* Opens a device cpu of its own whose kernels run on the executor's threads, which is copied;
 * teeny_device_close gives it back. No thread is started, and teeny_device_open("cpu") does not
 * find it. A thread in teeny_stream_synchronize works on the stream meanwhile, so any of the
 * executor's may call it; what destroys or closes only waits, for tasks on other threads. Errors:
 * TEENY_INVALID_ARGUMENT, TEENY_OUT_OF_MEMORY. */
TEENY_API teeny_status teeny_device_open_on(
    const teeny_executor *executor, teeny_device **out_device);

/* Gives a reference back; NULL is allowed. With the last reference, those of streams, buffers and
 * functions included, all that the device holds is freed. */
TEENY_API void teeny_device_close(teeny_device *device);

/* The name that opens exactly this device: "cpu", "emu" or "cuda:N"; of teeny_device_open_on "cpu"
 * too, which opens another one. The device owns the string. NULL for NULL, as the two below. */
TEENY_API const char *teeny_device_name(const teeny_device *device);

/* What the hardware calls itself, such as "NVIDIA H200". The device owns the string. */
TEENY_API const char *teeny_device_model(const teeny_device *device);

/* The target that kernels are compiled for by default, such as "sm_90" or "cpu". The device owns
 * the string. */
TEENY_API const char *teeny_device_target(const teeny_device *device);

/* How many devices of a kind there are: of "cuda" those that the driver finds, of "cpu" and "emu"
 * one. They are "cuda:0" up to "cuda:N-1". No driver at all is 0 devices. Errors:
 * TEENY_UNKNOWN_DEVICE, TEENY_INVALID_ARGUMENT. */
TEENY_API teeny_status teeny_device_count(const char *kind, int *out_count);

/* Makes the device's context the calling thread's current one, and leaves it that, as
 * cudaSetDevice does; on cpu and emu it does nothing. No call needs it: every other call makes the
 * context current for as long as it lasts, and then puts back what was current, also where nothing
 * was. A thread that launches much saves that way two calls of the driver a launch. Errors:
 * TEENY_DEVICE_FAILED. */
TEENY_API teeny_status teeny_device_make_current(teeny_device *device);

/* Lets kernels of `device` read and write memory of `peer`, from now on and for the life of both
 * contexts; copies between devices do without. Devices that share the host's memory, and a device
 * with itself, always can. Errors: TEENY_UNSUPPORTED where the hardware has no way there;
 * TEENY_DEVICE_FAILED. */
TEENY_API teeny_status teeny_device_access(teeny_device *device, teeny_device *peer);

TEENY_END_C

#endif
