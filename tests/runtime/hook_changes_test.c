/* Hooks that are registered and taken back while calls run: within hooks, and by other threads. */
#include "hooks.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- Within hooks ---------------------------------------------------------------------------- */

static unsigned heard, released;

static void count_release(void *user)
{
    (void)user;
    released++;
}

static void launch_within(const teeny_hook_record *record, void *user)
{
    (void)record, (void)user;
    heard++;
    assert_ok(hook_launch(teeny_grid1(1)));
}

static void test_a_hook_may_launch(void **state)
{
    (void)state;
    teeny_hook hook = {.kinds = TEENY_HOOK_LAUNCH, .function = launch_within};
    teeny_hook_registration *registration = hook_register(&hook);
    heard = 0;
    assert_ok(hook_launch(teeny_grid1(1)));
    teeny_hook_unregister(registration);
    assert_int_equal(heard, 2);
}

/* Takes back what `user` points to. */
static void unregister_within(const teeny_hook_record *record, void *user)
{
    teeny_hook_registration **registration = user;
    heard++;
    assert_false(record->is_exit);
    teeny_hook_unregister(*registration);
    *registration = NULL;
    assert_int_equal(released, 0);
}

static void unload(const teeny_hook_record *record, void *user)
{
    teeny_function **function = user;
    if (!record->is_exit)
        teeny_unload(*function);
}

/* The call that is told of still has it. */
static void test_a_hook_may_unload_what_is_launched(void **state)
{
    (void)state;
    const teeny_options options = {.num_warps = 2};
    float out[2] = {0}, in[2] = {1, 2};
    teeny_function *function;
    assert_ok(teeny_load(hook_device, TEENY_KERNEL_OF(vector_add), &options, &function));
    teeny_hook hook = {.kinds = TEENY_HOOK_LAUNCH, .function = unload, .user = &function};
    teeny_hook_registration *registration = hook_register(&hook);
    assert_ok(
        TEENY_LAUNCH_FUNCTION(vector_add, function, hook_stream, teeny_grid1(1), out, in, in, 2));
    teeny_hook_unregister(registration);
    assert_ok(teeny_stream_synchronize(hook_stream));
    assert_true(out[0] == 2 && out[1] == 4);
}

static void test_a_hook_may_unregister_itself(void **state)
{
    (void)state;
    teeny_hook_registration *registration;
    teeny_hook hook = {.kinds = TEENY_HOOK_LAUNCH,
        .function = unregister_within,
        .user = &registration,
        .release = count_release};
    registration = hook_register(&hook);
    heard = released = 0;
    assert_ok(hook_launch(teeny_grid1(1)));
    assert_int_equal(released, 1);
    assert_ok(hook_launch(teeny_grid1(1)));
    assert_int_equal(heard, 1);
    assert_int_equal(released, 1);
}

static void unregister_other(const teeny_hook_record *record, void *user)
{
    teeny_hook_registration **other = user;
    if (record->is_exit)
        return;
    teeny_hook_unregister(*other);
    *other = NULL;
    assert_int_equal(released, 1); /* no call of it runs */
}

static void test_a_hook_may_unregister_another(void **state)
{
    (void)state;
    unsigned counted = 0;
    teeny_hook_registration *other;
    teeny_hook first = {.kinds = TEENY_HOOK_LAUNCH, .function = unregister_other, .user = &other};
    teeny_hook second = {.kinds = TEENY_HOOK_LAUNCH,
        .function = hook_count,
        .user = &counted,
        .release = count_release};
    teeny_hook_registration *registration = hook_register(&first);
    other = hook_register(&second);
    released = 0;
    assert_ok(hook_launch(teeny_grid1(1)));
    assert_ok(hook_launch(teeny_grid1(1)));
    assert_int_equal(counted, 0);
    assert_int_equal(released, 1);
    teeny_hook_unregister(registration);
}

static teeny_hook_registration *late;

static void register_within(const teeny_hook_record *record, void *user)
{
    teeny_hook hook = {.kinds = TEENY_HOOK_LAUNCH, .function = hook_count, .user = user};
    if (!record->is_exit && !late)
        assert_ok(teeny_hook_register(&hook, &late));
}

static void test_no_end_without_its_beginning(void **state)
{
    (void)state;
    unsigned counted = 0;
    teeny_hook hook = {.kinds = TEENY_HOOK_LAUNCH, .function = register_within, .user = &counted};
    teeny_hook_registration *registration = hook_register(&hook);
    late = NULL;
    assert_ok(hook_launch(teeny_grid1(1)));
    assert_int_equal(counted, 0);
    assert_ok(hook_launch(teeny_grid1(1)));
    assert_int_equal(counted, 2);
    teeny_hook_unregister(registration);
    teeny_hook_unregister(late);
}

/* ---- Threads --------------------------------------------------------------------------------- */

enum { LAUNCHERS = 4, CHANGERS = 4, ROUNDS = 300 };

static atomic_bool is_over;

/* Memory that is gone when the hook is released: the sanitizer sees a call that comes later. */
static void touch(const teeny_hook_record *record, void *user)
{
    atomic_int *balance = user;
    atomic_fetch_add(balance, record->is_exit ? -1 : 1);
}

static void *launch_often(void *unused)
{
    teeny_stream *own;
    bool good = teeny_stream_create(hook_device, &own) == TEENY_OK;
    while (!atomic_load(&is_over))
        good &= TEENY_LAUNCH(vector_add, own, teeny_grid1(1), hook_values, hook_values, hook_values,
                    0) == TEENY_OK;
    teeny_stream_destroy(own);
    (void)unused;
    return good ? &is_over : NULL;
}

static void *change_often(void *unused)
{
    bool good = true;
    for (int i = 0; i < ROUNDS; i++) {
        atomic_int *balance = calloc(1, sizeof *balance);
        teeny_hook hook = {
            .kinds = TEENY_HOOK_LAUNCH, .function = touch, .user = balance, .release = free};
        teeny_hook_registration *registration;
        good &= teeny_hook_register(&hook, &registration) == TEENY_OK;
        for (int spin = 0; spin < 1000; spin++)
            good &= atomic_load(balance) >= 0;
        teeny_hook_unregister(registration);
    }
    (void)unused;
    return good ? &is_over : NULL;
}

static void test_threads(void **state)
{
    (void)state;
    pthread_t launchers[LAUNCHERS], changers[CHANGERS];
    void *good;
    atomic_store(&is_over, false);
    for (int i = 0; i < LAUNCHERS; i++)
        assert_int_equal(pthread_create(&launchers[i], NULL, launch_often, NULL), 0);
    for (int i = 0; i < CHANGERS; i++)
        assert_int_equal(pthread_create(&changers[i], NULL, change_often, NULL), 0);
    for (int i = 0; i < CHANGERS; i++) {
        pthread_join(changers[i], &good);
        assert_non_null(good);
    }
    atomic_store(&is_over, true);
    for (int i = 0; i < LAUNCHERS; i++) {
        pthread_join(launchers[i], &good);
        assert_non_null(good);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOOK_TEST(test_a_hook_may_launch),
        HOOK_TEST(test_a_hook_may_unload_what_is_launched),
        HOOK_TEST(test_a_hook_may_unregister_itself),
        HOOK_TEST(test_a_hook_may_unregister_another),
        HOOK_TEST(test_no_end_without_its_beginning),
        HOOK_TEST(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
