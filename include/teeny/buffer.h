/* Buffers: memory of a device that knows its length, copies that stay inside of it, and memory of
 * the host that devices copy from and to without a detour.
 *
 * Kernels take plain pointers, a buffer's or anybody's: a buffer is only needed for what this
 * header does. Thread-safe; work on one buffer is ordered by the streams that it is put on.
 */
#ifndef TEENY_BUFFER_H
#define TEENY_BUFFER_H

#include <teeny/stream.h>

TEENY_BEGIN_C

/* A piece of device memory that knows its length. */
typedef struct teeny_buffer teeny_buffer;

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Allocates `size` bytes of device memory, aligned to at least 256 bytes, contents undefined;
 * teeny_buffer_destroy or teeny_buffer_destroy_async frees it. A size of 0 is allowed. Errors:
 * TEENY_OUT_OF_MEMORY. */
TEENY_API teeny_status teeny_buffer_create(
    teeny_device *device, size_t size, teeny_buffer **out_buffer);

/* The same in the order of a stream: the memory may be one that the stream's work so far frees, so
 * it is for work on this stream, or on others that wait for it. On cuda it comes from the device's
 * default memory pool where the driver (CUDA 11.2) and the device have one; elsewhere it is
 * allocated at once. TEENY_UNSUPPORTED where the stream is being captured. */
TEENY_API teeny_status teeny_buffer_create_async(
    teeny_stream *stream, size_t size, teeny_buffer **out_buffer);

/* Memory that others allocated, as a buffer: `size` bytes at `pointer`, which kernels of the device
 * can use: device memory of cuda, whoever allocated it, or on cpu and emu memory of the host. It
 * stays theirs: it must live until the buffer is destroyed, and is not freed with it. On emu, where
 * kernels may only touch buffers, this is how other memory becomes one. Errors:
 * TEENY_INVALID_ARGUMENT where the pointer is NULL and the size is not 0, where the memory would
 * end beyond the last address, and on emu where it lies across the end of another buffer. */
TEENY_API teeny_status teeny_buffer_wrap(
    teeny_device *device, void *pointer, size_t size, teeny_buffer **out_buffer);

/* Waits for all work on libteeny's streams of the device, those that are being captured aside, then
 * frees the memory; of a wrapped one it frees what libteeny knows of it, and waits on emu alone.
 * NULL is allowed. */
TEENY_API void teeny_buffer_destroy(teeny_buffer *buffer);

/* Frees the memory when all that was put on the stream so far is done, and the buffer at once.
 * Waits for nothing where the memory is that of teeny_buffer_create_async and the driver has memory
 * pools; else it may wait as teeny_buffer_destroy does. NULL for the buffer is allowed.
 * Errors, with nothing freed: TEENY_INVALID_ARGUMENT where stream and buffer are of different
 * devices, TEENY_UNSUPPORTED where the stream is being captured. */
TEENY_API teeny_status teeny_buffer_destroy_async(teeny_stream *stream, teeny_buffer *buffer);

/* The buffer's length in bytes; 0 for NULL. */
TEENY_API size_t teeny_buffer_size(const teeny_buffer *buffer);

/* The address of the buffer's first byte as kernels see it: an argument for launches. Only on cpu
 * and emu may the host use it too. Only emu checks what a kernel does with it. NULL for NULL. */
TEENY_API void *teeny_buffer_pointer(const teeny_buffer *buffer);

/* ---- The caller's allocator ------------------------------------------------------------------ */

/* Where a device's memory is to come from, such as an engine's or torch's own pool. */
typedef struct teeny_allocator {
    /* Memory of the device (on cpu and emu of the host), aligned to 256 bytes, else it is given
     * back and the call is TEENY_INVALID_ARGUMENT; NULL: there is none left. `native` is the
     * driver's stream that it is for (teeny_stream_native), or NULL where it is to be ready at
     * once. `size` is never 0. Called by any thread, by several at once, and, as `free`, never from
     * within a call that the allocator makes itself. Of libteeny it may call what a log function
     * may (teeny_log_function): all else is TEENY_IN_CALLBACK. */
    void *(*allocate)(void *user, size_t size, void *native);
    /* Frees memory that `allocate` gave; work that was put on the stream `native` before may still
     * use it, or nothing does where that is NULL. */
    void (*free)(void *user, void *pointer, size_t size, void *native);
    void *user; /* handed to both; must live until the last buffer that it gave is destroyed */
} teeny_allocator;

