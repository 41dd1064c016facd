#include "kernels.h" /* teenyc wrote it */

#include <stdio.h>

enum { N = 1000 };

static teeny_status run(teeny_stream *stream, teeny_buffer *buffer, float *numbers)
{
    f32 *x = teeny_buffer_pointer(buffer);
    teeny_grid grid = teeny_grid1((N + scale_BLOCK - 1) / scale_BLOCK);
    teeny_status status = teeny_buffer_write(stream, buffer, 0, numbers, N * sizeof *numbers);
    if (status == TEENY_OK)
        status = scale_launch(stream, grid, x, x, 3, N);
    if (status == TEENY_OK)
        status = teeny_buffer_read(stream, buffer, 0, numbers, N * sizeof *numbers);
    return status;
}

int main(void)
{
    float numbers[N];
    teeny_device *device;
    teeny_stream *stream;
    teeny_buffer *buffer;
    for (int i = 0; i < N; i++)
        numbers[i] = (float)i;
    if (teeny_device_open("auto", &device) != TEENY_OK ||
        teeny_stream_create(device, &stream) != TEENY_OK ||
        teeny_buffer_create(device, sizeof numbers, &buffer) != TEENY_OK ||
        run(stream, buffer, numbers) != TEENY_OK) {
        fprintf(stderr, "%s\n", teeny_message());
        return 1;
    }
    printf("%g\n", (double)numbers[999]);
    teeny_buffer_destroy(buffer);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    return 0;
}
