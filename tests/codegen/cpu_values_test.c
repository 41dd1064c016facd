/* What elementwise operations compute on the cpu, for every element type: all pairs of 16 telling
 * operands, against plain C. One kernel a type runs all operations. */
#include "cpu_support.h"
#include "value_reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_OPERATIONS = 64 };

/* ---- Kernels --------------------------------------------------------------------------------- */

struct check {
    const struct type *type;
    const struct operation *operations;
    unsigned count;
    uint64_t a[LANES], b[LANES];
};

static char *tile_of(const char *element)
{
    char *text = malloc(64);
    snprintf(text, 64, "tensor<%dx%s>", LANES, element);
    return text;
}

static void write_access(FILE *stream, const char *name, const char *element)
{
    fprintf(stream,
        "%%%sp = tt.splat %%%s : !tt.ptr<%s> -> tensor<%dx!tt.ptr<%s>>\n"
        "%%%sq = tt.addptr %%%sp, %%r : tensor<%dx!tt.ptr<%s>>, tensor<%dxi32>\n",
        name, name, element, LANES, element, name, name, LANES, element, LANES);
}

/* Operand memory holds 64 bits an element: it is loaded as i64 and cut to size. */
static void write_operand(
    FILE *stream, const char *name, const char *pointer, const struct type *type)
{
    char cut[16];
    write_access(stream, pointer, "i64");
    fprintf(stream, "%%%sl = tt.load %%%sq : tensor<%dx!tt.ptr<i64>>\n", name, pointer, LANES);
    snprintf(cut, sizeof cut, "%sl", name);
    if (type->width < 64) {
        fprintf(stream, "%%%sc = arith.trunci %%%sl : tensor<%dxi64> to tensor<%dxi%u>\n", name,
            name, LANES, LANES, type->width);
        snprintf(cut, sizeof cut, "%sc", name);
    }
    fprintf(stream, "%%%s = tt.bitcast %%%s : tensor<%dxi%u> -> tensor<%dx%s>\n", name, cut, LANES,
        type->width, LANES, type->name);
}

static void write_operation(FILE *stream, const struct check *check, unsigned k)
{
    const struct operation *operation = &check->operations[k];
    const struct type *result = operation->result ? operation->result : check->type;
    char *operand_tile = tile_of(check->type->name), *result_tile = tile_of(result->name);
    char *mask_tile = tile_of("i1");
    char *with_t = text_replace(operation->text, "T", operand_tile);
    char *with_m = text_replace(with_t, "M", mask_tile);
    char *text = text_replace(with_m, "R", result_tile);
    fprintf(stream, "%%v%u = %s\n", k, text);
    fprintf(stream, "%%i%u = tt.bitcast %%v%u : %s -> tensor<%dxi%u>\n", k, k, result_tile, LANES,
        result->width);
    const char *wide = result->width == 64 ? "i" : "w";
    if (result->width < 64)
        fprintf(stream, "%%w%u = arith.extui %%i%u : tensor<%dxi%u> to tensor<%dxi64>\n", k, k,
            LANES, result->width, LANES);
    fprintf(stream,
        "%%k%u = arith.constant dense<%u> : tensor<%dxi32>\n"
        "%%o%u = tt.addptr %%oq, %%k%u : tensor<%dx!tt.ptr<i64>>, tensor<%dxi32>\n"
        "tt.store %%o%u, %%%s%u : tensor<%dx!tt.ptr<i64>>\n",
        k, k * LANES, LANES, k, k, LANES, LANES, k, wide, k, LANES);
    free(operand_tile), free(result_tile), free(mask_tile);
    free(with_t), free(with_m), free(text);
}

static char *check_text(const struct check *check)
{
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fprintf(stream,
        "tt.func public @values(%%o: !tt.ptr<i64>, %%x: !tt.ptr<i64>, %%y: !tt.ptr<i64>) {\n"
        "%%r = tt.make_range {end = %d : i32, start = 0 : i32} : tensor<%dxi32>\n",
        LANES, LANES);
    write_operand(stream, "a", "x", check->type);
    write_operand(stream, "b", "y", check->type);
    if (!check->type->digits)
        fprintf(stream, "%%less = arith.cmpi slt, %%a, %%b : tensor<%dx%s>\n", LANES,
            check->type->name);
    write_access(stream, "o", "i64");
    for (unsigned k = 0; k < check->count; k++)
        write_operation(stream, check, k);
    fprintf(stream, "tt.return\n}\n");
    fclose(stream);
    return text;
}

