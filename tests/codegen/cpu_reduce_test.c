/* Reductions on the cpu against plain C: every axis, sizes, combinations, two tiles at once. */
#include "cpu_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LARGEST = 1 << 13 };

/* ---- One dimension of three ------------------------------------------------------------------ */

struct combination {
    const char *type, *text, *other;
    double (*combine)(double a, double b);
    double start;
};

static double add(double a, double b)
{
    return a + b;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static double exclusive(double a, double b)
{
    return (double)((int32_t)a ^ (int32_t)b);
}

/* |a| + |b|, which has no element that changes nothing, except for numbers above zero. */
static double add_sizes(double a, double b)
{
    return fabs(a) + fabs(b);
}

/* The sum, by a loop that adds in its second turn. */
static const char sum_by_loop[] =
    "%none = arith.constant 0 : i32\n%single = arith.constant 1 : i32\n"
    "%turns = arith.constant 3 : i32\n"
    "%c = scf.for %turn = %none to %turns step %single iter_args(%sum = %a) -> (i32) : i32 {\n"
    "  %is = arith.cmpi eq, %turn, %single : i32\n"
    "  %next = scf.if %is -> (i32) {\n"
    "    %more = arith.addi %sum, %b : i32\n    scf.yield %more : i32\n"
    "  } else {\n    scf.yield %sum : i32\n  }\n"
    "  scf.yield %next : i32\n}";

static const struct combination combinations[] = {
    {"f32", "%c = arith.addf %a, %b : f32", "0.0", add, 0},
    {"f64", "%c = arith.addf %b, %a : f64", "0.0", add, 0},
    {"f32", "%c = arith.maxnumf %a, %b : f32", "-1000.0", greater, -1000},
    {"i32", "%c = arith.addi %a, %b : i32", "0", add, 0},
    {"i64", "%c = arith.minsi %a, %b : i64", "1000", lesser, 1000},
    {"i32", "%c = arith.xori %a, %b : i32", "0", exclusive, 0},
    {"f32", "%p = math.absf %a : f32\n%q = math.absf %b : f32\n%c = arith.addf %p, %q : f32", "0.0",
        add_sizes, 0},
    {"i32", sum_by_loop, "0", add, 0},
};
enum { COMBINATIONS = sizeof combinations / sizeof *combinations };

static void write_element(char *memory, const char *type, size_t i, double value)
{
    if (strcmp(type, "f32") == 0)
        ((float *)memory)[i] = (float)value;
    else if (strcmp(type, "f64") == 0)
        ((double *)memory)[i] = value;
    else if (strcmp(type, "i32") == 0)
        ((int32_t *)memory)[i] = (int32_t)value;
    else
        ((int64_t *)memory)[i] = (int64_t)value;
}

static double read_element(const char *memory, const char *type, size_t i)
{
    if (strcmp(type, "f32") == 0)
        return (double)((const float *)memory)[i];
    if (strcmp(type, "f64") == 0)
        return ((const double *)memory)[i];
    if (strcmp(type, "i32") == 0)
        return ((const int32_t *)memory)[i];
    return (double)((const int64_t *)memory)[i];
}

static char *replace(char *text, const char *name, const char *by)
{
    char *next = text_replace(text, name, by);
    free(text);
    return next;
}

static char *reduce_text(const struct combination *combination, const int *shape, int axis)
{
    char all[64], left[64];
    int a = axis == 0 ? shape[1] : shape[0], b = axis == 2 ? shape[1] : shape[2];
    snprintf(all, sizeof all, "%dx%dx%d", shape[0], shape[1], shape[2]);
    snprintf(left, sizeof left, "%dx%d", a, b);
    char *text = cpu_kernel_text(
        "reduce", "LENGTH", shape[0] * shape[1] * shape[2], "AXIS", axis, "COUNT", a * b, NULL);
    text = replace(text, "SHAPE", all);
    text = replace(text, "LEFT", left);
    text = replace(text, "OTHER", combination->other);
    text = replace(text, "COMBINE", combination->text);
    return replace(text, "TYPE", combination->type);
}

static double input(size_t i)
{
    return (double)(i * 7919 % 113) - 50;
}

static double expected(
    const struct combination *combination, const int *shape, int axis, int n, int number)
{
    int inner = axis == 0 ? shape[1] * shape[2] : axis == 1 ? shape[2] : 1;
    int first = number / inner * inner * shape[axis] + number % inner;
    double result = 0;
    for (int k = 0; k < shape[axis]; k++) {
        int place = first + k * inner;
        double value = place < n ? input((size_t)place) : combination->start;
        result = k == 0 ? value : combination->combine(result, value);
    }
    return result;
}

static void check_reduce(const struct combination *combination, const int *shape, int axis)
{
    static char x[8 * LARGEST], o[8 * (LARGEST + 1)];
    int length = shape[0] * shape[1] * shape[2], count = length / shape[axis];
    const char *type = combination->type;
    struct compiled kernel = cpu_must_compile_text(reduce_text(combination, shape, axis));
    for (int n = 0; n <= length; n += 1 + length / 3) {
        struct {
            void *o, *x;
            int32_t n;
        } arguments = {o, x, n};
        for (int i = 0; i < length; i++)
            write_element(x, type, (size_t)i, input((size_t)i));
        for (int i = 0; i <= count; i++)
            write_element(o, type, (size_t)i, 12345);
        cpu_run(&kernel, &arguments, 1, 1, 1);
        for (int i = 0; i < count; i++) {
            double want = expected(combination, shape, axis, n, i);
            if (read_element(o, type, (size_t)i) != want)
                fail_msg("%s over axis %d of %dx%dx%d, n %d, element %d: %g, not %g",
                    combination->text, axis, shape[0], shape[1], shape[2], n, i,
                    read_element(o, type, (size_t)i), want);
        }
        assert_true(read_element(o, type, (size_t)count) == 12345);
    }
    cpu_release(&kernel);
}

static void test_every_axis(void **state)
{
    (void)state;
    static const int shapes[][3] = {
        {1, 1, 1}, {2, 4, 8}, {16, 1, 4}, {4, 8, 256}, {64, 16, 1}, {1, 128, 2}, {8, 2, 64}};
    for (int c = 0; c < COMBINATIONS; c++)
        for (unsigned s = c % 2; s < sizeof shapes / sizeof *shapes; s += 2)
            for (int axis = 0; axis < 3; axis++)
                check_reduce(&combinations[c], shapes[s], axis);
}

/* ---- Two tiles at once ----------------------------------------------------------------------- */

static void test_argmax(void **state)
{
    (void)state;
    enum { ROWS = 5 };
    static float x[ROWS * LARGEST], value[ROWS];
    static int32_t place[ROWS];
    for (int block = 1; block <= 4096; block *= 4) {
        struct compiled kernel = CPU_KERNEL("argmax", "BLOCK", block, NULL);
        for (int run = 0; run < 4; run++) {
            int n = block - block / 5 * run;
            struct {
                float *value;
                int32_t *place;
                float *x;
                int32_t n;
            } arguments = {value, place, x, n};
            for (int i = 0; i < ROWS * n; i++)
                x[i] = (float)((i * 31 + run) % 17);
            cpu_run(&kernel, &arguments, ROWS, 1, 1);
            for (int row = 0; row < ROWS; row++) {
                int best = 0;
                for (int i = 1; i < n; i++)
                    if (x[row * n + i] > x[row * n + best])
                        best = i;
                assert_int_equal(place[row], best);
                assert_true(value[row] == x[row * n + best]);
            }
        }
        cpu_release(&kernel);
    }
}

/* ---- A value behind a store ------------------------------------------------------------------ */

static void test_norm_in_place(void **state)
{
    (void)state;
    static float x[LARGEST], old[LARGEST];
    for (int block = 1; block <= 4096; block *= 8) {
        struct compiled kernel = CPU_KERNEL("norm", "BLOCK", block, NULL);
        for (int n = 1; n <= block; n += 1 + block / 3) {
            struct {
                float *x;
                int32_t n;
            } arguments = {x, n};
            double sum = 0, squares = 0;
            for (int i = 0; i < n + 2; i++) {
                x[i] = old[i] = (float)(i * 37 % 101);
                sum += i < n ? (double)x[i] : 0;
            }
            cpu_run(&kernel, &arguments, 1, 1, 1);
            double mean = sum / n;
            for (int i = 0; i < n; i++)
                squares += ((double)old[i] - mean) * ((double)old[i] - mean);
            for (int i = 0; i < n; i++)
                assert_true(
                    fabs((double)x[i] - ((double)old[i] - mean) / sqrt(squares / n + 1)) < 1e-4);
            assert_true(x[n] == (float)sum);
            assert_true(x[n + 1] == old[n + 1]);
        }
        cpu_release(&kernel);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_axis),
        cmocka_unit_test(test_argmax),
        cmocka_unit_test(test_norm_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
