/* Compiled kernels on the emu device: right ones at several sizes and numbers of warps, and wrong
 * ones, whose lines the messages name; and the device itself. */
#include "device.h"
#include "kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 8192 };

static teeny_buffer *buffers[3];

static int open_with_buffers(void **state)
{
    device_open(state);
    for (size_t i = 0; i < 3; i++)
        require(teeny_buffer_create(device, WORDS * sizeof(f32), &buffers[i]));
    return 0;
}

static int close_with_buffers(void **state)
{
    for (size_t i = 0; i < 3; i++)
        teeny_buffer_destroy(buffers[i]);
    return device_close(state);
}

static void *pointer(size_t buffer)
{
    return teeny_buffer_pointer(buffers[buffer]);
}

/* ---- Right kernels --------------------------------------------------------------------------- */

static void fill(void)
{
    f32 *x = pointer(1), *y = pointer(2);
    for (i32 i = 0; i < WORDS; i++) {
        x[i] = (f32)(i % 100);
        y[i] = (f32)(i % 7) * 0.5f;
    }
}

static void check_add(teeny_function *function, i32 block, i32 n)
{
    f32 *out = pointer(0);
    const f32 *x = pointer(1), *y = pointer(2);
    memset(out, 0xff, WORDS * sizeof *out);
    require(TEENY_LAUNCH_FUNCTION(
        add, function, stream, teeny_grid1((n + block - 1) / block), out, x, y, n));
    for (i32 i = 0; i < n; i++)
        assert_true(out[i] == x[i] + y[i]);
    for (i32 i = n; i < WORDS; i++)
        assert_true(out[i] != out[i]);
}

static void test_add(void **state)
{
    (void)state;
    static const i32 sizes[] = {0, 1, 31, 64, 100, 1001, 4096, WORDS};
    fill();
    for (i32 block = 32; block <= 1024; block *= 2) {
        for (int warps = 1; warps <= 8; warps *= 2) {
            const teeny_options options = {.num_warps = warps, .meta = {{"BLOCK", block}}};
            teeny_function *function;
            require(teeny_load(device, TEENY_KERNEL_OF(add), &options, &function));
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
                check_add(function, block, sizes[i]);
            teeny_unload(function);
        }
    }
}

static void test_sums(void **state)
{
    (void)state;
    fill();
    for (int warps = 1; warps <= 8; warps *= 2) {
        const teeny_options options = {.num_warps = warps};
        teeny_function *function;
        require(teeny_load(device, TEENY_KERNEL_OF(sum_rows), &options, &function));
        f32 *out = pointer(0), *x = pointer(1);
        require(TEENY_LAUNCH_FUNCTION(sum_rows, function, stream, teeny_grid1(1), out, x));
        for (i32 row = 0; row < 16; row++) {
            f32 sum = 0;
            for (i32 i = 0; i < 256; i++)
                sum += x[row * 256 + i];
            assert_true(out[row] == sum);
        }
        teeny_unload(function);
    }
}

/* A quotient that C leaves open, and all others of the same thread. */
static void test_least_by_minus_one(void **state)
{
    (void)state;
    i32 *out = pointer(0), *x = pointer(1);
    for (i32 i = 0; i < 1024; i++)
        x[i] = i < 32 ? INT32_MIN : i;
    require(TEENY_LAUNCH(divide, stream, teeny_grid1(1), out, x, -1));
    require(teeny_stream_synchronize(stream));
    for (i32 i = 32; i < 1024; i++)
        assert_int_equal(out[i], -i);
}

/* ---- Wrong kernels --------------------------------------------------------------------------- */

static void test_store_out_of_bounds(void **state)
{
    (void)state;
    i32 n = WORDS + 3;
    assert_int_equal(TEENY_LAUNCH(add, stream, teeny_grid1((n + 255) / 256), pointer(0), pointer(1),
                         pointer(2), n),
        TEENY_DEVICE_FAILED);
    expect_message(teeny_message(),
        "kernel `add` failed on device emu: ", "kernels.c:6:", " of program (32, 0, 0) reads ",
        " of a buffer of 32768 bytes; TEENY_EMU_SEED=", NULL);
}

static void test_load_out_of_bounds(void **state)
{
    (void)state;
    assert_int_equal(TEENY_LAUNCH(add_unmasked, stream, teeny_grid1(33), pointer(0), pointer(1)),
        TEENY_DEVICE_FAILED);
    expect_message(teeny_message(), "kernels.c:11:", " of program (32, 0, 0) reads ", NULL);
}

static void test_pointer_between_elements(void **state)
{
    (void)state;
    const f32 *x = (const f32 *)((const char *)pointer(1) + 2);
    assert_int_equal(
        TEENY_LAUNCH(add_unmasked, stream, teeny_grid1(1), pointer(0), x), TEENY_DEVICE_FAILED);
    expect_message(teeny_message(), "kernels.c:11:", " bytes at 0x",
        "the address is not a multiple of ", NULL);
}

static void test_programs_write_one_element(void **state)
{
    (void)state;
    require(TEENY_LAUNCH(last_program, stream, teeny_grid1(1), pointer(0)));
    assert_int_equal(
        TEENY_LAUNCH(last_program, stream, teeny_grid1(2), pointer(0)), TEENY_DEVICE_FAILED);
    expect_message(teeny_message(), "kernels.c:16:", " writes byte 0 of a buffer of 32768 bytes, ",
        " wrote at ", "kernels.c:16:", "programs have no order", NULL);
}

