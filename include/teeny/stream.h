/* Streams: in which order launches, copies and calls run.
 *
 * What is put on one stream runs in that order; streams run beside each other, unless one waits
 * for an event of another (event.h). Every call that puts something on a stream may return before
 * it is done; on emu everything is done at once.
 */
#ifndef TEENY_STREAM_H
#define TEENY_STREAM_H

#include <stdbool.h>
#include <teeny/device.h>

TEENY_BEGIN_C

/* An ordered queue of work on a device. */
typedef struct teeny_stream teeny_stream;

/* What kind of stream; all zero is what teeny_stream_create makes. */
typedef struct teeny_stream_options {
    /* Lower runs first, 0 is the plain one; what is outside of the device's range counts as its
     * nearest end. A hint: work that has begun is not interrupted. */
    int priority;
    /* On cuda: takes turns with the legacy default stream, as streams of cudaStreamCreate do. Else
     * the two run beside each other. */
    bool blocking;
} teeny_stream_options;

/* The default streams of CUDA, for teeny_stream_wrap. */
#define TEENY_STREAM_LEGACY ((void *)1)     /* the one of all threads; NULL means it too */
#define TEENY_STREAM_PER_THREAD ((void *)2) /* the calling thread's own, at every call anew */

/* Makes a stream; teeny_stream_destroy frees it. Errors: TEENY_OUT_OF_MEMORY,
 * TEENY_DEVICE_FAILED. */
TEENY_API teeny_status teeny_stream_create(teeny_device *device, teeny_stream **out_stream);

/* The same with options, which are only read during the call; NULL: the defaults. */
TEENY_API teeny_status teeny_stream_create_with(
    teeny_device *device, const teeny_stream_options *options, teeny_stream **out_stream);

/* The range of priorities: on cuda often 0 and -5, on cpu 0 and -1, on emu 0 and 0. Either pointer
 * may be NULL. Errors: TEENY_DEVICE_FAILED. */
TEENY_API teeny_status teeny_stream_priorities(
    teeny_device *device, int *out_least, int *out_greatest);

/* A stream of the driver's, made by others, as one of libteeny's: on cuda a stream handle of the
 * driver's or of the CUDA runtime's, of this device, such as torch's current stream, or a default
 * stream. It stays theirs: it must live until the teeny_stream is destroyed, and is not destroyed
 * with it. One that is being captured into a graph stays whole: launches and copies on it become
 * part of that graph, the first launch of a kernel included. What teeny_load loaded must then stay
 * loaded as long as that graph is launched; kernels of TEENY_LAUNCH stay with the device. Errors:
 * TEENY_UNSUPPORTED on cpu and emu, which have no such streams; TEENY_INVALID_ARGUMENT where it is
 * another device's. */
TEENY_API teeny_status teeny_stream_wrap(
    teeny_device *device, void *native, teeny_stream **out_stream);

/* Waits for the stream's work, then frees it. Of a wrapped one it only forgets what it knows, and
 * waits for nothing: buffers and functions that work on it still uses are not to be destroyed
 * before that work is done. NULL is allowed. A capture of libteeny's that it is part of fails. */
TEENY_API void teeny_stream_destroy(teeny_stream *stream);

/* Waits until all that was put on the stream is done; on cpu the calling thread runs programs of it
 * meanwhile, as one of the device's threads. Reports what went wrong on the device since
 * the last such call (TEENY_DEVICE_FAILED, TEENY_OUT_OF_MEMORY). TEENY_INVALID_ARGUMENT where the
 * stream is being captured: there is nothing to wait for, and the capture stays whole. */
TEENY_API teeny_status teeny_stream_synchronize(teeny_stream *stream);

/* Whether all that was put on the stream is done. Does not wait. Errors: as
 * teeny_stream_synchronize. */
TEENY_API teeny_status teeny_stream_query(teeny_stream *stream, bool *out_done);

/* Calls function(user) when all that was put on the stream before is done, and before what is put
 * on it later, on a thread of libteeny's or the driver's, or this one. The function holds the
 * stream up as long as it runs. It must not call the driver, nor libteeny, but for what a log
 * function may call (teeny_log_function): all else is TEENY_IN_CALLBACK there, on cuda what the
 * driver says, or does nothing where it returns no status, and is told to the log. In a graph it is
 * called at each launch of it. */
TEENY_API teeny_status teeny_stream_call(
    teeny_stream *stream, void (*function)(void *user), void *user);

/* The device that the stream is on; the stream holds on to it. NULL for NULL. */
TEENY_API teeny_device *teeny_stream_device(const teeny_stream *stream);

/* The stream as the device's own driver knows it, to order other libraries' work with it: on cuda
 * the driver's stream handle, NULL elsewhere and for NULL. It lives as long as the stream. */
TEENY_API void *teeny_stream_native(const teeny_stream *stream);

TEENY_END_C

#endif
