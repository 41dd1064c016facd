/* Kernels on the cpu: grids, parameters, masks, control flow. Each is a small kernel with what
 * plain C computes beside it. */
#include "cpu_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Vector add ------------------------------------------------------------------------------ */

static const char vector_add[] =
    "tt.func public @add(%o: !tt.ptr<f32>, %x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {\n"
    "  %c = arith.constant BLOCK : i32\n"
    "  %pid = tt.get_program_id x : i32\n"
    "  %start = arith.muli %pid, %c : i32\n"
    "  %r = tt.make_range {end = BLOCK : i32, start = 0 : i32} : tensor<BLOCKxi32>\n"
    "  %s = tt.splat %start : i32 -> tensor<BLOCKxi32>\n"
    "  %i = arith.addi %s, %r : tensor<BLOCKxi32>\n"
    "  %ns = tt.splat %n : i32 -> tensor<BLOCKxi32>\n"
    "  %m = arith.cmpi slt, %i, %ns : tensor<BLOCKxi32>\n"
    "  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<BLOCKx!tt.ptr<f32>>\n"
    "  %xp = tt.addptr %xs, %i : tensor<BLOCKx!tt.ptr<f32>>, tensor<BLOCKxi32>\n"
    "  %xv = tt.load %xp, %m : tensor<BLOCKx!tt.ptr<f32>>\n"
    "  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<BLOCKx!tt.ptr<f32>>\n"
    "  %yp = tt.addptr %ys, %i : tensor<BLOCKx!tt.ptr<f32>>, tensor<BLOCKxi32>\n"
    "  %yv = tt.load %yp, %m : tensor<BLOCKx!tt.ptr<f32>>\n"
    "  %v = arith.addf %xv, %yv : tensor<BLOCKxf32>\n"
    "  %os = tt.splat %o : !tt.ptr<f32> -> tensor<BLOCKx!tt.ptr<f32>>\n"
    "  %op = tt.addptr %os, %i : tensor<BLOCKx!tt.ptr<f32>>, tensor<BLOCKxi32>\n"
    "  tt.store %op, %v, %m : tensor<BLOCKx!tt.ptr<f32>>\n"
    "  tt.return\n"
    "}\n";

struct add_arguments {
    float *o, *x, *y;
    int32_t n;
};

enum { GUARD = 64, LARGEST = 4100 };
#define GUARD_WORD (-12345.0f)

static void fill(float *buffer, int n, float step)
{
    for (int i = -GUARD; i < n + GUARD; i++)
        buffer[i] = i >= 0 && i < n ? (float)i * step : GUARD_WORD;
}

static void check_add(const struct compiled *kernel, int block, int n)
{
    static float memory[3][LARGEST + 2 * GUARD];
    struct add_arguments arguments = {memory[0] + GUARD, memory[1] + GUARD, memory[2] + GUARD, n};
    fill(arguments.o, n, 0.0f);
    fill(arguments.x, n, 0.5f);
    fill(arguments.y, n, 3.0f);
    cpu_run(kernel, &arguments, (uint32_t)((n + block - 1) / block), 1, 1);
    for (int i = -GUARD; i < n + GUARD; i++) {
        bool inside = i >= 0 && i < n;
        float x = inside ? (float)i * 0.5f : GUARD_WORD, y = inside ? (float)i * 3.0f : GUARD_WORD;
        float o = inside ? x + y : GUARD_WORD;
        if (arguments.x[i] != x || arguments.y[i] != y || arguments.o[i] != o)
            fail_msg("BLOCK %d, n %d, element %d: %g %g %g", block, n, i, (double)arguments.x[i],
                (double)arguments.y[i], (double)arguments.o[i]);
    }
}

static void test_vector_add_at_every_n(void **state)
{
    (void)state;
    for (int block = 64; block <= 4096; block *= 2) {
        char number[16];
        snprintf(number, sizeof number, "%d", block);
        char *text = text_replace(vector_add, "BLOCK", number);
        struct compiled kernel = cpu_must_compile(text);
        for (int n = 0; n <= LARGEST; n++)
            check_add(&kernel, block, n);
        cpu_release(&kernel);
        free(text);
    }
}

/* Elements that are masked off are not touched: both neighbours of the buffers are unmapped pages.
 */
