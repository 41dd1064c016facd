/* Products in loops whose loads run ahead, on the emu device, which finds reads of memory that the
 * program does not have, tiles that were not waited for and barriers that are missing: for numbers
 * of rounds below, at and above the stages, several stages and warps, ragged ends, and counters at
 * the ends of their type. */
#include "device.h"

#include <teeny/kernel.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

TEENY_DECL(enum {SIDE = 32, DEEP = 16};);

/* Rows of `stride` elements; columns from `n` on do not exist. */
TEENY_KERNEL(by_counter, (f32 * c, const f16 *a, const f16 *b, i32 n, i32 stride), META(), {
    tl_tile(i32, SIDE) i = tl_arange(0, SIDE);
    tl_tile(f32, SIDE, SIDE) sum = tl_zeros(f32, SIDE, SIDE);
    for (i32 k = 0; k < n; k += DEEP) {
        tl_tile(i32, DEEP) l = k + tl_arange(0, DEEP);
        tl_tile(i32, SIDE, DEEP) a_at = tl_expand(i, 1, DEEP) * stride + tl_expand(l, 0, SIDE);
        tl_tile(i32, DEEP, SIDE) b_at = tl_expand(l, 1, SIDE) * SIDE + tl_expand(i, 0, DEEP);
        sum = tl_dot(tl_load(a, a_at, tl_expand(l, 0, SIDE) < n),
            tl_load(b, b_at, tl_expand(l, 1, SIDE) < n), sum);
    }
    tl_store(c, tl_expand(i, 1, SIDE) * SIDE + tl_expand(i, 0, SIDE), sum);
});

/* The same by pointers that move on, and a 64-bit counter. */
TEENY_KERNEL(by_pointers, (f32 * c, const f16 *a, const f16 *b, i32 n, i32 stride), META(), {
    tl_tile(i32, SIDE) i = tl_arange(0, SIDE);
    tl_tile(i32, DEEP) l = tl_arange(0, DEEP);
    tl_tile(i32, SIDE, DEEP) a_at = tl_expand(i, 1, DEEP) * stride + tl_expand(l, 0, SIDE);
    tl_tile(i32, DEEP, SIDE) b_at = tl_expand(l, 1, SIDE) * SIDE + tl_expand(i, 0, DEEP);
    tl_tile(f32, SIDE, SIDE) sum = tl_zeros(f32, SIDE, SIDE);
    for (i64 k = 0; k < n; k += DEEP) {
        const i32 left = n - (i32)k;
        sum = tl_dot(tl_load(a, a_at, tl_expand(l, 0, SIDE) < left),
            tl_load(b, b_at, tl_expand(l, 1, SIDE) < left), sum);
        a += DEEP;
        b += DEEP * SIDE;
    }
    tl_store(c, tl_expand(i, 1, SIDE) * SIDE + tl_expand(i, 0, SIDE), sum);
});

/* Whole tiles without masks: only that a round exists keeps its loads inside of the matrices. The
 * counter ends near the largest i32, so that rounds behind the last have none. */
TEENY_KERNEL(to_the_end, (f32 * c, const f16 *a, const f16 *b, i32 n, i32 stride), META(), {
    const i32 end = 2147483647 - DEEP;
    const i32 begin = end - n;
    tl_tile(i32, SIDE) i = tl_arange(0, SIDE);
    tl_tile(f32, SIDE, SIDE) sum = tl_zeros(f32, SIDE, SIDE);
    for (i32 k = begin; k < end; k += DEEP) {
        tl_tile(i32, DEEP) l = k - begin + tl_arange(0, DEEP);
        tl_tile(i32, SIDE, DEEP) a_at = tl_expand(i, 1, DEEP) * stride + tl_expand(l, 0, SIDE);
        tl_tile(i32, DEEP, SIDE) b_at = tl_expand(l, 1, SIDE) * SIDE + tl_expand(i, 0, DEEP);
        sum = tl_dot(tl_load(a, a_at), tl_load(b, b_at), sum);
    }
    tl_store(c, tl_expand(i, 1, SIDE) * SIDE + tl_expand(i, 0, SIDE), sum);
});

/* A mask that is a bit of a number, which has none for the rounds that do not exist. */
TEENY_KERNEL(by_bits, (f32 * c, const f16 *a, const f16 *b, i32 n, i32 stride), META(), {
    tl_tile(i32, SIDE) i = tl_arange(0, SIDE);
    tl_tile(i32, DEEP) l = tl_arange(0, DEEP);
    tl_tile(f32, SIDE, SIDE) sum = tl_zeros(f32, SIDE, SIDE);
    const u32 wanted = (u32)n | 0xffffffff;
    for (i32 round = 0; round < 32; round += 1) {
        tl_tile(i32, DEEP) m = round * DEEP + l;
        tl_tile(i32, SIDE, DEEP) a_at = tl_expand(i, 1, DEEP) * stride + tl_expand(m, 0, SIDE);
        tl_tile(i32, DEEP, SIDE) b_at = tl_expand(m, 1, SIDE) * SIDE + tl_expand(i, 0, DEEP);
        const i32 end = wanted >> round & 1 ? DEEP : 0;
        sum = tl_dot(tl_load(a, a_at, tl_expand(l, 0, SIDE) < end),
            tl_load(b, b_at, tl_expand(l, 1, SIDE) < end), sum);
    }
    tl_store(c, tl_expand(i, 1, SIDE) * SIDE + tl_expand(i, 0, SIDE), sum);
});

