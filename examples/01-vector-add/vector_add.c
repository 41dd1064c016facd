/* The first kernel: out = x + y, on the best device there is. See README.md beside this file. */
#include <teeny/kernel.h>
#include <teeny/teeny.h>

#include "../example.h"

/* Captured for kernels, and plain C for the host, which computes the grid from it. */
TEENY_DECL(enum { ELEMENTS_A_PROGRAM = 1024 };);

/* One program adds BLOCK elements. Lanes from n on are masked off: they touch no memory. */
TEENY_KERNEL(vector_add, (f32 *out, const f32 *x, const f32 *y, i32 n), META(BLOCK = ELEMENTS_A_PROGRAM), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i, i < n) + tl_load(y, i, i < n), i < n);
});

/* Against plain C: the sum is exact to the bit. */
static double largest_error(const f32 *out, const f32 *x, const f32 *y, i32 n)
{
    double error = 0;
    for (i32 i = 0; i < n; i++)
        error = example_worse(error, out[i] - (x[i] + y[i]));
    return error;
}

int main(void)
{
    const i32 n = 10000001; /* no multiple of the block */
    const size_t bytes = (size_t)n * sizeof(f32);
    f32 *x = example_random(n, 1), *y = example_random(n, 2), *out = example_poisoned(bytes);

    teeny_device *device;
    teeny_stream *stream;
    example_check(teeny_device_open("auto", &device));
    example_check(teeny_stream_create(device, &stream));
    teeny_buffer *device_x = example_upload(device, stream, x, bytes);
    teeny_buffer *device_y = example_upload(device, stream, y, bytes);
    teeny_buffer *device_out = example_upload(device, stream, out, bytes);

    /* The first launch compiles, or finds the kernel in the cache. */
    const teeny_grid grid = teeny_grid1((n + ELEMENTS_A_PROGRAM - 1) / ELEMENTS_A_PROGRAM);
    double seconds = INFINITY;
    for (int repeat = 0; repeat < 10; repeat++) {
        const double start = example_seconds();
        example_check(TEENY_LAUNCH(vector_add, stream, grid, teeny_buffer_pointer(device_out),
            teeny_buffer_pointer(device_x), teeny_buffer_pointer(device_y), n));
        example_check(teeny_stream_synchronize(stream));
        seconds = fmin(seconds, example_seconds() - start);
    }
    example_check(teeny_buffer_read(stream, device_out, 0, out, bytes));

    example_report_device(device);
    example_report_kernel(device, TEENY_KERNEL_OF(vector_add));
    printf("size:     %d elements\n", n);
    printf("rate:     %.1f GB/s\n", 3.0 * (double)bytes / seconds / 1e9);
    const int status = example_verdict(largest_error(out, x, y, n), 0);

    teeny_buffer_destroy(device_x);
    teeny_buffer_destroy(device_y);
    teeny_buffer_destroy(device_out);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    free(x);
    free(y);
    free(out);
    return status;
}
