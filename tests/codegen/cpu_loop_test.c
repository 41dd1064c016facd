/* Tiles that change in loops and conditions on the cpu, and the order of accesses there. */
#include "cpu_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LARGEST = 256, GUARD = 16, GUARD_WORD = 0x5a5a5a5a };
static const int blocks[] = {1, 2, 16, 64, 256};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

/* Memory between guards. */
struct guarded {
    int32_t words[3 * LARGEST * LARGEST + 2 * GUARD];
    size_t count;
};

static int32_t *guarded_begin(struct guarded *memory, size_t count)
{
    memory->count = count;
    for (size_t i = 0; i < count + 2 * GUARD; i++)
        memory->words[i] = GUARD_WORD;
    return memory->words + GUARD;
}

static void guarded_check(const struct guarded *memory)
{
    for (size_t i = 0; i < GUARD; i++) {
        assert_int_equal(memory->words[i], GUARD_WORD);
        assert_int_equal(memory->words[GUARD + memory->count + i], GUARD_WORD);
    }
}

static struct guarded memory;

/* ---- All arguments change at once ------------------------------------------------------------ */

static void check_rotate(const struct compiled *kernel, int block, int turns)
{
    struct {
        int32_t *o, n;
    } arguments = {guarded_begin(&memory, 3 * (size_t)block), turns};
    cpu_run(kernel, &arguments, 1, 1, 1);
    for (int e = 0; e < block; e++) {
        uint32_t a = (uint32_t)e, b = a * a, c = 7;
        for (int i = 0; i < turns; i++) {
            uint32_t t = a + b + (uint32_t)i;
            a = b;
            b = c;
            c = t;
        }
        assert_int_equal((uint32_t)arguments.o[e], a);
        assert_int_equal((uint32_t)arguments.o[block + e], b);
        assert_int_equal((uint32_t)arguments.o[2 * block + e], c);
    }
    guarded_check(&memory);
}

static void test_rotation(void **state)
{
    (void)state;
    for (int b = 0; b < BLOCKS; b++) {
        struct compiled kernel = CPU_KERNEL("rotate", "BLOCK", blocks[b], NULL);
        for (int turns = -1; turns < 9; turns++)
            check_rotate(&kernel, blocks[b], turns);
        cpu_release(&kernel);
    }
}

static void turn(int32_t *x, int32_t *y, int size, int i)
{
    static int32_t old[LARGEST * LARGEST];
    memcpy(old, x, sizeof *x * (size_t)(size * size));
    for (int r = 0; r < size; r++) {
        for (int c = 0; c < size; c++) {
            x[r * size + c] = old[c * size + r] + i;
            y[r * size + c] += old[c * size + r];
        }
    }
}

static void check_turn(const struct compiled *kernel, int size, int turns)
{
    static int32_t x[LARGEST * LARGEST], y[LARGEST * LARGEST];
    int area = size * size;
    struct {
        int32_t *o, n;
    } arguments = {guarded_begin(&memory, 2 * (size_t)area), turns};
    cpu_run(kernel, &arguments, 1, 1, 1);
    for (int i = 0; i < area; i++) {
        x[i] = i;
        y[i] = 0;
    }
    for (int i = 0; i < turns; i++)
        turn(x, y, size, i);
    for (int i = 0; i < area; i++) {
        assert_int_equal(arguments.o[i], x[i]);
        assert_int_equal(arguments.o[area + i], y[i]);
    }
    guarded_check(&memory);
}

static void test_elements_from_elsewhere(void **state)
{
    (void)state;
    for (int size = 1; size <= 32; size *= 2) {
        struct compiled kernel =
            CPU_KERNEL("transpose-loop", "SIZE", size, "AREA", size * size, NULL);
        for (int turns = 0; turns < 5; turns++)
            check_turn(&kernel, size, turns);
        cpu_release(&kernel);
    }
}

/* ---- Loops in loops, conditions, while ------------------------------------------------------- */

static uint32_t nested(uint32_t x, int n, int m)
{
    for (int i = 0; i < n; i++) {
        uint32_t y = x;
        for (int j = 0; j < m; j++)
            y = (i + j) % 2 == 1 ? 3 * y : y + (uint32_t)(i + j);
        x = y - x;
    }
    for (uint32_t k = 0; k * k < 100; k++)
        x = (x ^ k) + 1;
    return x;
}

