/* What stands around the pieces of C in docs/streams.md: generate.py puts them in, compiles the
 * program and runs it on the devices cpu and emu. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <teeny/kernel.h>
#include <teeny/teeny.h>

TEENY_KERNEL(scale, (f32 *out, const f32 *x, f32 factor, i32 n), META(BLOCK = 256), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, factor * tl_load(x, i, i < n), i < n);
});

/* Ends the program where a call failed. */
#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != TEENY_OK) {                                                                  \
            fprintf(stderr, "%s: %s\n", #call, teeny_message());                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { N = 1000, BYTES = N * (int)sizeof(float) };

static teeny_device *device;
static teeny_stream *stream, *other;
static teeny_buffer *x, *out;

static float *floats(teeny_buffer *buffer)
{
    return teeny_buffer_pointer(buffer);
}

/* pieces */

int main(void)
{
    OK(teeny_device_open("auto", &device));
    OK(teeny_stream_create(device, &stream));
    OK(teeny_stream_create(device, &other));
    OK(teeny_buffer_create(device, BYTES, &x));
    OK(teeny_buffer_create(device, BYTES, &out));
    /* calls */
    teeny_buffer_destroy(out);
    teeny_buffer_destroy(x);
    teeny_stream_destroy(other);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    return 0;
}
