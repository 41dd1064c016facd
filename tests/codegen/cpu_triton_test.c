/* Kernels that Triton printed, run on the cpu against plain C in f64. */
#include "cpu_support.h"
#include "triton_reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct compiled compile_file(const char *path)
{
    return cpu_must_compile_text(cpu_read_text(path));
}

/* Within `relative` of the greater size, and a little more near zero. */
static void check_near(double got, double want, double relative, const char *what, int i)
{
    if (!(fabs(got - want) <= relative * (fabs(want) + 1e-2)))
        fail_msg("%s, element %d: %.9g, not %.9g", what, i, got, want);
}

/* ---- Softmax, layernorm ---------------------------------------------------------------------- */

enum { ROWS = 3, STRIDE = 4200, GUARD_WORD = 0x4321 };

static void test_softmax(void **state)
{
    (void)state;
    static uint16_t o[ROWS * STRIDE], x[ROWS * STRIDE];
    static const int sizes[] = {1, 5, 1000, 4095, 4096};
    struct compiled kernel = compile_file("dialect/Inputs/softmax_4096_bfloat16.ttir");
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct {
            uint16_t *o, *x;
            int32_t stride, n;
        } arguments = {o, x, STRIDE, sizes[s]};
        for (int i = 0; i < ROWS * STRIDE; i++) {
            o[i] = GUARD_WORD;
            x[i] = bfloat_of(4 * reference_random());
        }
        cpu_run(&kernel, &arguments, ROWS, 1, 1);
        for (int row = 0; row < ROWS; row++) {
            const uint16_t *in = x + row * STRIDE;
            double greatest = -INFINITY, sum = 0;
            for (int i = 0; i < sizes[s]; i++)
                greatest = fmax(greatest, from_bfloat(in[i]));
            for (int i = 0; i < sizes[s]; i++)
                sum += exp(from_bfloat(in[i]) - greatest);
            for (int i = 0; i < sizes[s]; i++)
                check_near(from_bfloat(o[row * STRIDE + i]),
                    exp(from_bfloat(in[i]) - greatest) / sum, 0.005, "softmax", i);
            for (int i = sizes[s]; i < STRIDE; i++)
                assert_int_equal(o[row * STRIDE + i], GUARD_WORD);
        }
    }
    cpu_release(&kernel);
}

static void test_layernorm(void **state)
{
    (void)state;
    static float o[ROWS * STRIDE], x[ROWS * STRIDE], w[STRIDE], b[STRIDE];
    static const int sizes[] = {1, 7, 1023, 4096};
    struct compiled kernel = compile_file("dialect/Inputs/layernorm_4096_float32.ttir");
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n = sizes[s];
        struct {
            float *o, *x, *w, *b;
            int32_t stride, n;
            float eps;
        } arguments = {o, x, w, b, STRIDE, n, 1e-3f};
        for (int i = 0; i < ROWS * STRIDE; i++) {
            o[i] = GUARD_WORD;
            x[i] = (float)reference_random();
        }
        for (int i = 0; i < STRIDE; i++) {
            w[i] = (float)reference_random();
            b[i] = (float)reference_random();
        }
        cpu_run(&kernel, &arguments, ROWS, 1, 1);
        for (int row = 0; row < ROWS; row++) {
            const float *in = x + row * STRIDE;
            double mean, variance;
            reference_moments(in, n, &mean, &variance);
            double scale = 1 / sqrt(variance + 1e-3);
            for (int i = 0; i < n; i++)
                check_near((double)o[row * STRIDE + i],
                    ((double)in[i] - mean) * scale * (double)w[i] + (double)b[i], 1e-4, "layernorm",
                    i);
            for (int i = n; i < STRIDE; i++)
                assert_true(o[row * STRIDE + i] == GUARD_WORD);
        }
    }
    cpu_release(&kernel);
}

/* ---- Matrix product -------------------------------------------------------------------------- */