static void test_lanes_write_one_element(void **state)
{
    (void)state;
    assert_int_equal(
        TEENY_LAUNCH(two_to_one, stream, teeny_grid1(1), pointer(0)), TEENY_DEVICE_FAILED);
    expect_message(
        teeny_message(), "kernels.c:21:", " writes byte ", "no barrier lies between", NULL);
}

/* Of one value it is a race too, and the message says that it is one value; it does not of two. */
static void test_lanes_write_one_value(void **state)
{
    (void)state;
    static const char same[] = "both write the same value";
    assert_int_equal(
        TEENY_LAUNCH(one_value, stream, teeny_grid1(1), pointer(0)), TEENY_DEVICE_FAILED);
    expect_message(teeny_message(), "kernels.c:55:", "no barrier lies between", same, NULL);
    assert_int_equal(
        TEENY_LAUNCH(two_to_one, stream, teeny_grid1(1), pointer(0)), TEENY_DEVICE_FAILED);
    assert_null(strstr(teeny_message(), same));
}

/* A launch that fails is over: the next one is right. */
static void test_device_goes_on(void **state)
{
    (void)state;
    fill();
    require(teeny_stream_synchronize(stream));
    require(TEENY_LAUNCH(add, stream, teeny_grid1(1), pointer(0), pointer(1), pointer(2), 100));
    assert_true(((const f32 *)pointer(0))[99] == 99 + 0.5f);
}

/* ---- The device -------------------------------------------------------------------------------
 */

static void test_names(void **state)
{
    (void)state;
    teeny_device *other;
    assert_string_equal(teeny_device_name(device), "emu");
    assert_string_equal(teeny_device_target(device), "emu");
    assert_non_null(strstr(teeny_device_model(device), "sm_90a"));
    setenv("TEENY_AUTO_DEVICE", "emu", 1);
    require(teeny_device_open("auto", &other));
    assert_ptr_equal(other, device);
    teeny_device_close(other);
    setenv("TEENY_AUTO_DEVICE", "auto", 1);
    assert_int_equal(teeny_device_open("auto", &other), TEENY_UNKNOWN_DEVICE);
    unsetenv("TEENY_AUTO_DEVICE");
}

/* What a device has no use for is read all the same. */
static void test_options_are_read_on_every_device(void **state)
{
    (void)state;
    static const char *const names[] = {"emu", "cpu"};
    const teeny_options unknown = {.do_not_specialise = "m"}, all = {.do_not_specialise = "*"};
    for (size_t i = 0; i < 2; i++) {
        teeny_device *opened;
        teeny_function *function;
        require(teeny_device_open(names[i], &opened));
        assert_int_equal(
            teeny_load(opened, TEENY_KERNEL_OF(add), &unknown, &function), TEENY_OPTION_INVALID);
        expect_message(teeny_message(), "do_not_specialise is `m`", "positions below 4", NULL);
        require(teeny_load(opened, TEENY_KERNEL_OF(add), &all, &function));
        teeny_unload(function);
        teeny_device_close(opened);
    }
}

/* A stage that there is, of another device. */
static void test_stage_of_another_device(void **state)
{
    (void)state;
    const teeny_options kept = {.keep = "ttgir"};
    teeny_device *cpu;
    teeny_function *function;
    require(teeny_device_open("cpu", &cpu));
    assert_int_equal(teeny_load(cpu, TEENY_KERNEL_OF(add), &kept, &function), TEENY_OPTION_INVALID);
    expect_message(teeny_message(), "the stage 'ttgir' is none of this target's", NULL);
    teeny_device_close(cpu);
}

static void test_code_of_another_device(void **state)
{
    (void)state;
    teeny_function *function;
    const teeny_options options = {.target = "cpu"};
    assert_int_equal(
        teeny_load(device, TEENY_KERNEL_OF(add), &options, &function), TEENY_OPTION_INVALID);
    expect_message(teeny_message(), "target cpu is not for device emu", NULL);
}

/* A seed gives the same order each time. */
static void test_seed(void **state)
{
    close_with_buffers(state);
    setenv("TEENY_EMU_SEED", "2024x", 1);
    assert_int_equal(teeny_device_open("emu", &device), TEENY_OPTION_INVALID);
    expect_message(teeny_message(), "TEENY_EMU_SEED is `2024x`, not a number", NULL);
    setenv("TEENY_EMU_SEED", "2024", 1);
    open_with_buffers(state);
    char *first = NULL;
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(
            TEENY_LAUNCH(two_to_one, stream, teeny_grid1(1), pointer(0)), TEENY_DEVICE_FAILED);
        if (first)
            assert_string_equal(teeny_message(), first);
        else
            first = strdup(teeny_message());
    }
    expect_message(first, "TEENY_EMU_SEED=2024 gives", NULL);
    free(first);
    close_with_buffers(state);
    unsetenv("TEENY_EMU_SEED");
    open_with_buffers(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_least_by_minus_one),
        cmocka_unit_test(test_store_out_of_bounds),
        cmocka_unit_test(test_load_out_of_bounds),
        cmocka_unit_test(test_pointer_between_elements),
        cmocka_unit_test(test_programs_write_one_element),
        cmocka_unit_test(test_lanes_write_one_element),
        cmocka_unit_test(test_lanes_write_one_value),
        cmocka_unit_test(test_device_goes_on),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_options_are_read_on_every_device),
        cmocka_unit_test(test_stage_of_another_device),
        cmocka_unit_test(test_code_of_another_device),
        cmocka_unit_test(test_seed),
    };
    return cmocka_run_group_tests(tests, open_with_buffers, close_with_buffers);
}
