/* The part of cmocka that the runtime's tests use, for machines that are only compiled for: there
 * is no cmocka of theirs at hand. Its names, meanings and output are cmocka's. */
#ifndef TEENY_TESTS_CROSS_CMOCKA_H
#define TEENY_TESTS_CROSS_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef int cmocka_fixture(void **state);

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    cmocka_fixture *setup, *teardown;
};

#define cmocka_unit_test(test) cmocka_unit_test_setup_teardown(test, NULL, NULL)
#define cmocka_unit_test_setup(test, setup) cmocka_unit_test_setup_teardown(test, setup, NULL)
#define cmocka_unit_test_setup_teardown(test, setup, teardown) {#test, test, setup, teardown}
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    cross_run(tests, sizeof(tests) / sizeof *(tests), setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
    cmocka_run_group_tests(tests, setup, teardown)

int cross_run(
    const struct CMUnitTest *tests, size_t count, cmocka_fixture *setup, cmocka_fixture *teardown);

/* Ends the test that runs. */
_Noreturn void _fail(const char *file, int line);
_Noreturn void cross_skip(void);
void print_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
void print_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define skip() cross_skip()
#define fail() _fail(__FILE__, __LINE__)
#define fail_msg(...)                                                                              \
    do {                                                                                           \
        print_error(__VA_ARGS__);                                                                  \
        print_error("\n");                                                                         \
        _fail(__FILE__, __LINE__);                                                                 \
    } while (0)
#define cross_expect(is_right, what)                                                               \
    do {                                                                                           \
        if (!(is_right))                                                                           \
            fail_msg("%s:%d: %s", __FILE__, __LINE__, what);                                       \
    } while (0)

#define assert_true(c) cross_expect((c), #c)
#define assert_false(c) cross_expect(!(c), "not: " #c)
#define assert_null(p) cross_expect((p) == NULL, #p " is not NULL")
#define assert_non_null(p) cross_expect((p) != NULL, #p " is NULL")
#define assert_int_equal(a, b) cross_expect((uintmax_t)(a) == (uintmax_t)(b), #a " == " #b)
#define assert_int_not_equal(a, b) cross_expect((uintmax_t)(a) != (uintmax_t)(b), #a " != " #b)
#define assert_ptr_equal(a, b) cross_expect((const void *)(a) == (const void *)(b), #a " == " #b)
#define assert_ptr_not_equal(a, b)                                                                 \
    cross_expect((const void *)(a) != (const void *)(b), #a " != " #b)
#define assert_string_equal(a, b) cross_expect(strcmp(a, b) == 0, #a " is " #b)
#define assert_string_not_equal(a, b) cross_expect(strcmp(a, b) != 0, #a " is not " #b)
#define assert_memory_equal(a, b, n) cross_expect(memcmp(a, b, n) == 0, #a " holds " #b)
#define assert_in_range(v, low, high)                                                              \
    cross_expect((uintmax_t)(v) >= (uintmax_t)(low) && (uintmax_t)(v) <= (uintmax_t)(high),        \
        #v " in " #low " to " #high)

#endif