static void test_nested_loops(void **state)
{
    (void)state;
    for (int b = 0; b < BLOCKS; b++) {
        struct compiled kernel = CPU_KERNEL("nested", "BLOCK", blocks[b], NULL);
        for (int run = 0; run < 30; run++) {
            struct {
                int32_t *o, n, m;
            } arguments = {guarded_begin(&memory, (size_t)blocks[b]), run % 6, run / 6};
            cpu_run(&kernel, &arguments, 1, 1, 1);
            for (int e = 0; e < blocks[b]; e++)
                assert_int_equal((uint32_t)arguments.o[e], nested((uint32_t)e, run % 6, run / 6));
            guarded_check(&memory);
        }
        cpu_release(&kernel);
    }
}

/* ---- Order of accesses in loops -------------------------------------------------------------- */

struct move_arguments {
    float *x;
    int32_t n, step, turns;
};

static void move(const struct move_arguments *arguments, int block)
{
    float sum[LARGEST], old[LARGEST];
    memcpy(sum, arguments->x, sizeof *sum * (size_t)block);
    for (int i = 0; i < arguments->turns; i++) {
        float *p = arguments->x + i * arguments->step;
        for (int e = 0; e < block; e++) {
            int place = i * arguments->step + e;
            old[e] = place >= 0 && place < arguments->n ? p[e] : 0.0f;
            sum[e] += old[e];
        }
        for (int e = 0; e < block; e++) {
            int place = i * arguments->step + e;
            if (place >= 0 && place < arguments->n)
                p[arguments->step + e] = 0.5f * old[e];
        }
    }
    memcpy(arguments->x, sum, sizeof *sum * (size_t)block);
}

static void test_moving_pointers(void **state)
{
    (void)state;
    enum { MEMORY = 4 * LARGEST };
    static const int steps[] = {0, 1, 3, 64, 200, -1, -17};
    static float got[MEMORY], expected[MEMORY];
    for (int b = 0; b < BLOCKS; b++) {
        struct compiled kernel = CPU_KERNEL("moving-pointers", "BLOCK", blocks[b], NULL);
        for (int run = 0; run < 70; run++) {
            struct move_arguments arguments = {
                got + LARGEST, blocks[b] + run % 5 * 13 - 3, steps[run % 7], run / 7};
            for (int i = 0; i < MEMORY; i++)
                got[i] = expected[i] = (float)(i * 7 % 101);
            cpu_run(&kernel, &arguments, 1, 1, 1);
            arguments.x = expected + LARGEST;
            move(&arguments, blocks[b]);
            assert_memory_equal(got, expected, sizeof got);
        }
        cpu_release(&kernel);
    }
}

static void test_what_is_kept(void **state)
{
    (void)state;
    static float x[LARGEST + 1], o[LARGEST + 1];
    for (int b = 0; b < BLOCKS; b++) {
        struct compiled kernel = CPU_KERNEL("kept", "BLOCK", blocks[b], NULL);
        for (int turns = 0; turns < 4; turns++) {
            int n = blocks[b] - blocks[b] / 3;
            struct {
                float *o, *x;
                int32_t n, turns;
            } arguments = {o, x, n, turns};
            for (int i = 0; i <= LARGEST; i++) {
                x[i] = (float)i;
                o[i] = -1.0f;
            }
            cpu_run(&kernel, &arguments, 1, 1, 1);
            for (int i = 0; i <= LARGEST; i++) {
                float q = (float)i / ((float)i + 1.0f), s = q, w = 2.0f * q;
                for (int t = 0; t < turns; t++)
                    w = s = s + w * q;
                assert_true(o[i] == (i < n ? s : -1.0f) ||
                            (i < n && o[i] > s * 0.999999f && o[i] < s * 1.000001f));
                assert_true(i < n || x[i] == (float)i);
            }
        }
        cpu_release(&kernel);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_elements_from_elsewhere),
        cmocka_unit_test(test_nested_loops),
        cmocka_unit_test(test_moving_pointers),
        cmocka_unit_test(test_what_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
