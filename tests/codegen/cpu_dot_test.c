/* Matrix products on the cpu against plain C: types, shapes, batches, sums that stay in place, and
 * the matrix product that Triton prints. All numbers are small integers or halves, and exact. */
#include "cpu_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LARGEST = 128 * 128 };

/* ---- Types and shapes ------------------------------------------------------------------------ */

enum kind { F16, BF16, F32, F64, I8, I32 };

static const struct {
    const char *name;
    size_t size;
} kinds[] = {{"f16", 2}, {"bf16", 2}, {"f32", 4}, {"f64", 8}, {"i8", 1}, {"i32", 4}};

/* Exact numbers of f16 that are no subnormals, by their bits: not all compilers know the type. */
static uint16_t half_of(double value)
{
    int exponent;
    double fraction = frexp(fabs(value), &exponent);
    uint16_t sign = value < 0 ? 0x8000 : 0;
    if (fraction == 0)
        return sign;
    return (uint16_t)(sign | (exponent + 14) << 10 | (int)(fraction * 2048 - 1024));
}

static double from_half(uint16_t half)
{
    double size = ldexp((half & 0x3ff) + 1024, (half >> 10 & 31) - 25);
    return (half & 0x7fff) == 0 ? 0 : half & 0x8000 ? -size : size;
}

static void write_element(void *memory, enum kind kind, int i, double value)
{
    switch (kind) {
    case F16:
        ((uint16_t *)memory)[i] = half_of(value);
        break;
    case BF16: { /* exact: the lower half is zero */
        float wide = (float)value;
        memcpy((char *)memory + 2 * i, (char *)&wide + 2, 2);
        break;
    }
    case F32:
        ((float *)memory)[i] = (float)value;
        break;
    case F64:
        ((double *)memory)[i] = value;
        break;
    case I8:
        ((int8_t *)memory)[i] = (int8_t)value;
        break;
    case I32:
        ((int32_t *)memory)[i] = (int32_t)value;
        break;
    }
}

static double read_element(const void *memory, enum kind kind, int i)
{
    float wide = 0;
    switch (kind) {
    case F16:
        return from_half(((const uint16_t *)memory)[i]);
    case BF16:
        memcpy((char *)&wide + 2, (const char *)memory + 2 * i, 2);
        return (double)wide;
    case F32:
        return (double)((const float *)memory)[i];
    case F64:
        return ((const double *)memory)[i];
    case I8:
        return ((const int8_t *)memory)[i];
    default:
        return ((const int32_t *)memory)[i];
    }
}

static char *replace(char *text, const char *name, const char *by)
{
    char *next = text_replace(text, name, by);
    free(text);
    return next;
}

struct dot_arguments {
    void *d, *a, *b, *c;
};

static void check_dot(enum kind factor, enum kind sum, int m, int n, int k)
{
    static double a[LARGEST], b[LARGEST], c[LARGEST];
    static char memory[4][8 * (LARGEST + 8)];
    char *text = cpu_kernel_text(
        "dot", "MK", m * k, "KN", k * n, "MN", m * n, "MM", m, "NN", n, "KK", k, NULL);
    text = replace(replace(text, "FACTOR", kinds[factor].name), "SUM", kinds[sum].name);
    struct compiled kernel = cpu_must_compile_text(text);
    struct dot_arguments arguments = {memory[0], memory[1], memory[2], memory[3]};
    memset(memory[0], 0x5a, sizeof memory[0]);
    for (int i = 0; i < m * k; i++)
        write_element(memory[1], factor, i, a[i] = i * 7 % 5 - 2);
    for (int i = 0; i < n * k; i++)
        write_element(memory[2], factor, i, b[i] = i * 11 % 7 - 3);
    for (int i = 0; i < m * n; i++)
        write_element(memory[3], sum, i, c[i] = i * 3 % 11);
    cpu_run(&kernel, &arguments, 1, 1, 1);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double want = c[i * n + j];
            for (int x = 0; x < k; x++)
                want += a[i * k + x] * b[j * k + x];
            if (read_element(memory[0], sum, i * n + j) != want)
                fail_msg("%s into %s, %dx%dx%d, element %d %d: %g, not %g", kinds[factor].name,
                    kinds[sum].name, m, n, k, i, j, read_element(memory[0], sum, i * n + j), want);
        }
    }
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(memory[0][(size_t)(m * n) * kinds[sum].size + i], 0x5a);
    cpu_release(&kernel);
}

