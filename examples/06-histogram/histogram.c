/* A histogram without atomics: a partial one a program, then their sum. See README.md. */
#include <teeny/kernel.h>
#include <teeny/teeny.h>

#include "../example.h"

TEENY_DECL(enum { MOST_BINS = 128, VALUES_A_PROGRAM = 8192 };);

/* One program counts CHUNK values. A tile of values beside a tile of bins gives a tile of
 * comparisons, and its count along the values is a number for each bin. A value outside of the bins
 * equals none of them. */
TEENY_KERNEL(count_chunks, (i32 *partial, const i32 *values, i32 n),
    META(BINS = MOST_BINS, CHUNK = VALUES_A_PROGRAM, BLOCK = 64), {
    const i32 begin = tl_program_id(0) * CHUNK;
    tl_tile(i32, BINS) bin = tl_arange(0, BINS);
    tl_tile(i32, BINS) count = tl_zeros(i32, BINS);
    for (i32 first = begin; first < begin + CHUNK && first < n; first += BLOCK) {
        tl_tile(i32, BLOCK) i = first + tl_arange(0, BLOCK);
        tl_tile(i32, BLOCK) value = tl_load(values, i, i < n, -1);
        count += tl_count(tl_expand(value, 1, BINS) == tl_expand(bin, 0, BLOCK), 0, BINS);
    }
    tl_store(partial, tl_program_id(0) * BINS + bin, count);
});

/* One program sums BLOCK bins over all partial histograms. */
TEENY_KERNEL(sum_partials, (i32 *histogram, const i32 *partial, i32 partials, i32 bins),
    META(BINS = MOST_BINS, BLOCK = 32), {
    tl_tile(i32, BLOCK) bin = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_tile(i32, BLOCK) count = tl_zeros(i32, BLOCK);
    for (i32 i = 0; i < partials; i++)
        count += tl_load(partial, i * BINS + bin);
    tl_store(histogram, bin, count, bin < bins);
});

/* Values from 0 to bins - 1, the middle ones most often, and a few that have no bin. */
static i32 *random_values(i32 n, i32 bins)
{
    f32 *x = example_random((size_t)n, 1), *y = example_random((size_t)n, 2);
    i32 *values = example_memory((size_t)n * sizeof *values);
    for (i32 i = 0; i < n; i++)
        values[i] = (i32)floorf((x[i] + y[i] + 2) / 4 * (f32)(bins + 4)) - 2;
    free(x);
    free(y);
    return values;
}

/* The largest difference from plain C, in counts. */
static double largest_error(const i32 *histogram, const i32 *values, i32 n, i32 bins)
{
    double error = 0;
    i32 *expected = calloc((size_t)bins, sizeof *expected);
    for (i32 i = 0; i < n; i++)
        if (values[i] >= 0 && values[i] < bins)
            expected[values[i]]++;
    for (i32 bin = 0; bin < bins; bin++)
        error = example_worse(error, (double)histogram[bin] - expected[bin]);
    free(expected);
    return error;
}

int main(void)
{
    const i32 n = 1000003, bins = 100; /* no multiples of the blocks */
    const i32 programs = (n + VALUES_A_PROGRAM - 1) / VALUES_A_PROGRAM;
    const size_t values_bytes = (size_t)n * sizeof(i32), bytes = (size_t)bins * sizeof(i32);
    const size_t partial_bytes = (size_t)programs * MOST_BINS * sizeof(i32);
    i32 *values = random_values(n, bins), *histogram = example_poisoned(bytes);
    i32 *poison = example_poisoned(partial_bytes);

    teeny_device *device;
    teeny_stream *stream;
    example_check(teeny_device_open("auto", &device));
    example_check(teeny_stream_create(device, &stream));
    teeny_buffer *device_values = example_upload(device, stream, values, values_bytes);
    teeny_buffer *device_partial = example_upload(device, stream, poison, partial_bytes);
    teeny_buffer *device_histogram = example_upload(device, stream, histogram, bytes);

    double seconds = INFINITY;
    for (int repeat = 0; repeat < 10; repeat++) {
        const double start = example_seconds();
        /* On one stream, so the second kernel starts when the first is done. */
        example_check(TEENY_LAUNCH(count_chunks, stream, teeny_grid1(programs),
            teeny_buffer_pointer(device_partial), teeny_buffer_pointer(device_values), n));
        example_check(TEENY_LAUNCH(sum_partials, stream, teeny_grid1((bins + 31) / 32),
            teeny_buffer_pointer(device_histogram), teeny_buffer_pointer(device_partial), programs,
            bins));
        example_check(teeny_stream_synchronize(stream));
        seconds = fmin(seconds, example_seconds() - start);
    }
    example_check(teeny_buffer_read(stream, device_histogram, 0, histogram, bytes));

    example_report_device(device);
    example_report_kernel(device, TEENY_KERNEL_OF(count_chunks));
    example_report_kernel(device, TEENY_KERNEL_OF(sum_partials));
    printf("size:     %d values, %d bins\n", n, bins);
    printf("rate:     %.2f billion values/s\n", n / seconds / 1e9);
    const int status = example_verdict(largest_error(histogram, values, n, bins), 0);

    teeny_buffer_destroy(device_values);
    teeny_buffer_destroy(device_partial);
    teeny_buffer_destroy(device_histogram);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    free(values);
    free(histogram);
    free(poison);
    return status;
}