/* ---- Running --------------------------------------------------------------------------------- */

static void *buffer_of(const void *data, size_t size, teeny_buffer **out_buffer)
{
    require(teeny_buffer_create(device, size, out_buffer));
    require(teeny_buffer_write(stream, *out_buffer, 0, data, size));
    return teeny_buffer_pointer(*out_buffer);
}

/* Small integers: their products and sums are exact. */
static int element(int row, int column)
{
    return (row * 7 + column * 3) % 5 - 2;
}

/* All kernels have one signature. The matrices end where their last element does. */
static void check(const teeny_kernel *kernel, const teeny_options *options, i32 n, i32 stride)
{
    const size_t a_count = (size_t)((SIDE - 1) * stride + (n ? n : 1));
    const size_t b_count = (size_t)((n ? n : 1) * SIDE);
    f16 *a = calloc(a_count, sizeof *a), *b = calloc(b_count, sizeof *b);
    f32 got[SIDE * SIDE];
    memset(got, 0xff, sizeof got);
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < n; k++) {
            a[i * stride + k] = (f16)element(i, k);
            b[k * SIDE + i] = (f16)element(k + 1, i);
        }
    teeny_buffer *buffers[3];
    void *pointers[] = {buffer_of(got, sizeof got, &buffers[0]),
        buffer_of(a, a_count * sizeof *a, &buffers[1]),
        buffer_of(b, b_count * sizeof *b, &buffers[2])};
    teeny_function *function;
    require(teeny_load(device, kernel, options, &function));
    /* The kernels take the same. */
    const struct teeny_arguments_by_counter arguments = {
        pointers[0], pointers[1], pointers[2], n, stride};
    require(teeny_launch_function(stream, function, teeny_grid1(1), &arguments, sizeof arguments));
    require(teeny_buffer_read(stream, buffers[0], 0, got, sizeof got));
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            int want = 0;
            for (int k = 0; k < n; k++)
                want += element(i, k) * element(k + 1, j);
            if (got[i * SIDE + j] != (f32)want)
                fail_msg("n %d, stride %d, %d stages, %d warps: (%d, %d) is %g, not %d", n, stride,
                    options->num_stages, options->num_warps, i, j, (double)got[i * SIDE + j], want);
        }
    teeny_unload(function);
    for (int i = 0; i < 3; i++)
        teeny_buffer_destroy(buffers[i]);
    free(a);
    free(b);
}

static void check_whole(const teeny_kernel *kernel, const teeny_options *options)
{
    static const i32 sizes[] = {0, DEEP, 2 * DEEP, 4 * DEEP};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check(kernel, options, sizes[i], 112);
}

static void check_ragged(const teeny_kernel *kernel, const teeny_options *options)
{
    check(kernel, options, 8, 112);
    check(kernel, options, 40, 112);
    check(kernel, options, 45, 112); /* masks that differ inside of a copy */
    check(kernel, options, 48, 113); /* rows that begin anywhere */
}

static void check_all(const teeny_kernel *kernel, bool is_masked)
{
    for (int stages = 1; stages <= 4; stages++)
        for (int warps = 1; warps <= 4; warps *= 4) {
            const teeny_options options = {.num_stages = stages, .num_warps = warps};
            check_whole(kernel, &options);
            if (is_masked)
                check_ragged(kernel, &options);
        }
}

static void test_counter(void **state)
{
    (void)state;
    check_all(TEENY_KERNEL_OF(by_counter), true);
}

static void test_pointers(void **state)
{
    (void)state;
    check_all(TEENY_KERNEL_OF(by_pointers), true);
}

static void test_end_of_type(void **state)
{
    (void)state;
    check_all(TEENY_KERNEL_OF(to_the_end), false);
}

static void test_masks_without_a_value(void **state)
{
    (void)state;
    for (int stages = 1; stages <= 4; stages++) {
        const teeny_options options = {.num_stages = stages};
        check(TEENY_KERNEL_OF(by_bits), &options, 32 * DEEP, 32 * DEEP);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counter),
        cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_end_of_type),
        cmocka_unit_test(test_masks_without_a_value),
    };
    return cmocka_run_group_tests(tests, device_open, device_close);
}
