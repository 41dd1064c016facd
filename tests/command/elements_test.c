/* The element types of `teeny run` against the compiler's own, value by value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command/run/elements.h"

static const element *find(const char *name)
{
    const element *found = element_find(name, strlen(name));
    assert_non_null(found);
    return found;
}

static uint64_t random_bits(void)
{
    static uint64_t state = 88172645463325252;
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* Floats of all exponents. */
static float random_float(void)
{
    uint32_t bits = (uint32_t)(random_bits() >> 16);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint16_t encode16(const element *element, long double value)
{
    uint16_t bits;
    element_encode(element, value, &bits);
    return bits;
}

/* ---- Floats ---------------------------------------------------------------------------------- */

static void test_f16(void **state)
{
    (void)state;
    const element *f16 = find("f16");
    for (uint32_t bits = 0; bits < 65536; bits++) {
        uint16_t narrow = (uint16_t)bits;
        _Float16 own;
        memcpy(&own, &narrow, sizeof own);
        long double value = element_decode(f16, &narrow);
        if (isnan((float)own))
            assert_true(isnan(value));
        else if (value != (long double)(float)own || encode16(f16, value) != narrow)
            fail_msg("0x%04x is %Lg, not %g", bits, value, (double)(float)own);
    }
    for (int i = 0; i < 1000000; i++) {
        float value = i % 2 ? random_float() : ldexpf(random_float(), -100);
        _Float16 own = (_Float16)value;
        uint16_t expected;
        memcpy(&expected, &own, sizeof expected);
        if (!isnan(value) && encode16(f16, value) != expected)
            fail_msg(
                "%a becomes 0x%04x, not 0x%04x", (double)value, encode16(f16, value), expected);
    }
    assert_true(isnan(element_decode(f16, &(uint16_t){encode16(f16, NAN)})));
}

/* The upper half of an f32, rounded to even. */
static uint16_t round_to_bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static void test_bf16(void **state)
{
    (void)state;
    const element *bf16 = find("bf16");
    for (int i = 0; i < 1000000; i++) {
        float value = random_float();
        if (!isnan(value))
            assert_int_equal(encode16(bf16, value), round_to_bf16(value));
    }
}

static void test_f32_and_f64(void **state)
{
    (void)state;
    const element *f32 = find("f32"), *f64 = find("f64");
    for (int i = 0; i < 1000000; i++) {
        uint64_t bits = random_bits();
        double wide, wide_back;
        float narrow, narrow_back;
        memcpy(&wide, &bits, sizeof wide);
        narrow = i % 2 ? (float)wide : (float)ldexp(wide, -(int)(bits >> 52 & 0x7ff) + 900);
        if (isnan(wide) || isnan(narrow))
            continue;
        assert_true(element_decode(f64, &wide) == (long double)wide);
        element_encode(f64, wide, &wide_back);
        assert_memory_equal(&wide, &wide_back, sizeof wide);
        element_encode(f32, i % 2 ? wide : narrow, &narrow_back);
        assert_memory_equal(&narrow, &narrow_back, sizeof narrow);
    }
}

static void expect_f8(const char *name, unsigned bits, long double value)
{
    uint8_t narrow = (uint8_t)bits;
    assert_true(element_decode(find(name), &narrow) == value);
}

static void expect_f8_of(const char *name, long double value, unsigned expected)
{
    uint8_t narrow;
    element_encode(find(name), value, &narrow);
    assert_int_equal(narrow, expected);
}

/* The extreme values that the formats' definition lists. */
static void test_f8(void **state)
{
    (void)state;
    static const char *const names[] = {"f8e4m3", "f8e5m2"};
    expect_f8("f8e4m3", 0x7e, 448);
    expect_f8("f8e4m3", 0x08, 0x1p-6L);
    expect_f8("f8e4m3", 0x01, 0x1p-9L);
    expect_f8("f8e4m3", 0xb8, -1);
    expect_f8("f8e5m2", 0x7b, 57344);
    expect_f8("f8e5m2", 0x04, 0x1p-14L);
    expect_f8("f8e5m2", 0x01, 0x1p-16L);
    expect_f8("f8e5m2", 0x7c, INFINITY);
    expect_f8_of("f8e4m3", 464, 0x7e); /* a tie, to even */
    expect_f8_of("f8e4m3", 500, 0x7f);
    expect_f8_of("f8e4m3", -INFINITY, 0xff);
    expect_f8_of("f8e5m2", 61440, 0x7c);
    expect_f8_of("f8e5m2", 61439, 0x7b);
    for (int which = 0; which < 2; which++)
        for (unsigned bits = 0; bits < 256; bits++) {
            uint8_t narrow = (uint8_t)bits;
            if (!element_is_nan(find(names[which]), &narrow))
                expect_f8_of(names[which], element_decode(find(names[which]), &narrow), bits);
        }
}

/* ---- Integers -------------------------------------------------------------------------------- */

static void expect_integer(const char *name, long double value, const char *text)
{
    uint64_t bits = 0;
    char printed[64];
    assert_true(element_fits(find(name), value));
    element_encode(find(name), value, &bits);
    assert_true(element_decode(find(name), &bits) == value);
    assert_string_equal(element_print(find(name), &bits, printed), text);
}

static void test_integers(void **state)
{
    (void)state;
    expect_integer("i64", -0x1p63L, "-9223372036854775808");
    expect_integer("i64", 9223372036854775807.0L, "9223372036854775807");
    expect_integer("u64", 18446744073709551615.0L, "18446744073709551615");
    expect_integer("i8", -128, "-128");
    expect_integer("u8", 255, "255");
    expect_integer("bool", 1, "1");
    static const struct {
        const char *name;
        long double value;
    } wrong[] = {{"i8", 128}, {"i8", -129}, {"u8", -1}, {"u8", 256}, {"bool", 2}, {"i32", 0.5L},
        {"i64", 0x1p63L}, {"u64", 0x1p64L}, {"i32", NAN}, {"i32", INFINITY}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(element_fits(find(wrong[i].name), wrong[i].value));
}

/* ---- Distances ------------------------------------------------------------------------------- */

static int64_t rank_of_float(float value)
{
    return element_rank(find("f32"), &value);
}

static void test_distances(void **state)
{
    (void)state;
    assert_int_equal(rank_of_float(0), rank_of_float(-0.0f));
    assert_int_equal(rank_of_float(nextafterf(1, 2)) - rank_of_float(1), 1);
    assert_int_equal(rank_of_float(nextafterf(0, 1)) - rank_of_float(nextafterf(0, -1)), 2);
    assert_int_equal(rank_of_float(-1) - rank_of_float(nextafterf(-1, -2)), 1);
    assert_true(element_ulp(find("f32"), 1) == 0x1p-23L);
    assert_true(element_ulp(find("f32"), 0) == 0x1p-149L);
    assert_true(element_ulp(find("f16"), 65504) == 32);
    assert_true(element_ulp(find("f32"), 1.5L) == 0x1p-23L);
}

static void test_names(void **state)
{
    (void)state;
    assert_null(element_find("f33", 3));
    assert_null(element_find("f3", 2));
    assert_ptr_equal(element_find("f32[4]", 3), find("f32"));
    assert_string_equal(element_names(),
        "bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, "
        "f64, f8e4m3, f8e5m2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_f16),
        cmocka_unit_test(test_bf16),
        cmocka_unit_test(test_f32_and_f64),
        cmocka_unit_test(test_f8),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests_name("elements", tests, NULL, NULL);
}
