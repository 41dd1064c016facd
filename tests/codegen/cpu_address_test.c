/* Kernels on the cpu: offsets that wrap and that are far, shapes of one to five dimensions. Each is
 * a small kernel with what plain C computes beside it. */
#include "cpu_support.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

/* ---- Addresses ------------------------------------------------------------------------------- */

/* x[o[i]] with o[i] = i * 0x40000001 in 32 bits, which is i for every fourth i: an offset that
 * wraps is no linear function of the index, though all its parts are. */
static void test_offsets_that_wrap(void **state)
{
    (void)state;
    struct compiled kernel = cpu_must_compile(
        "tt.func public @wrap(%x: !tt.ptr<i32>) {\n"
        "  %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>\n"
        "  %f = arith.constant dense<1073741825> : tensor<256xi32>\n"
        "  %c3 = arith.constant dense<3> : tensor<256xi32>\n"
        "  %c4 = arith.constant dense<4> : tensor<256xi32>\n"
        "  %zero = arith.constant dense<0> : tensor<256xi32>\n"
        "  %o = arith.muli %r, %f : tensor<256xi32>\n"
        "  %low = arith.andi %r, %c3 : tensor<256xi32>\n"
        "  %m = arith.cmpi eq, %low, %zero : tensor<256xi32>\n"
        "  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>\n"
        "  %p = tt.addptr %xs, %o : tensor<256x!tt.ptr<i32>>, tensor<256xi32>\n"
        "  %o4 = arith.addi %o, %c4 : tensor<256xi32>\n"
        "  %q = tt.addptr %xs, %o4 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>\n"
        "  %v = tt.load %p, %m : tensor<256x!tt.ptr<i32>>\n"
        "  tt.store %q, %v, %m : tensor<256x!tt.ptr<i32>>\n"
        "  tt.return\n"
        "}\n");
    int32_t x[264];
    for (int i = 0; i < 264; i++)
        x[i] = i;
    struct {
        int32_t *x;
    } arguments = {x};
    cpu_run(&kernel, &arguments, 1, 1, 1);
    for (int i = 0; i < 264; i++)
        assert_int_equal(x[i], i % 4 == 0 && i >= 4 && i < 260 ? i - 4 : i);
    cpu_release(&kernel);
}

/* Every element loads and stores one place: each adds to the old value, and one of them stays. */
static void test_all_elements_at_one_place(void **state)
{
    (void)state;
    struct compiled kernel = cpu_must_compile(
        "tt.func public @one(%x: !tt.ptr<i32>) {\n"
        "  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>\n"
        "  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>\n"
        "  %v = tt.load %xs : tensor<128x!tt.ptr<i32>>\n"
        "  %s = arith.addi %v, %r : tensor<128xi32>\n"
        "  tt.store %xs, %s : tensor<128x!tt.ptr<i32>>\n"
        "  tt.return\n"
        "}\n");
    int32_t x = 1000;
    struct {
        int32_t *x;
    } arguments = {&x};
    cpu_run(&kernel, &arguments, 1, 1, 1);
    assert_in_range(x, 1000, 1127);
    cpu_release(&kernel);
}

/* Offsets of 64 bits, and 32-bit ones that reach beyond 2^31 bytes, on both sides of the pointer.
 */
