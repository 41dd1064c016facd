/* C = A B in half precision, summed in single: by pointers, and by tensors. See README.md. */
#include <teeny/kernel.h>
#include <teeny/teeny.h>

#include "../example.h"

TEENY_DECL(enum { TILE_M = 128, TILE_N = 128, TILE_K = 64 };);

/* By pointers: the kernel computes every address, and masks what lies outside of the matrices. One
 * program makes a block of BM x BN elements of C, from BM rows of A and BN columns of B. */
TEENY_KERNEL(matmul_pointers, (f16 *c, const f16 *a, const f16 *b, i32 m, i32 n, i32 k),
    META(BM = TILE_M, BN = TILE_N, BK = TILE_K), {
    tl_tile(i32, BM) i = tl_program_id(0) * BM + tl_arange(0, BM);
    tl_tile(i32, BN) j = tl_program_id(1) * BN + tl_arange(0, BN);
    tl_tile(f32, BM, BN) sum = tl_zeros(f32, BM, BN);
    for (i32 first = 0; first < k; first += BK) {
        tl_tile(i32, BK) l = first + tl_arange(0, BK);
        tl_tile(i32, BM, BK) a_row = tl_expand(i, 1, BK);
        tl_tile(i32, BM, BK) a_column = tl_expand(l, 0, BM);
        tl_tile(i32, BK, BN) b_row = tl_expand(l, 1, BN);
        tl_tile(i32, BK, BN) b_column = tl_expand(j, 0, BK);
        sum = tl_dot(tl_load(a, a_row * k + a_column, (a_row < m) & (a_column < k)),
            tl_load(b, b_row * n + b_column, (b_row < k) & (b_column < n)), sum);
    }
    tl_tile(i32, BM, BN) row = tl_expand(i, 1, BN);
    tl_tile(i32, BM, BN) column = tl_expand(j, 0, BM);
    tl_store(c, row * n + column, tl_cast(f16, sum), (row < m) & (column < n));
});

/* By tensors, which know their shape: outside of it a block reads as 0 and is not written. */
TEENY_KERNEL(matmul_tensors, (tl_tensor(f16, 2) c, const tl_tensor(f16, 2) a,
    const tl_tensor(f16, 2) b), META(BM = TILE_M, BN = TILE_N, BK = TILE_K), {
    const i32 i = tl_program_id(0) * BM, j = tl_program_id(1) * BN;
    tl_tile(f32, BM, BN) sum = tl_zeros(f32, BM, BN);
    for (i32 l = 0; l < a.shape[1]; l += BK)
        sum = tl_dot(tl_load_block(a, (i, l), (BM, BK)), tl_load_block(b, (l, j), (BK, BN)), sum);
    tl_store_block(c, (i, j), tl_cast(f16, sum));
});

enum { M = 1000, N = 712, K = 520 }; /* no multiples of the blocks */
enum { A_BYTES = 2 * M * K, B_BYTES = 2 * K * N, C_BYTES = 2 * M * N };

typedef struct matrices {
    void *c, *a, *b; /* on the device */
} matrices;

static teeny_grid grid(void)
{
    return teeny_grid2((M + TILE_M - 1) / TILE_M, (N + TILE_N - 1) / TILE_N);
}

static teeny_status launch_pointers(teeny_stream *stream, matrices x)
{
    return TEENY_LAUNCH(matmul_pointers, stream, grid(), x.c, x.a, x.b, M, N, K);
}

static teeny_status launch_tensors(teeny_stream *stream, matrices x)
{
    return TEENY_LAUNCH(matmul_tensors, stream, grid(), teeny_tensor(f16, x.c, (M, N), (N, 1)),
        teeny_tensor(f16, x.a, (M, K), (K, 1)), teeny_tensor(f16, x.b, (K, N), (N, 1)));
}

/* In double; the caller frees it. */
static double *product(const f16 *half_a, const f16 *half_b)
{
    double *a = example_doubles(half_a, M * K), *b = example_doubles(half_b, K * N);
    double *c = calloc(M * N, sizeof *c);
    for (int i = 0; i < M; i++)
        for (int l = 0; l < K; l++)
            for (int j = 0; j < N; j++)
                c[i * N + j] += a[i * K + l] * b[l * N + j];
    free(a);
    free(b);
    return c;
}

/* Relative to each element, absolute for small ones. */
static double largest_error(const f16 *c, const double *expected)
{
    double error = 0;
    for (int i = 0; i < M * N; i++)
        error = example_worse(error, ((double)c[i] - expected[i]) / fmax(1, fabs(expected[i])));
    return error;
}

int main(void)
{
    f16 *a = example_random_halves(M * K, 1), *b = example_random_halves(K * N, 2);
    f16 *c = example_memory(C_BYTES), *poison = example_poisoned(C_BYTES);
    double *expected = product(a, b);

    teeny_device *device;
    teeny_stream *stream;
    example_check(teeny_device_open("auto", &device));
    example_check(teeny_stream_create(device, &stream));
    teeny_buffer *device_a = example_upload(device, stream, a, A_BYTES);
    teeny_buffer *device_b = example_upload(device, stream, b, B_BYTES);
    teeny_buffer *device_c = example_upload(device, stream, poison, C_BYTES);
    const matrices on_device = {teeny_buffer_pointer(device_c), teeny_buffer_pointer(device_a),
        teeny_buffer_pointer(device_b)};

    const struct {
        const teeny_kernel *kernel;
        teeny_status (*launch)(teeny_stream *stream, matrices x);
    } kernels[] = {{TEENY_KERNEL_OF(matmul_pointers), launch_pointers},
        {TEENY_KERNEL_OF(matmul_tensors), launch_tensors}};
    example_report_device(device);
    int status = 0;
    for (int which = 0; which < 2; which++) {
        example_check(teeny_buffer_write(stream, device_c, 0, poison, C_BYTES));
        double seconds = INFINITY;
        for (int repeat = 0; repeat < 10; repeat++) {
            const double start = example_seconds();
            example_check(kernels[which].launch(stream, on_device));
            example_check(teeny_stream_synchronize(stream));
            seconds = fmin(seconds, example_seconds() - start);
        }
        example_check(teeny_buffer_read(stream, device_c, 0, c, C_BYTES));

        example_report_kernel(device, kernels[which].kernel);
        printf("size:     %d x %d x %d\n", M, N, K);
        printf("rate:     %.1f GFlop/s\n", 2.0 * M * N * K / seconds / 1e9);
        status |= example_verdict(largest_error(c, expected), 6e-4); /* rounded to half: 2^-11 */
    }

    teeny_buffer_destroy(device_a);
    teeny_buffer_destroy(device_b);
    teeny_buffer_destroy(device_c);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    free(a);
    free(b);
    free(c);
    free(poison);
    free(expected);
    return status;
}