static void test_masked_lanes_at_a_page_edge(void **state)
{
    (void)state;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *text = text_replace(vector_add, "BLOCK", "1024");
    struct compiled kernel = cpu_must_compile(text);
    char *pages = mmap(NULL, 7 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct add_arguments ends = {.n = 37};
    float **buffers[] = {&ends.o, &ends.x, &ends.y};
    for (int i = 0; i < 3; i++) {
        char *usable = pages + (size_t)(2 * i + 1) * page;
        mprotect(usable, page, PROT_READ | PROT_WRITE);
        *buffers[i] = (float *)(usable + page) - ends.n;
        for (int k = 0; k < ends.n; k++)
            (*buffers[i])[k] = (float)k;
    }
    cpu_run(&kernel, &ends, 1, 1, 1);
    for (int k = 0; k < ends.n; k++)
        assert_true(ends.o[k] == 2.0f * (float)k);
    cpu_run(&kernel, &ends, 8, 1, 1); /* seven programs with nothing to do */
    ends.n = 0;
    cpu_run(&kernel, &ends, 1, 1, 1);
    munmap(pages, 7 * page);
    cpu_release(&kernel);
    free(text);
}

/* Any part of the grid, in any order, and nothing for an empty part. */
static void test_ranges_of_programs(void **state)
{
    (void)state;
    enum { N = 1000, PROGRAMS = (N + 63) / 64 };
    char *text = text_replace(vector_add, "BLOCK", "64");
    struct compiled kernel = cpu_must_compile(text);
    static float x[N], y[N], o[N];
    for (int i = 0; i < N; i++)
        x[i] = y[i] = (float)i;
    struct add_arguments arguments = {o, x, y, N};
    cpu_call call = {&arguments, {PROGRAMS, 1, 1}, kernel.scratch};
    kernel.entry(&call, 3, 3);
    kernel.entry(&call, 5, 4);
    for (int i = 0; i < N; i++)
        assert_true(o[i] == 0.0f);
    kernel.entry(&call, 9, PROGRAMS);
    kernel.entry(&call, 0, 1);
    kernel.entry(&call, 1, 9);
    for (int i = 0; i < N; i++)
        assert_true(o[i] == 2.0f * (float)i);
    cpu_release(&kernel);
    free(text);
}

/* ---- Grids and parameters -------------------------------------------------------------------- */

static void test_grid_of_three_dimensions(void **state)
{
    (void)state;
    struct compiled kernel = cpu_must_compile("tt.func public @grid(%o: !tt.ptr<i32>) {\n"
                                              "  %x = tt.get_program_id x : i32\n"
                                              "  %y = tt.get_program_id y : i32\n"
                                              "  %z = tt.get_program_id z : i32\n"
                                              "  %nx = tt.get_num_programs x : i32\n"
                                              "  %ny = tt.get_num_programs y : i32\n"
                                              "  %nz = tt.get_num_programs z : i32\n"
                                              "  %zy = arith.muli %z, %ny : i32\n"
                                              "  %zy1 = arith.addi %zy, %y : i32\n"
                                              "  %zyx = arith.muli %zy1, %nx : i32\n"
                                              "  %id = arith.addi %zyx, %x : i32\n"
                                              "  %p = tt.addptr %o, %id : !tt.ptr<i32>, i32\n"
                                              "  %old = tt.load %p : !tt.ptr<i32>\n"
                                              "  %c100 = arith.constant 100 : i32\n"
                                              "  %a = arith.muli %x, %c100 : i32\n"
                                              "  %b = arith.addi %a, %y : i32\n"
                                              "  %c = arith.muli %b, %c100 : i32\n"
                                              "  %d = arith.addi %c, %z : i32\n"
                                              "  %e = arith.muli %nz, %d : i32\n"
                                              "  %v = arith.addi %old, %e : i32\n"
                                              "  tt.store %p, %v : !tt.ptr<i32>\n"
                                              "  tt.return\n"
                                              "}\n");
    int32_t out[3 * 4 * 5 + 1] = {0};
    struct {
        int32_t *o;
    } arguments = {out};
    cpu_call call = {&arguments, {3, 4, 5}, kernel.scratch};
    kernel.entry(&call, 0, 7); /* in two parts that split a row */
    kernel.entry(&call, 7, 60);
    for (int id = 0; id < 60; id++)
        assert_int_equal(out[id], 5 * ((id % 3 * 100 + id / 3 % 4) * 100 + id / 12));
    assert_int_equal(out[60], 0);
    cpu_release(&kernel);
}

/* The packed struct is laid out as C lays it out. */
static void test_parameters_of_all_kinds(void **state)
{
    (void)state;
    struct compiled kernel = cpu_must_compile(
        "tt.func public @kinds(%a: i1, %b: i8, %c: f16, %d: i64, %e: i16, %f: f64, %g: i32,\n"
        "                      %h: bf16, %o: !tt.ptr<f64>, %i: i1, %j: f32) {\n"
        "  %one = arith.constant 1 : i32\n"
        "  %a1 = arith.uitofp %a : i1 to f64\n"
        "  %b1 = arith.sitofp %b : i8 to f64\n"
        "  %c1 = arith.extf %c : f16 to f64\n"
        "  %d1 = arith.sitofp %d : i64 to f64\n"
        "  %e1 = arith.sitofp %e : i16 to f64\n"
        "  %g1 = arith.sitofp %g : i32 to f64\n"
        "  %h1 = arith.extf %h : bf16 to f64\n"
        "  %i1 = arith.uitofp %i : i1 to f64\n"
        "  %j1 = arith.extf %j : f32 to f64\n"
        "  %p1 = tt.addptr %o, %one : !tt.ptr<f64>, i32\n"
        "  %p2 = tt.addptr %p1, %one : !tt.ptr<f64>, i32\n"
        "  %p3 = tt.addptr %p2, %one : !tt.ptr<f64>, i32\n"
        "  %p4 = tt.addptr %p3, %one : !tt.ptr<f64>, i32\n"
        "  %p5 = tt.addptr %p4, %one : !tt.ptr<f64>, i32\n"
        "  %p6 = tt.addptr %p5, %one : !tt.ptr<f64>, i32\n"
        "  %p7 = tt.addptr %p6, %one : !tt.ptr<f64>, i32\n"
        "  %p8 = tt.addptr %p7, %one : !tt.ptr<f64>, i32\n"
        "  %p9 = tt.addptr %p8, %one : !tt.ptr<f64>, i32\n"
        "  tt.store %o, %a1 : !tt.ptr<f64>\n"
        "  tt.store %p1, %b1 : !tt.ptr<f64>\n"
        "  tt.store %p2, %c1 : !tt.ptr<f64>\n"
        "  tt.store %p3, %d1 : !tt.ptr<f64>\n"
        "  tt.store %p4, %e1 : !tt.ptr<f64>\n"
        "  tt.store %p5, %f : !tt.ptr<f64>\n"
        "  tt.store %p6, %g1 : !tt.ptr<f64>\n"
        "  tt.store %p7, %h1 : !tt.ptr<f64>\n"
        "  tt.store %p8, %i1 : !tt.ptr<f64>\n"
        "  tt.store %p9, %j1 : !tt.ptr<f64>\n"
        "  tt.return\n"
        "}\n");
    double out[10];
    struct {
        bool a;
        int8_t b;
        uint16_t c;
        int64_t d;
        int16_t e;
        double f;
        int32_t g;
        uint16_t h;
        double *o;
        bool i;
        float j;
    } arguments = {true, -3, 0x3e00, -5, -7, 0.125, -9, 0x4020, out, false, 11.5f};
    static const double expected[] = {1, -3, 1.5, -5, -7, 0.125, -9, 2.5, 0, 11.5};
    cpu_run(&kernel, &arguments, 1, 1, 1);
    for (int i = 0; i < 10; i++)
        assert_true(out[i] == expected[i]);
    cpu_release(&kernel);
}

/* ---- Control flow ---------------------------------------------------------------------------- */

/* Scalars that change in a loop, loads and stores of scalars, a condition, an early return. */
static void test_scalar_loop(void **state)
{
    (void)state;
    struct compiled kernel = cpu_must_compile(
        "tt.func public @loop(%x: !tt.ptr<i32>, %o: !tt.ptr<i32>, %n: i32, %step: i32) {\n"
        "  %zero = arith.constant 0 : i32\n"
        "  %two = arith.constant 2 : i32\n"
        "  %none = arith.cmpi sle, %n, %zero : i32\n"
        "  cf.cond_br %none, ^done, ^start\n"
        "^start:\n"
        "  %sum = scf.for %i = %zero to %n step %step iter_args(%acc = %zero) -> (i32) : i32 {\n"
        "    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32\n"
        "    %v = tt.load %p : !tt.ptr<i32>\n"
        "    %odd = arith.remsi %v, %two : i32\n"
        "    %is_odd = arith.cmpi ne, %odd, %zero : i32\n"
        "    %next = scf.if %is_odd -> (i32) {\n"
        "      %a = arith.addi %acc, %v : i32\n"
        "      tt.store %p, %zero : !tt.ptr<i32>\n"
        "      scf.yield %a : i32\n"
        "    } else {\n"
        "      scf.yield %acc : i32\n"
        "    }\n"
        "    scf.yield %next : i32\n"
        "  }\n"
        "  tt.store %o, %sum : !tt.ptr<i32>\n"
        "  cf.br ^done\n"
        "^done:\n"
        "  tt.return\n"
        "}\n");
    for (int n = -1; n < 20; n++) {
        int32_t x[20], o = -1, sum = 0;
        for (int i = 0; i < 20; i++)
            x[i] = 3 * i;
        struct {
            int32_t *x, *o, n, step;
        } arguments = {x, &o, n, 3};
        cpu_run(&kernel, &arguments, 1, 1, 1);
        for (int i = 0; i < n; i += 3)
            sum += 3 * i % 2 ? 3 * i : 0;
        assert_int_equal(o, n > 0 ? sum : -1);
        for (int i = 0; i < 20; i++)
            assert_int_equal(x[i], i < n && i % 3 == 0 && i % 2 ? 0 : 3 * i);
    }
    cpu_release(&kernel);
}

/* A tile that was loaded before a loop is stored in it, over what it was loaded from. */
static void test_tile_across_blocks(void **state)
{
    (void)state;
    struct compiled kernel =
        cpu_must_compile("tt.func public @across(%x: !tt.ptr<i32>, %n: i32) {\n"
                         "  %zero = arith.constant 0 : i32\n"
                         "  %one = arith.constant 1 : i32\n"
                         "  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
                         "  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>\n"
                         "  %p = tt.addptr %xs, %r : tensor<16x!tt.ptr<i32>>, tensor<16xi32>\n"
                         "  %v = tt.load %p : tensor<16x!tt.ptr<i32>>\n"
                         "  scf.for %i = %zero to %n step %one : i32 {\n"
                         "    %is = tt.splat %i : i32 -> tensor<16xi32>\n"
                         "    %w = arith.addi %v, %is : tensor<16xi32>\n"
                         "    tt.store %p, %w : tensor<16x!tt.ptr<i32>>\n"
                         "  }\n"
                         "  tt.return\n"
                         "}\n");
    int32_t x[16];
    for (int i = 0; i < 16; i++)
        x[i] = i * i;
    struct {
        int32_t *x, n;
    } arguments = {x, 5};
    cpu_run(&kernel, &arguments, 1, 1, 1);
    for (int i = 0; i < 16; i++)
        assert_int_equal(x[i], i * i + 4);
    cpu_release(&kernel);
}

/* The number, of a NaN and a number that LLVM knows to be one. */
static void test_extremes_beside_an_integer(void **state)
{
    (void)state;
    struct compiled kernel = cpu_must_compile(
        "tt.func public @k(%o: !tt.ptr<f64>, %y: !tt.ptr<f64>, %i: !tt.ptr<i32>) {\n"
        "  %one = arith.constant 1 : i32\n"
        "  %n = tt.load %i : !tt.ptr<i32>\n"
        "  %x = arith.sitofp %n : i32 to f64\n"
        "  %v = tt.load %y : !tt.ptr<f64>\n"
        "  %greater = arith.maxnumf %x, %v : f64\n"
        "  %lesser = arith.minnumf %v, %x : f64\n"
        "  %next = tt.addptr %o, %one : !tt.ptr<f64>, i32\n"
        "  tt.store %o, %greater : !tt.ptr<f64>\n"
        "  tt.store %next, %lesser : !tt.ptr<f64>\n"
        "  tt.return\n"
        "}\n");
    static const double others[] = {__builtin_nan(""), -__builtin_nan(""), 0.0, -0.0, 1e9, -1e9};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        for (int32_t x = -3; x <= 3; x += 3) {
            double o[2], y = others[i];
            struct {
                double *o, *y;
                int32_t *i;
            } arguments = {o, &y, &x};
            cpu_run(&kernel, &arguments, 1, 1, 1);
            assert_true(o[0] == (y > x ? y : x));
            assert_true(o[1] == (y < x ? y : x));
        }
    cpu_release(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector_add_at_every_n),
        cmocka_unit_test(test_masked_lanes_at_a_page_edge),
        cmocka_unit_test(test_ranges_of_programs),
        cmocka_unit_test(test_grid_of_three_dimensions),
        cmocka_unit_test(test_parameters_of_all_kinds),
        cmocka_unit_test(test_scalar_loop),
        cmocka_unit_test(test_tile_across_blocks),
        cmocka_unit_test(test_extremes_beside_an_integer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