static void compare(const struct check *check, unsigned k, const uint64_t *out)
{
    const struct operation *operation = &check->operations[k];
    const struct type *result = operation->result ? operation->result : check->type;
    conversion_target = result;
    for (unsigned i = 0; i < LANES; i++) {
        uint64_t expected = operation->expected(check->type, check->a[i], check->b[i]);
        bool is_any = expected == ANYTHING;
        expected = low_bits(expected, result->width);
        bool both_nan = is_nan(result, expected) && is_nan(result, out[i]);
        if (out[i] != expected && !is_any && !both_nan)
            fail_msg("%s, T = %s, a = %#llx, b = %#llx: %#llx, expected %#llx", operation->text,
                check->type->name, (unsigned long long)check->a[i], (unsigned long long)check->b[i],
                (unsigned long long)out[i], (unsigned long long)expected);
    }
}

static struct compiled compile_check(const struct check *check)
{
    char *text = check_text(check);
    struct compiled kernel = cpu_must_compile(text);
    free(text);
    return kernel;
}

static void run_compiled(const struct compiled *kernel, const struct check *check)
{
    static uint64_t out[MAX_OPERATIONS * LANES];
    struct {
        uint64_t *o;
        const uint64_t *x, *y;
    } arguments = {out, check->a, check->b};
    memset(out, 0xee, sizeof out);
    cpu_run(kernel, &arguments, 1, 1, 1);
    for (unsigned k = 0; k < check->count; k++)
        compare(check, k, out + k * LANES);
}

static void run_check(const struct check *check)
{
    struct compiled kernel = compile_check(check);
    run_compiled(&kernel, check);
    cpu_release(&kernel);
}

static void set_pairs(struct check *check, const uint64_t *operands)
{
    for (unsigned i = 0; i < LANES; i++) {
        check->a[i] = operands[i / SIDE];
        check->b[i] = operands[i % SIDE];
    }
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void test_integers(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 4; t++) {
        struct check check = {.type = integers[t],
            .operations = integer_operations,
            .count = integer_operation_count};
        uint64_t operands[SIDE];
        integer_operands(integers[t], operands);
        set_pairs(&check, operands);
        run_check(&check);
    }
}

static void test_floats(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 4; t++) {
        struct check check = {
            .type = floats[t], .operations = float_operations, .count = float_operation_count};
        uint64_t operands[SIDE];
        float_operands(floats[t], operands);
        set_pairs(&check, operands);
        run_check(&check);
    }
}

static void test_float_to_float(void **state)
{
    (void)state;
    for (unsigned from = 0; from < 4; from++)
        for (unsigned to = 0; to < 4; to++) {
            if (floats[from]->width == floats[to]->width)
                continue;
            bool wider = floats[to]->width > floats[from]->width;
            struct operation operation = {
                wider ? "arith.extf %a : T to R" : "arith.truncf %a : T to R", floats[to],
                float_to_float};
            struct check check = {.type = floats[from], .operations = &operation, .count = 1};
            for (unsigned i = 0; i < LANES; i++)
                check.a[i] = from_double(floats[from], turning_double(i));
            /* NaNs whose mark would be lost, or carried away, by cutting and rounding bits. */
            check.a[0] = from_double(floats[from], (double)INFINITY) + 1;
            check.a[1] = low_bits(~UINT64_C(0), floats[from]->width);
            run_check(&check);
        }
}

static void test_every_small_float(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 2; t++) {
        struct operation operation = {"arith.extf %a : T to R", &f32, float_to_float};
        struct check check = {.type = floats[t], .operations = &operation, .count = 1};
        struct compiled kernel = compile_check(&check);
        for (unsigned first = 0; first < 1 << 16; first += LANES) {
            for (unsigned i = 0; i < LANES; i++)
                check.a[i] = first + i;
            run_compiled(&kernel, &check);
        }
        cpu_release(&kernel);
    }
}

static void test_integers_and_floats(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        for (unsigned f = 0; f < 4; f++) {
            struct operation to_float[] = {
                {"arith.sitofp %a : T to R", floats[f], signed_to_float},
                {"arith.uitofp %a : T to R", floats[f], unsigned_to_float},
            };
            struct operation to_integer[] = {
                {"arith.fptosi %a : T to R", integers[i], float_to_signed},
                {"arith.fptoui %a : T to R", integers[i], float_to_unsigned},
            };
            struct check check = {.type = integers[i], .operations = to_float, .count = 2};
            for (unsigned lane = 0; lane < LANES; lane++)
                check.a[lane] = low_bits(turning_integer(lane), integers[i]->width);
            /* A double does not hold every i64, and what C makes of those is rounded twice. */
            if (integers[i]->width < 64 || floats[f]->width == 64)
                run_check(&check);
            check = (struct check){.type = floats[f], .operations = to_integer, .count = 2};
            for (unsigned lane = 0; lane < LANES; lane++)
                check.a[lane] = from_double(floats[f], turning_double(lane));
            run_check(&check);
        }
}

