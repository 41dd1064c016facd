/* What the runtime's tests share: a private place to work in, the fake teenyc, and a kernel. */
#ifndef TEENY_TESTS_RUNTIME_SUPPORT_H
#define TEENY_TESTS_RUNTIME_SUPPORT_H

/* cmocka.h needs these four before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <teeny/teeny.h>

/* cmocka fixtures: each test gets a new directory, TEENYC_CACHE_DIR=DIRECTORY/cache, TEENYC_PATH
 * the fake teenyc, FAKE_LOG=DIRECTORY/log, and none of teeny's other variables. */
int support_setup(void **state);
int support_teardown(void **state);

/* The same with the directory in memory where that can be had, for tests that make and remove
 * thousands of files. Programs may not be run from it. */
int support_setup_in_memory(void **state);

/* The same with the device cpu open, and a stream on it. */
int support_open_cpu(void **state, teeny_device **out_device, teeny_stream **out_stream);
int support_close_cpu(void **state, teeny_device *device, teeny_stream *stream);

/* DIRECTORY, or DIRECTORY/name; the string is good until the 16th next call. */
const char *support_directory(void);
const char *support_path(const char *name);

/* How many descriptors are open. */
int support_descriptors(void);

/* How often the fake teenyc has compiled something in this test. */
int support_compilations(void);

/* Writes an executable shell script at DIRECTORY/name and returns its path. */
const char *support_script(const char *name, const char *body);
void support_write_file(const char *path, const char *text);

/* Copies the fake teenyc to `path`, and makes the directories on the way. */
void support_install_fake(const char *path);

/* Makes a fake teenyc at DIRECTORY/name the compiler, and `build` its build. */
void support_install_build(const char *name, const char *build);

/* Removes a directory tree. */
void support_remove(const char *path);

/* Ends the test as skipped, with the reason that is printed. */
_Noreturn void support_skip(const char *reason_format, ...) __attribute__((format(printf, 1, 2)));

/* Runs `body` in a child process, where assertions may fail too; fails if the child does, and is
 * skipped if the child is. */
void support_in_child(void (*body)(void));
/* The same as a user without rights; skips the test where that cannot be had. */
void support_as_nobody(void (*body)(void));

/* Collects what teeny_log says; teeny_set_log(support_collect, NULL) is in effect in each test. */
const char *support_log(void);

#define assert_ok(call) support_assert_status((call), TEENY_OK, #call, __FILE__, __LINE__)
#define assert_fails(call, status) support_assert_status((call), status, #call, __FILE__, __LINE__)
void support_assert_status(
    teeny_status found, teeny_status expected, const char *call, const char *file, int line);

/* Asserts that `text` contains `part`. */
#define assert_contains(text, part) support_assert_contains((text), (part), __FILE__, __LINE__)
void support_assert_contains(const char *text, const char *part, const char *file, int line);

#define SUPPORT_TEST(test) cmocka_unit_test_setup_teardown(test, support_setup, support_teardown)

#define SUPPORT_TEST_IN_MEMORY(test)                                                               \
    cmocka_unit_test_setup_teardown(test, support_setup_in_memory, support_teardown)

#endif
