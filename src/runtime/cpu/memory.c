/* The cpu device's memory, which is the host's, and what its threads do with it in a stream's
 * order: copies and fills in pieces, calls of the host's functions. */
#include "runtime/callback.h"
#include "runtime/cpu/cpu.h"
#include "runtime/host_memory.h"
#include "runtime/report.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 1 << 20 };

void teeny_cpu_memory_free(teeny_device *device, void *pointer)
{
    teeny_pool_wait_all(teeny_cpu_pool(device));
    free(pointer);
}

teeny_status teeny_cpu_memory_allocate_async(teeny_stream *stream, size_t size, void **out_pointer)
{
    return teeny_host_memory_allocate(stream->device, size, out_pointer);
}

/* ---- In a stream's order --------------------------------------------------------------------- */

static teeny_status submit(teeny_stream *stream, teeny_pool_call *call, uint64_t pieces,
    const void *arguments, size_t size)
{
    if (teeny_pool_submit_call(
            teeny_cpu_pool(stream->device), teeny_cpu_queue(stream), call, pieces, arguments, size))
        return TEENY_OK;
    return teeny_fail_memory();
}

static uint64_t pieces_of(size_t size)
{
    return (size + PIECE_BYTES - 1) / PIECE_BYTES;
}

/* The bytes of pieces first to last - 1. */
static size_t range_of(size_t size, uint64_t first, uint64_t last, size_t *out_begin)
{
    *out_begin = first * PIECE_BYTES;
    return (last * PIECE_BYTES < size ? last * PIECE_BYTES : size) - *out_begin;
}

struct copy {
    char *to;
    const char *from;
    size_t size;
};

static void do_copy(void *arguments, uint64_t first, uint64_t last)
{
    const struct copy *copy = arguments;
    size_t begin, size = range_of(copy->size, first, last, &begin);
    memcpy(copy->to + begin, copy->from + begin, size);
}

teeny_status teeny_cpu_copy(
    teeny_stream *stream, const teeny_place *destination, const teeny_place *source, size_t size)
{
    const struct copy copy = {destination->pointer, source->pointer, size};
    return submit(stream, do_copy, pieces_of(size), &copy, sizeof copy);
}

static void do_fill(void *arguments, uint64_t first, uint64_t last)
{
    teeny_fill part = *(const teeny_fill *)arguments;
    size_t begin;
    part.size = range_of(part.size, first, last, &begin);
    part.pointer = (char *)part.pointer + begin;
    teeny_fill_host(&part);
}

teeny_status teeny_cpu_fill(teeny_stream *stream, const teeny_fill *fill)
{
    return submit(stream, do_fill, pieces_of(fill->size), fill, sizeof *fill);
}

struct call {
    void (*function)(void *user);
    void *user;
};

static void do_call(void *arguments, uint64_t first, uint64_t last)
{
    const struct call *call = arguments;
    (void)first;
    (void)last;
    teeny_callback before = teeny_callback_begin(TEENY_CALLBACK_STREAM);
    call->function(call->user);
    teeny_callback_end(before);
}

teeny_status teeny_cpu_call(teeny_stream *stream, void (*function)(void *user), void *user)
{
    const struct call call = {function, user};
    return submit(stream, do_call, 1, &call, sizeof call);
}

teeny_status teeny_cpu_memory_free_async(teeny_stream *stream, void *pointer)
{
    return teeny_cpu_call(stream, free, pointer);
}