/* Sets where the memory of the device's buffers comes from, from now on; NULL brings the device's
 * own back. The allocator is copied; each buffer is freed by the one that it came from. The host's
 * memory that libteeny needs for itself is malloc's, and is not asked of it. Errors:
 * TEENY_INVALID_ARGUMENT where a function is NULL. */
TEENY_API teeny_status teeny_device_set_allocator(
    teeny_device *device, const teeny_allocator *allocator);

/* ---- Copies ---------------------------------------------------------------------------------- */

/* Copies `size` bytes from host memory to byte `offset` of the buffer, after the work that is on
 * the stream; when it returns the copy is done. Errors: TEENY_OUT_OF_BOUNDS names both ends where
 * the range does not lie in the buffer, and nothing is copied then; TEENY_INVALID_ARGUMENT where
 * stream and buffer are of different devices, a pointer is NULL and size is not 0, or the stream is
 * being captured. */
TEENY_API teeny_status teeny_buffer_write(
    teeny_stream *stream, teeny_buffer *buffer, size_t offset, const void *source, size_t size);

/* Copies `size` bytes from byte `offset` of the buffer to host memory; otherwise as
 * teeny_buffer_write. */
TEENY_API teeny_status teeny_buffer_read(teeny_stream *stream, const teeny_buffer *buffer,
    size_t offset, void *destination, size_t size);

/* Puts the copy on the stream and returns. The host's memory must stay, and stay as it is, until
 * the copy is done. On cuda only pinned memory (below) is copied beside other work, and only it may
 * be part of a graph. Errors: as teeny_buffer_write. */
TEENY_API teeny_status teeny_buffer_write_async(
    teeny_stream *stream, teeny_buffer *buffer, size_t offset, const void *source, size_t size);
TEENY_API teeny_status teeny_buffer_read_async(teeny_stream *stream, const teeny_buffer *buffer,
    size_t offset, void *destination, size_t size);

/* Puts a copy from buffer to buffer on the stream and returns. They may be the same buffer, and of
 * different devices: the stream must be one of a cuda device that has one of them, or of any device
 * where neither is on cuda. Errors: as teeny_buffer_write, and TEENY_INVALID_ARGUMENT where the two
 * ranges overlap. */
TEENY_API teeny_status teeny_buffer_copy(teeny_stream *stream, teeny_buffer *destination,
    size_t destination_offset, const teeny_buffer *source, size_t source_offset, size_t size);

/* Puts on the stream that `size` bytes from byte `offset` on become repetitions of a pattern of 1,
 * 2 or 4 bytes, which is copied, and returns. Offset and size are multiples of the pattern's size:
 * TEENY_INVALID_ARGUMENT; otherwise as teeny_buffer_write. */
TEENY_API teeny_status teeny_buffer_fill(teeny_stream *stream, teeny_buffer *buffer, size_t offset,
    size_t size, const void *pattern, size_t pattern_size);

/* ---- The host's memory ----------------------------------------------------------------------- */

/* Allocates `size` bytes of host memory, aligned to at least 64 bytes, that the devices of this
 * device's kind copy from and to directly: on cuda pinned, which is dear and takes memory from
 * everybody else. teeny_host_free frees it. A size of 0 is allowed. Errors: TEENY_OUT_OF_MEMORY. */
TEENY_API teeny_status teeny_host_allocate(teeny_device *device, size_t size, void **out_pointer);

/* Frees memory of teeny_host_allocate of the same device; copies to and from it must be done. NULL
 * is allowed. */
TEENY_API void teeny_host_free(teeny_device *device, void *pointer);

/* Makes memory that others allocated such memory; it must stay until teeny_host_unregister with the
 * same pointer. Errors: TEENY_INVALID_ARGUMENT for NULL or a size of 0, and on cuda where a part of
 * it is registered already; TEENY_OUT_OF_MEMORY, TEENY_DEVICE_FAILED. */
TEENY_API teeny_status teeny_host_register(teeny_device *device, void *pointer, size_t size);

/* Makes it plain memory again; copies to and from it must be done. Errors: TEENY_INVALID_ARGUMENT
 * for NULL, and on cuda where nothing is registered that begins there: cpu and emu, to which all
 * memory is alike, keep no account. TEENY_DEVICE_FAILED. */
TEENY_API teeny_status teeny_host_unregister(teeny_device *device, void *pointer);

TEENY_END_C

#endif
