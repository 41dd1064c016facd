/* Kernels that Triton printed, compiled by teenyc for emu and run against plain C in f64, with 1,
 * 2, 4 and 8 warps. All sizes and strides are multiples of 16: the files are told so. */
#include "compiled.h"

#include "triton_reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const unsigned warp_counts[] = {1, 2, 4, 8};
enum { WARP_COUNTS = sizeof warp_counts / sizeof *warp_counts };

/* The path is one below tests/. */
static compiled compile_file(const char *path, unsigned warps)
{
    char whole[1024];
    snprintf(whole, sizeof whole, "%s/%s", TEENY_TEST_DIRECTORY, path);
    return compiled_from(whole, warps);
}

static void check_near(double got, double want, double tolerance, const char *what, int i)
{
    if (!(fabs(got - want) <= tolerance * (fabs(want) + 0.1)))
        fail_msg("%s, element %d: %.9g, not %.9g", what, i, got, want);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

enum { ROWS = 2, STRIDE = 4096, COLUMNS = 4000, GUARD_WORD = 0x4321 };

static void check_softmax(unsigned warps)
{
    static uint16_t o[ROWS * STRIDE], x[ROWS * STRIDE];
    compiled kernel = compile_file("dialect/Inputs/softmax_4096_bfloat16.ttir", warps);
    struct {
        void *o, *x;
        int32_t stride, n;
    } arguments = {NULL, NULL, STRIDE, COLUMNS};
    for (int i = 0; i < ROWS * STRIDE; i++) {
        o[i] = GUARD_WORD;
        x[i] = bfloat_of(4 * reference_random());
    }
    compiled_array arrays[] = {{o, sizeof o, &arguments.o}, {x, sizeof x, &arguments.x}};
    compiled_run(&kernel, &arguments, arrays, 2, ROWS, 1);
    for (int row = 0; row < ROWS; row++) {
        double sum = 0;
        for (int i = 0; i < COLUMNS; i++)
            sum += exp(from_bfloat(x[row * STRIDE + i]));
        for (int i = 0; i < COLUMNS; i++)
            check_near(from_bfloat(o[row * STRIDE + i]),
                exp(from_bfloat(x[row * STRIDE + i])) / sum, 0.005, "softmax", i);
        for (int i = COLUMNS; i < STRIDE; i++)
            assert_int_equal(o[row * STRIDE + i], GUARD_WORD);
    }
    teeny_image_unmap(&kernel.image);
}

static void check_layernorm(unsigned warps)
{
    static float o[ROWS * STRIDE], x[ROWS * STRIDE], w[STRIDE], b[STRIDE];
    compiled kernel = compile_file("dialect/Inputs/layernorm_4096_float32.ttir", warps);
    struct {
        void *o, *x, *w, *b;
        int32_t stride, n;
        float epsilon;
    } arguments = {.stride = STRIDE, .n = COLUMNS, .epsilon = 1e-3f};
    for (int i = 0; i < ROWS * STRIDE; i++) {
        o[i] = GUARD_WORD;
        x[i] = (float)reference_random();
    }
    for (int i = 0; i < STRIDE; i++) {
        w[i] = (float)reference_random();
        b[i] = (float)reference_random();
    }
    compiled_array arrays[] = {{o, sizeof o, &arguments.o}, {x, sizeof x, &arguments.x},
        {w, sizeof w, &arguments.w}, {b, sizeof b, &arguments.b}};
    compiled_run(&kernel, &arguments, arrays, 4, ROWS, 1);
    for (int row = 0; row < ROWS; row++) {
        const float *in = x + row * STRIDE;
        double mean, variance;
        reference_moments(in, COLUMNS, &mean, &variance);
        double scale = 1 / sqrt(variance + 1e-3);
        for (int i = 0; i < COLUMNS; i++)
            check_near((double)o[row * STRIDE + i],
                ((double)in[i] - mean) * scale * (double)w[i] + (double)b[i], 1e-4, "layernorm", i);
        for (int i = COLUMNS; i < STRIDE; i++)
            assert_true(o[row * STRIDE + i] == GUARD_WORD);
    }
    teeny_image_unmap(&kernel.image);
}

/* ---- Products -------------------------------------------------------------------------------- */

static void check_matmul(const char *path, unsigned warps)
{
    enum { M = 160, N = 144, K = 80, STRIDE_A = 96, STRIDE_B = 160, STRIDE_C = 176 };
    static uint16_t a[M * STRIDE_A], b[K * STRIDE_B], c[M * STRIDE_C];
    compiled kernel = compile_file(path, warps);
    struct {
        void *a, *b, *c;
        int32_t m, n, k, stride_a, stride_b, stride_c;
    } arguments = {NULL, NULL, NULL, M, N, K, STRIDE_A, STRIDE_B, STRIDE_C};
    for (int i = 0; i < M * STRIDE_A; i++)
        a[i] = bfloat_of(reference_random());
    for (int i = 0; i < K * STRIDE_B; i++)
        b[i] = bfloat_of(reference_random());
    for (int i = 0; i < M * STRIDE_C; i++)
        c[i] = GUARD_WORD;
    compiled_array arrays[] = {
        {a, sizeof a, &arguments.a}, {b, sizeof b, &arguments.b}, {c, sizeof c, &arguments.c}};
    compiled_run(&kernel, &arguments, arrays, 3, 4, 1);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < STRIDE_C; j++) {
            double sum = 0;
            for (int x = 0; x < K && j < N; x++)
                sum += from_bfloat(a[i * STRIDE_A + x]) * from_bfloat(b[x * STRIDE_B + j]);
            if (j < N)
                check_near(from_bfloat(c[i * STRIDE_C + j]), sum, 0.01, "matmul", i * N + j);
            else
                assert_int_equal(c[i * STRIDE_C + j], GUARD_WORD);
        }
    teeny_image_unmap(&kernel.image);
}