static void test_far_offsets(void **state)
{
    (void)state;
    struct compiled kernel =
        cpu_must_compile("tt.func public @far(%x: !tt.ptr<i64>, %by: i64, %near: i32) {\n"
                         "  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
                         "  %r8 = arith.extsi %r : tensor<64xi32> to tensor<64xi64>\n"
                         "  %bys = tt.splat %by : i64 -> tensor<64xi64>\n"
                         "  %o = arith.addi %bys, %r8 : tensor<64xi64>\n"
                         "  %nears = tt.splat %near : i32 -> tensor<64xi32>\n"
                         "  %o4 = arith.addi %nears, %r : tensor<64xi32>\n"
                         "  %xs = tt.splat %x : !tt.ptr<i64> -> tensor<64x!tt.ptr<i64>>\n"
                         "  %p = tt.addptr %xs, %o : tensor<64x!tt.ptr<i64>>, tensor<64xi64>\n"
                         "  %q = tt.addptr %xs, %o4 : tensor<64x!tt.ptr<i64>>, tensor<64xi32>\n"
                         "  %v = tt.load %q : tensor<64x!tt.ptr<i64>>\n"
                         "  %w = arith.addi %v, %r8 : tensor<64xi64>\n"
                         "  tt.store %p, %w : tensor<64x!tt.ptr<i64>>\n"
                         "  tt.return\n"
                         "}\n");
    const size_t size = (size_t)48 << 30;
    char *memory = mmap(
        NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        print_message("skipped: no 48 GiB of addresses: %s\n", strerror(errno));
        skip();
    }
    /* The last one wraps in the middle of the tile: from 2^31 - 1 to -2^31. */
    static const int64_t far[] = {(INT64_C(1) << 31) + 5, -(INT64_C(1) << 31) - 99, 5, -5000};
    static const int32_t nears[] = {-2000000000, 0, 2000000000, INT32_MAX - 20};
    for (unsigned run = 0; run < sizeof nears / sizeof *nears; run++) {
        struct {
            int64_t *x, by;
            int32_t near;
        } arguments = {(int64_t *)(memory + size / 2), far[run], nears[run]};
        for (int i = 0; i < 64; i++)
            arguments.x[(int32_t)((uint32_t)nears[run] + (uint32_t)i)] = 7 * i;
        cpu_run(&kernel, &arguments, 1, 1, 1);
        for (int i = 0; i < 64; i++)
            assert_int_equal(arguments.x[arguments.by + i], 8 * i);
    }
    munmap(memory, size);
    cpu_release(&kernel);
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

/* o[i, j] = a[i] + b[j], written transposed too. */
static void test_rows_and_columns(void **state)
{
    (void)state;
    struct compiled kernel = cpu_must_compile(
        "tt.func public @outer(%o: !tt.ptr<i32>, %t: !tt.ptr<i32>, %a: !tt.ptr<i32>,\n"
        "                      %b: !tt.ptr<i32>, %stride: i32) {\n"
        "  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
        "  %j = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
        "  %as = tt.splat %a : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>\n"
        "  %ap = tt.addptr %as, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>\n"
        "  %av = tt.load %ap : tensor<8x!tt.ptr<i32>>\n"
        "  %bs = tt.splat %b : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>\n"
        "  %bp = tt.addptr %bs, %j : tensor<16x!tt.ptr<i32>>, tensor<16xi32>\n"
        "  %bv = tt.load %bp : tensor<16x!tt.ptr<i32>>\n"
        "  %ac = tt.expand_dims %av {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>\n"
        "  %br = tt.expand_dims %bv {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>\n"
        "  %ab = tt.broadcast %ac : tensor<8x1xi32> -> tensor<8x16xi32>\n"
        "  %bb = tt.broadcast %br : tensor<1x16xi32> -> tensor<8x16xi32>\n"
        "  %v = arith.addi %ab, %bb : tensor<8x16xi32>\n"
        "  %ic = tt.expand_dims %i {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>\n"
        "  %ss = tt.splat %stride : i32 -> tensor<8x1xi32>\n"
        "  %rows = arith.muli %ic, %ss : tensor<8x1xi32>\n"
        "  %rb = tt.broadcast %rows : tensor<8x1xi32> -> tensor<8x16xi32>\n"
        "  %jr = tt.expand_dims %j {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>\n"
        "  %jb = tt.broadcast %jr : tensor<1x16xi32> -> tensor<8x16xi32>\n"
        "  %off = arith.addi %rb, %jb : tensor<8x16xi32>\n"
        "  %os = tt.splat %o : !tt.ptr<i32> -> tensor<8x16x!tt.ptr<i32>>\n"
        "  %op = tt.addptr %os, %off : tensor<8x16x!tt.ptr<i32>>, tensor<8x16xi32>\n"
        "  tt.store %op, %v : tensor<8x16x!tt.ptr<i32>>\n"
        "  %vt = tt.trans %v {order = array<i32: 1, 0>} : tensor<8x16xi32> -> tensor<16x8xi32>\n"
        "  %vf = tt.reshape %vt : tensor<16x8xi32> -> tensor<128xi32>\n"
        "  %k = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>\n"
        "  %ts = tt.splat %t : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>\n"
        "  %tp = tt.addptr %ts, %k : tensor<128x!tt.ptr<i32>>, tensor<128xi32>\n"
        "  tt.store %tp, %vf : tensor<128x!tt.ptr<i32>>\n"
        "  tt.return\n"
        "}\n");
    int32_t a[8], b[16], o[8 * 20] = {0}, t[128] = {0};
    for (int i = 0; i < 16; i++) {
        b[i] = i;
        a[i % 8] = 100 * (i % 8);
    }
    struct {
        int32_t *o, *t, *a, *b, stride;
    } arguments = {o, t, a, b, 20};
    cpu_run(&kernel, &arguments, 1, 1, 1);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 20; j++)
            assert_int_equal(o[i * 20 + j], j < 16 ? 100 * i + j : 0);
    for (int k = 0; k < 128; k++)
        assert_int_equal(t[k], 100 * (k % 8) + k / 8);
    cpu_release(&kernel);
}