static void test_types_and_shapes(void **state)
{
    (void)state;
    static const enum kind types[][2] = {
        {F16, F32}, {BF16, F32}, {F32, F32}, {F64, F64}, {I8, I32}, {F16, F16}, {BF16, F32}};
    static const int shapes[][3] = {
        {16, 16, 16}, {1, 1, 1}, {64, 128, 32}, {2, 64, 8}, {128, 4, 2}, {8, 32, 128}, {4, 8, 1}};
    for (unsigned t = 0; t < sizeof types / sizeof *types; t++)
        for (unsigned s = t % 2; s < sizeof shapes / sizeof *shapes; s += 1 + (t != 2))
            check_dot(types[t][0], types[t][1], shapes[s][0], shapes[s][1], shapes[s][2]);
}

/* ---- Batches --------------------------------------------------------------------------------- */

static int32_t row_times_column(const int32_t *a, const int8_t *b, int size, int i, int j)
{
    int32_t sum = 0;
    for (int x = 0; x < size; x++)
        sum += (int8_t)a[i * size + x] * b[x * size + j];
    return sum;
}

static void test_batches(void **state)
{
    (void)state;
    enum { BATCH = 4 };
    static int32_t d[BATCH * 64 * 64 + 1], wide[64 * 64], first[64 * 64];
    static int8_t a[BATCH * 64 * 64];
    for (int size = 2; size <= 64; size *= 2) {
        int area = size * size;
        struct compiled kernel =
            CPU_KERNEL("dot-batch", "BATCH", BATCH, "SIZE", size, "ALL", BATCH * area, NULL);
        struct {
            int32_t *d;
            int8_t *a;
        } arguments = {d, a};
        for (int i = 0; i < BATCH * area; i++)
            a[i] = (int8_t)(i * 37);
        d[BATCH * area] = 77;
        cpu_run(&kernel, &arguments, 1, 1, 1);
        for (int m = 0; m < BATCH; m++) {
            const int8_t *matrix = a + m * area;
            for (int i = 0; i < area; i++)
                wide[i] = matrix[i];
            for (int i = 0; i < area; i++)
                first[i] = wide[i] + row_times_column(wide, matrix, size, i / size, i % size);
            for (int i = 0; i < area; i++)
                assert_int_equal(d[m * area + i],
                    first[i] + row_times_column(first, matrix, size, i / size, i % size));
        }
        assert_int_equal(d[BATCH * area], 77);
        cpu_release(&kernel);
    }
}

/* ---- Sums in a loop -------------------------------------------------------------------------- */

/* sums + a b */
static void multiply(double *out, const double *a, const double *b, const double *sums, int size)
{
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            double sum = sums[i * size + j];
            for (int x = 0; x < size; x++)
                sum += a[i * size + x] * b[x * size + j];
            out[i * size + j] = sum;
        }
    }
}

static void sums_turn(const double *a, double *s, double *t, double *u, int size)
{
    enum { AREA = 64 * 64 };
    static double sh[AREA], s1[AREA], u1[AREA], u2[AREA];
    for (int i = 0; i < size * size; i++)
        sh[i] = s[i] / 2;
    multiply(s1, a, t, sh, size);
    multiply(u1, s, a, u, size);
    multiply(u2, a, a, u, size);
    for (int i = 0; i < size * size; i++) {
        t[i] = s[i];
        s[i] = s1[i];
        u[i] = (u1[i] - u2[i]) / 2;
    }
}

static void test_sums_in_a_loop(void **state)
{
    (void)state;
    static float o[3 * 64 * 64], a[64 * 64];
    static double wide[64 * 64], s[64 * 64], t[64 * 64], u[64 * 64];
    for (int size = 2; size <= 64; size *= 2) {
        int area = size * size;
        struct compiled kernel = CPU_KERNEL("dot-loop", "SIZE", size, "AREA", area, NULL);
        for (int turns = 0; turns < 5; turns++) {
            struct {
                float *o, *a;
                int32_t turns;
            } arguments = {o, a, turns};
            for (int i = 0; i < area; i++) {
                a[i] = i * 13 % 29 == 0 ? 1.0f : i % 31 == 0 ? -1.0f : 0.0f;
                s[i] = wide[i] = (double)a[i];
                t[i] = u[i] = 0;
            }
            cpu_run(&kernel, &arguments, 1, 1, 1);
            for (int i = 0; i < turns; i++)
                sums_turn(wide, s, t, u, size);
            for (int i = 0; i < area; i++) {
                assert_true((double)o[i] == s[i]);
                assert_true((double)o[area + i] == t[i]);
                assert_true((double)o[2 * area + i] == u[i]);
            }
        }
        cpu_release(&kernel);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_and_shapes),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_sums_in_a_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
