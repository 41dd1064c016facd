/* Devices, streams and buffers: where kernels run, in which order, and on what memory.
 *
 * Everything here is thread-safe: any thread may use any object, and streams keep the order in
 * which they were called. Objects hold on to the device that they came from, so the order in which
 * they are destroyed does not matter.
 *
 * A child process made by fork() may open devices for itself: cpu and emu at any time, cuda only
 * where its parent has not opened a cuda device before. What it has inherited from its parent it
 * can destroy and close, to no effect on the parent, and nothing else: all other calls with it fail
 * with TEENY_DEVICE_LOST.
 */
#ifndef TEENY_DEVICE_H
#define TEENY_DEVICE_H

#include <stddef.h>
#include <stdint.h>
#include <teeny/status.h>

TEENY_BEGIN_C

/* What runs kernels. Opened by name, shared: a name opened twice is one device. */
typedef struct teeny_device teeny_device;

/* An ordered queue of launches and copies on a device. */
typedef struct teeny_stream teeny_stream;

/* A piece of device memory that knows its length. */
typedef struct teeny_buffer teeny_buffer;

/* Opens a device and hands out one reference to it, which teeny_device_close gives back.
 *
 * name: "cuda:N", the N-th GPU of the driver, from 0, and "cuda" the first; "cpu", the cores that
 * this process may use, as many as TEENY_CPU_THREADS allows; "auto", the device that
 * TEENY_AUTO_DEVICE names, else cuda:0 where there is one and cpu elsewhere; "emu", for tests: the
 * code for a GPU on the host, slowly, where a launch fails with TEENY_DEVICE_FAILED and the user's
 * line when a thread leaves its buffers, races with another, or waits in vain for one. Errors:
 * TEENY_UNKNOWN_DEVICE, TEENY_NO_DRIVER, TEENY_NO_DEVICE. */
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

/* The name that opens exactly this device: "cpu", "emu" or "cuda:N". The device
 * owns the string. */
TEENY_API const char *teeny_device_name(const teeny_device *device);

/* What the hardware calls itself, such as "NVIDIA H200". The device owns the string. */
TEENY_API const char *teeny_device_model(const teeny_device *device);

/* The target that kernels are compiled for by default, such as "sm_90" or "cpu". The device owns
 * the string. */
TEENY_API const char *teeny_device_target(const teeny_device *device);

/* Makes a stream; teeny_stream_destroy frees it. */
TEENY_API teeny_status teeny_stream_create(teeny_device *device, teeny_stream **out_stream);

/* Waits for the stream's work, then frees it; NULL is allowed. */
TEENY_API void teeny_stream_destroy(teeny_stream *stream);

/* Waits until all that was put on the stream is done; on cpu the calling thread runs programs of it
 * meanwhile, as one of the device's threads. Reports what went wrong on the device since
 * the last such call (TEENY_DEVICE_FAILED, TEENY_OUT_OF_MEMORY). */
TEENY_API teeny_status teeny_stream_synchronize(teeny_stream *stream);

/* The stream as the device's own driver knows it, to order other libraries' work with it: on cuda
 * the driver's stream handle, NULL elsewhere and for NULL. It lives as long as the stream. */
TEENY_API void *teeny_stream_native(const teeny_stream *stream);

/* Allocates `size` bytes of device memory, aligned to at least 256 bytes, contents undefined;
 * teeny_buffer_destroy frees it. A size of 0 is allowed. Errors: TEENY_OUT_OF_MEMORY. */
TEENY_API teeny_status teeny_buffer_create(
    teeny_device *device, size_t size, teeny_buffer **out_buffer);

/* Waits for all work of the device, then frees the memory; NULL is allowed. */
TEENY_API void teeny_buffer_destroy(teeny_buffer *buffer);

/* The buffer's length in bytes. */
TEENY_API size_t teeny_buffer_size(const teeny_buffer *buffer);

/* The address of the buffer's first byte as kernels see it: an argument for launches. Only on cpu
 * and emu may the host use it too. Only emu checks what a kernel does with it. */
TEENY_API void *teeny_buffer_pointer(const teeny_buffer *buffer);

/* Copies `size` bytes from host memory to byte `offset` of the buffer, after the work that is on
 * the stream; when it returns the copy is done. Errors: TEENY_OUT_OF_BOUNDS names both ends where
 * the range does not lie in the buffer, and nothing is copied then; TEENY_INVALID_ARGUMENT where
 * stream and buffer are of different devices, or a pointer is NULL and size is not 0. */
TEENY_API teeny_status teeny_buffer_write(
    teeny_stream *stream, teeny_buffer *buffer, size_t offset, const void *source, size_t size);

/* Copies `size` bytes from byte `offset` of the buffer to host memory; otherwise as
 * teeny_buffer_write. */
TEENY_API teeny_status teeny_buffer_read(teeny_stream *stream, const teeny_buffer *buffer,
    size_t offset, void *destination, size_t size);

TEENY_END_C

#endif