/* Five dimensions, and a constant whose elements are all different. */
static void test_five_dimensions(void **state)
{
    (void)state;
    struct compiled kernel = cpu_must_compile(
        "tt.func public @five(%o: !tt.ptr<i32>) {\n"
        "  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
        "  %five = tt.reshape %r : tensor<32xi32> -> tensor<2x2x2x2x2xi32>\n"
        "  %turned = tt.trans %five {order = array<i32: 4, 3, 2, 1, 0>} : tensor<2x2x2x2x2xi32> -> "
        "tensor<2x2x2x2x2xi32>\n"
        "  %os = tt.splat %o : !tt.ptr<i32> -> tensor<2x2x2x2x2x!tt.ptr<i32>>\n"
        "  %p = tt.addptr %os, %turned : tensor<2x2x2x2x2x!tt.ptr<i32>>, tensor<2x2x2x2x2xi32>\n"
        "  %d = arith.constant dense<[3, 1, 4, 1]> : tensor<4xi32>\n"
        "  %d5 = tt.reshape %d : tensor<4xi32> -> tensor<1x1x1x2x2xi32>\n"
        "  %d32 = tt.broadcast %d5 : tensor<1x1x1x2x2xi32> -> tensor<2x2x2x2x2xi32>\n"
        "  %v = arith.addi %five, %d32 : tensor<2x2x2x2x2xi32>\n"
        "  tt.store %p, %v : tensor<2x2x2x2x2x!tt.ptr<i32>>\n"
        "  tt.return\n"
        "}\n");
    static const int32_t digits[] = {3, 1, 4, 1};
    int32_t o[32];
    struct {
        int32_t *o;
    } arguments = {o};
    cpu_run(&kernel, &arguments, 1, 1, 1);
    for (int i = 0; i < 32; i++) {
        int reversed = (i & 1) << 4 | (i & 2) << 2 | (i & 4) | (i & 8) >> 2 | (i & 16) >> 4;
        assert_int_equal(o[reversed], i + digits[i % 4]);
    }
    cpu_release(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_offsets_that_wrap),
        cmocka_unit_test(test_all_elements_at_one_place),
        cmocka_unit_test(test_far_offsets),
        cmocka_unit_test(test_rows_and_columns),
        cmocka_unit_test(test_five_dimensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
