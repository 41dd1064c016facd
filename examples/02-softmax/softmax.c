/* Softmax of every row of a matrix: reductions inside of a program. See README.md. */
#include <teeny/kernel.h>
#include <teeny/teeny.h>

#include "../example.h"

TEENY_DECL(enum { WIDEST_ROW = 1024 };);

/* One program a row, the whole row in one tile. Lanes behind the end hold -INFINITY: that is no
 * maximum, and its exponential, 0, adds nothing to the sum. */
TEENY_KERNEL(softmax, (f32 *out, const f32 *in, i32 columns), META(BLOCK = WIDEST_ROW), {
    const i32 first = tl_program_id(0) * columns;
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) x = tl_load(in + first, i, i < columns, -INFINITY);
    tl_tile(f32, BLOCK) e = tl_exp(x - tl_max(x));
    const f32 scale = 1.0f / tl_sum(e); /* one division a row */
    tl_store(out + first, i, e * scale, i < columns);
});

/* Against the same in double, relative to each element. */
static double largest_error(const f32 *out, const f32 *in, i32 rows, i32 columns)
{
    double error = 0;
    for (i32 row = 0; row < rows; row++, in += columns, out += columns) {
        double largest = -INFINITY, sum = 0;
        for (i32 i = 0; i < columns; i++)
            largest = fmax(largest, in[i]);
        for (i32 i = 0; i < columns; i++)
            sum += exp(in[i] - largest);
        for (i32 i = 0; i < columns; i++)
            error = example_worse(error, out[i] * sum / exp(in[i] - largest) - 1);
    }
    return error;
}

int main(void)
{
    const i32 rows = 4001, columns = 781; /* no power of two */
    const size_t elements = (size_t)rows * columns, bytes = elements * sizeof(f32);
    f32 *in = example_random(elements, 1), *out = example_poisoned(bytes);
    for (size_t i = 0; i < elements; i++)
        in[i] = 100 + 10 * in[i]; /* exp(100) is no f32: the maximum has to come off first */

    teeny_device *device;
    teeny_stream *stream;
    example_check(teeny_device_open("auto", &device));
    example_check(teeny_stream_create(device, &stream));
    teeny_buffer *device_in = example_upload(device, stream, in, bytes);
    teeny_buffer *device_out = example_upload(device, stream, out, bytes);

    double seconds = INFINITY;
    for (int repeat = 0; repeat < 10; repeat++) {
        const double start = example_seconds();
        example_check(TEENY_LAUNCH(softmax, stream, teeny_grid1(rows),
            teeny_buffer_pointer(device_out), teeny_buffer_pointer(device_in), columns));
        example_check(teeny_stream_synchronize(stream));
        seconds = fmin(seconds, example_seconds() - start);
    }
    example_check(teeny_buffer_read(stream, device_out, 0, out, bytes));

    example_report_device(device);
    example_report_kernel(device, TEENY_KERNEL_OF(softmax));
    printf("size:     %d rows of %d\n", rows, columns);
    printf("rate:     %.1f GB/s\n", 2.0 * (double)bytes / seconds / 1e9);
    const int status = example_verdict(largest_error(out, in, rows, columns), 2e-6);

    teeny_buffer_destroy(device_in);
    teeny_buffer_destroy(device_out);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    free(in);
    free(out);
    return status;
}
