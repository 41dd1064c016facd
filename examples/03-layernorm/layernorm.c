/* Layer normalisation of every row of a matrix, with weight and bias. See README.md. */
#include <teeny/kernel.h>
#include <teeny/teeny.h>

#include "../example.h"

TEENY_DECL(enum { WIDEST_ROW = 2048 };);

/* One program a row, the whole row in one tile. A lane behind the end loads 0, which adds nothing
 * to the sum; its distance from the mean would, so that is made 0 too. */
TEENY_KERNEL(layernorm, (f32 *out, const f32 *in, const f32 *weight, const f32 *bias, i32 columns,
    f32 epsilon), META(BLOCK = WIDEST_ROW), {
    const i32 first = tl_program_id(0) * columns;
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) x = tl_load(in + first, i, i < columns);
    const f32 mean = tl_sum(x) / (f32)columns;
    tl_tile(f32, BLOCK) distance = tl_where(i < columns, x - mean, 0.0f);
    const f32 variance = tl_sum(distance * distance) / (f32)columns;
    const f32 scale = tl_rsqrt(variance + epsilon);
    tl_tile(f32, BLOCK) w = tl_load(weight, i, i < columns);
    tl_tile(f32, BLOCK) b = tl_load(bias, i, i < columns);
    tl_store(out + first, i, distance * scale * w + b, i < columns);
});

/* Against the same in double. Elements are of size 1, so the error is absolute. */
static double largest_error(const f32 *out, const f32 *in, const f32 *weight, const f32 *bias,
    i32 rows, i32 columns, f32 epsilon)
{
    double error = 0;
    for (i32 row = 0; row < rows; row++, in += columns, out += columns) {
        double sum = 0, squares = 0;
        for (i32 i = 0; i < columns; i++)
            sum += in[i];
        const double mean = sum / columns;
        for (i32 i = 0; i < columns; i++)
            squares += (in[i] - mean) * (in[i] - mean);
        const double scale = 1 / sqrt(squares / columns + epsilon);
        for (i32 i = 0; i < columns; i++)
            error = example_worse(error, out[i] - ((in[i] - mean) * scale * weight[i] + bias[i]));
    }
    return error;
}

int main(void)
{
    const i32 rows = 2003, columns = 1531; /* no power of two */
    const f32 epsilon = 1e-5f;
    const size_t elements = (size_t)rows * columns;
    const size_t bytes = elements * sizeof(f32), row_bytes = (size_t)columns * sizeof(f32);
    f32 *in = example_random(elements, 1), *out = example_poisoned(bytes);
    f32 *weight = example_random((size_t)columns, 2), *bias = example_random((size_t)columns, 3);

    teeny_device *device;
    teeny_stream *stream;
    example_check(teeny_device_open("auto", &device));
    example_check(teeny_stream_create(device, &stream));
    teeny_buffer *device_in = example_upload(device, stream, in, bytes);
    teeny_buffer *device_out = example_upload(device, stream, out, bytes);
    teeny_buffer *device_weight = example_upload(device, stream, weight, row_bytes);
    teeny_buffer *device_bias = example_upload(device, stream, bias, row_bytes);

    double seconds = INFINITY;
    for (int repeat = 0; repeat < 10; repeat++) {
        const double start = example_seconds();
        example_check(TEENY_LAUNCH(layernorm, stream, teeny_grid1(rows),
            teeny_buffer_pointer(device_out), teeny_buffer_pointer(device_in),
            teeny_buffer_pointer(device_weight), teeny_buffer_pointer(device_bias), columns,
            epsilon));
        example_check(teeny_stream_synchronize(stream));
        seconds = fmin(seconds, example_seconds() - start);
    }
    example_check(teeny_buffer_read(stream, device_out, 0, out, bytes));

    example_report_device(device);
    example_report_kernel(device, TEENY_KERNEL_OF(layernorm));
    printf("size:     %d rows of %d\n", rows, columns);
    printf("rate:     %.1f GB/s\n", 2.0 * (double)bytes / seconds / 1e9);
    const int status =
        example_verdict(largest_error(out, in, weight, bias, rows, columns, epsilon), 2e-6);

    teeny_buffer_destroy(device_in);
    teeny_buffer_destroy(device_out);
    teeny_buffer_destroy(device_weight);
    teeny_buffer_destroy(device_bias);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    free(in);
    free(out);
    free(weight);
    free(bias);
    return status;
}