static void test_integer_widths(void **state)
{
    (void)state;
    for (unsigned from = 0; from < 4; from++)
        for (unsigned to = 0; to < 4; to++) {
            struct operation widen[] = {
                {"arith.extsi %a : T to R", integers[to], signed_value},
                {"arith.extui %a : T to R", integers[to], unsigned_value},
            };
            struct operation narrow[] = {
                {"arith.trunci %a : T to R", integers[to], unsigned_value}};
            bool wider = to > from;
            struct check check = {.type = integers[from],
                .operations = wider ? widen : narrow,
                .count = wider ? 2 : 1};
            for (unsigned lane = 0; lane < LANES; lane++)
                check.a[lane] = low_bits(turning_integer(lane), integers[from]->width);
            if (to != from)
                run_check(&check);
        }
}

/* A bool in memory is a byte; any but 0 is true, and 1 is stored. */
static void test_bools_in_memory(void **state)
{
    (void)state;
    struct compiled kernel =
        cpu_must_compile("tt.func public @bools(%o: !tt.ptr<i1>, %x: !tt.ptr<i1>) {\n"
                         "  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
                         "  %xs = tt.splat %x : !tt.ptr<i1> -> tensor<8x!tt.ptr<i1>>\n"
                         "  %xp = tt.addptr %xs, %r : tensor<8x!tt.ptr<i1>>, tensor<8xi32>\n"
                         "  %v = tt.load %xp : tensor<8x!tt.ptr<i1>>\n"
                         "  %os = tt.splat %o : !tt.ptr<i1> -> tensor<8x!tt.ptr<i1>>\n"
                         "  %op = tt.addptr %os, %r : tensor<8x!tt.ptr<i1>>, tensor<8xi32>\n"
                         "  tt.store %op, %v : tensor<8x!tt.ptr<i1>>\n"
                         "  tt.return\n"
                         "}\n");
    uint8_t x[8] = {0, 1, 2, 128, 255, 0, 254, 64}, o[9] = {9, 9, 9, 9, 9, 9, 9, 9, 9};
    struct {
        uint8_t *o, *x;
    } arguments = {o, x};
    cpu_run(&kernel, &arguments, 1, 1, 1);
    for (int i = 0; i < 8; i++)
        assert_int_equal(o[i], x[i] != 0);
    assert_int_equal(o[8], 9);
    cpu_release(&kernel);
}

/* f8 is moved, not computed with. */
static void test_f8_is_moved(void **state)
{
    (void)state;
    struct compiled kernel =
        cpu_must_compile("tt.func public @move(%o: !tt.ptr<f8E4M3FN>, %x: !tt.ptr<f8E4M3FN>, %s: "
                         "f8E4M3FN, %n: i32) {\n"
                         "  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
                         "  %ns = tt.splat %n : i32 -> tensor<8xi32>\n"
                         "  %m = arith.cmpi slt, %r, %ns : tensor<8xi32>\n"
                         "  %ss = tt.splat %s : f8E4M3FN -> tensor<8xf8E4M3FN>\n"
                         "  %xs = tt.splat %x : !tt.ptr<f8E4M3FN> -> tensor<8x!tt.ptr<f8E4M3FN>>\n"
                         "  %xp = tt.addptr %xs, %r : tensor<8x!tt.ptr<f8E4M3FN>>, tensor<8xi32>\n"
                         "  %v = tt.load %xp, %m, %ss : tensor<8x!tt.ptr<f8E4M3FN>>\n"
                         "  %os = tt.splat %o : !tt.ptr<f8E4M3FN> -> tensor<8x!tt.ptr<f8E4M3FN>>\n"
                         "  %op = tt.addptr %os, %r : tensor<8x!tt.ptr<f8E4M3FN>>, tensor<8xi32>\n"
                         "  tt.store %op, %v : tensor<8x!tt.ptr<f8E4M3FN>>\n"
                         "  tt.return\n"
                         "}\n");
    uint8_t x[8] = {0, 1, 0x7f, 0x80, 0xff, 5, 6, 7}, o[8];
    struct {
        uint8_t *o, *x, s;
        int32_t n;
    } arguments = {o, x, 0x42, 6};
    cpu_run(&kernel, &arguments, 1, 1, 1);
    for (int i = 0; i < 8; i++)
        assert_int_equal(o[i], i < 6 ? x[i] : 0x42);
    cpu_release(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_float_to_float),
        cmocka_unit_test(test_every_small_float),
        cmocka_unit_test(test_integers_and_floats),
        cmocka_unit_test(test_integer_widths),
        cmocka_unit_test(test_bools_in_memory),
        cmocka_unit_test(test_f8_is_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
