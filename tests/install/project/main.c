/* Scales numbers by 3 on a device; valid as C and as C++. */
#include "kernels.h"

#include <stdio.h>

enum { N = 1000, BLOCK = 128 };

int main(int count, char **words)
{
    float x[N], out[N];
    teeny_device *device;
    teeny_stream *stream;
    teeny_buffer *from, *to;
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    if (teeny_device_open(count > 1 ? words[1] : "cpu", &device) != TEENY_OK ||
        teeny_stream_create(device, &stream) != TEENY_OK ||
        teeny_buffer_create(device, sizeof x, &from) != TEENY_OK ||
        teeny_buffer_create(device, sizeof out, &to) != TEENY_OK ||
        teeny_buffer_write(stream, from, 0, x, sizeof x) != TEENY_OK ||
        TEENY_LAUNCH(scale, stream, teeny_grid1((N + BLOCK - 1) / BLOCK),
            (f32 *)teeny_buffer_pointer(to), (const f32 *)teeny_buffer_pointer(from),
            N) != TEENY_OK ||
        teeny_buffer_read(stream, to, 0, out, sizeof out) != TEENY_OK) {
        fprintf(stderr, "%s\n", teeny_message());
        return 1;
    }
    for (int i = 0; i < N; i++)
        if (out[i] != 3 * x[i])
            return 2;
    teeny_buffer_destroy(from);
    teeny_buffer_destroy(to);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    puts("right");
    return 0;
}