static void check_matmul(const struct compiled *kernel, int m, int n, int k)
{
    enum { LARGEST = 320 * 320 };
    static uint16_t a[LARGEST], b[LARGEST], c[LARGEST];
    struct {
        uint16_t *a, *b, *c;
        int32_t m, n, k, stride_a, stride_b, stride_c;
    } arguments = {a, b, c, m, n, k, k + 3, n + 1, n + 2};
    for (int i = 0; i < LARGEST; i++) {
        a[i] = bfloat_of(reference_random());
        b[i] = bfloat_of(reference_random());
        c[i] = GUARD_WORD;
    }
    cpu_run(kernel, &arguments, (uint32_t)((m + 127) / 128 * ((n + 127) / 128)), 1, 1);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int x = 0; x < k; x++)
                sum += from_bfloat(a[i * (k + 3) + x]) * from_bfloat(b[x * (n + 1) + j]);
            double got = from_bfloat(c[i * (n + 2) + j]);
            if (!(fabs(got - sum) <= 0.004 * fabs(sum) + 1e-3))
                fail_msg("matmul %dx%dx%d, element %d %d: %g, not %g", m, n, k, i, j, got, sum);
        }
        assert_int_equal(c[i * (n + 2) + n], GUARD_WORD);
    }
    for (int i = m * (n + 2); i < LARGEST; i++)
        assert_int_equal(c[i], GUARD_WORD);
}

static void test_matmul(void **state)
{
    (void)state;
    struct compiled kernel = compile_file("codegen/triton/matmul_128x128x64_s3w4.ttir");
    check_matmul(&kernel, 128, 128, 64);
    check_matmul(&kernel, 200, 300, 150);
    check_matmul(&kernel, 1, 1, 1);
    check_matmul(&kernel, 129, 127, 65);
    check_matmul(&kernel, 257, 64, 0);
    cpu_release(&kernel);
}

/* ---- Attention ------------------------------------------------------------------------------- */

struct attention {
    const char *path;
    int width;
    bool is_causal;
};

enum { LENGTH = 256, HEADS = 2, WIDEST = 128, SIZE = HEADS * LENGTH * WIDEST };
static uint16_t q[SIZE], k[SIZE], v[SIZE], o[SIZE];

static void attend(const struct attention *attention, int head, int row, double *out)
{
    int width = attention->width, first = head * LENGTH * width;
    reference_attention(q + first + row * width, k + first, v + first, width,
        attention->is_causal ? row + 1 : LENGTH, 0.125, out);
}

static void check_attention(const struct attention *attention)
{
    struct compiled kernel = compile_file(attention->path);
    struct {
        uint16_t *q, *k, *v, *o;
        float scale;
        int32_t length;
    } arguments = {q, k, v, o, 0.125f, LENGTH};
    for (int i = 0; i < SIZE; i++) {
        q[i] = half_of(reference_random());
        k[i] = half_of(reference_random());
        v[i] = half_of(reference_random());
    }
    cpu_run(&kernel, &arguments, LENGTH / 128, HEADS, 1);
    for (int head = 0; head < HEADS; head++) {
        for (int row = 0; row < LENGTH; row++) {
            double want[WIDEST];
            attend(attention, head, row, want);
            for (int x = 0; x < attention->width; x++) {
                int i = (head * LENGTH + row) * attention->width + x;
                if (!(fabs(from_half(o[i]) - want[x]) <= 0.004))
                    fail_msg("%s, head %d, row %d, %d: %g, not %g", attention->path, head, row, x,
                        from_half(o[i]), want[x]);
            }
        }
    }
    cpu_release(&kernel);
}

static void test_attention(void **state)
{
    (void)state;
    check_attention(&(struct attention){"codegen/triton/attn_64_full_4096.ttir", 64, false});
    check_attention(&(struct attention){"codegen/triton/attn_128_causal_4096.ttir", 128, true});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_softmax),
        cmocka_unit_test(test_layernorm),
        cmocka_unit_test(test_matmul),
        cmocka_unit_test(test_attention),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
