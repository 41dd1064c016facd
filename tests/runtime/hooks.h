/* What the tests of hooks share: a device, a stream, a launch that hooks are told of. */
#ifndef TEENY_TESTS_RUNTIME_HOOKS_H
#define TEENY_TESTS_RUNTIME_HOOKS_H

#include "support.h"

#include <teeny/kernel.h>

TEENY_KERNEL_DECLARE(
    vector_add, (f32 * out, const f32 *x, const f32 *y, i32 n), META(BLOCK = 1024));

/* Of the device cpu, open during each HOOK_TEST. */
extern teeny_device *hook_device;
extern teeny_stream *hook_stream;

/* cmocka fixtures. */
int hook_open(void **state);
int hook_close(void **state);
#define HOOK_TEST(test) cmocka_unit_test_setup_teardown(test, hook_open, hook_close)

/* Launches vector_add on all 16 of these. */
extern float hook_values[16];
teeny_status hook_launch(teeny_grid grid);

/* Fails the test where the hook cannot be registered. */
teeny_hook_registration *hook_register(const teeny_hook *hook);

/* A hook that counts its calls in the unsigned that `user` points to. */
void hook_count(const teeny_hook_record *record, void *user);

#endif