enum { LENGTH = 128, WIDEST = 128 };
static uint16_t q[LENGTH * WIDEST], k[LENGTH * WIDEST], v[LENGTH * WIDEST], o[LENGTH * WIDEST];

static void check_attention(const char *path, int width, bool is_causal, unsigned warps)
{
    compiled kernel = compile_file(path, warps);
    struct {
        void *q, *k, *v, *o;
        float scale;
        int32_t length;
    } arguments = {.scale = 0.125f, .length = LENGTH};
    for (int i = 0; i < LENGTH * WIDEST; i++) {
        q[i] = half_of(reference_random());
        k[i] = half_of(reference_random());
        v[i] = half_of(reference_random());
    }
    compiled_array arrays[] = {{q, sizeof q, &arguments.q}, {k, sizeof k, &arguments.k},
        {v, sizeof v, &arguments.v}, {o, sizeof o, &arguments.o}};
    compiled_run(&kernel, &arguments, arrays, 4, 1, 1);
    for (int row = 0; row < LENGTH; row++) {
        double want[WIDEST];
        reference_attention(
            q + row * width, k, v, width, is_causal ? row + 1 : LENGTH, 0.125, want);
        for (int x = 0; x < width; x++)
            check_near(from_half(o[row * width + x]), want[x], 0.02, path, row * width + x);
    }
    teeny_image_unmap(&kernel.image);
}

/* ---- The tests ------------------------------------------------------------------------------- */

static void test_softmax(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WARP_COUNTS; i++)
        check_softmax(warp_counts[i]);
}

static void test_layernorm(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WARP_COUNTS; i++)
        check_layernorm(warp_counts[i]);
}

static void test_matmul(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WARP_COUNTS; i++)
        check_matmul("codegen/triton/matmul_128x128x64_s3w4.ttir", warp_counts[i]);
}

static void test_attention(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WARP_COUNTS; i++) {
        check_attention("codegen/triton/attn_64_full_4096.ttir", 64, false, warp_counts[i]);
        if (warp_counts[i] >= 4)
            check_attention("codegen/triton/attn_128_causal_4096.ttir", 128, true, warp_counts[i]);
    }
}

/* As Triton pipelined them, for 4 warps. */
static void test_pipelined(void **state)
{
    (void)state;
    check_matmul("codegen/triton/matmul_128x128x64_s3w4.ttgir", 4);
    check_attention("codegen/triton/attn_64_full_4096.ttgir", 64, false, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_softmax),
        cmocka_unit_test(test_layernorm),
        cmocka_unit_test(test_matmul),
        cmocka_unit_test(test_attention),
        cmocka_unit_test(test_pipelined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
