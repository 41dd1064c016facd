/* teeny_compile_many: what becomes of each item, what they cost, and how many run at once. */
#include "kernels.h"
#include "support.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>

enum { COUNT = 12, THREADS = 4 };

static teeny_options options[COUNT];
static teeny_compile_item items[COUNT];

/* Items that differ in BLOCK. */
static void make_items(void)
{
    for (int i = 0; i < COUNT; i++) {
        options[i] = (teeny_options){.meta = {{"BLOCK", 16 << i}}};
        items[i] = (teeny_compile_item){
            .kernel = &teeny_kernel_vector_add, .target = "sm_90", .options = &options[i]};
    }
}

static void test_fills_the_cache(void **state)
{
    (void)state;
    teeny_compile_result results[COUNT];
    make_items();
    items[3].target = "cpu";
    items[4].options = NULL;
    items[5].specialise = "0=16,3=1";
    assert_ok(teeny_compile_many(items, COUNT, 3, results));
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(results[i].status, TEENY_OK);
        assert_false(results[i].hit);
        assert_null(results[i].message);
    }
    assert_int_equal(support_compilations(), COUNT);
    setenv("TEENY_NO_COMPILE", "1", 1);
    assert_ok(teeny_compile_many(items, COUNT, 0, results));
    for (int i = 0; i < COUNT; i++)
        assert_true(results[i].hit);
    items[5].specialise = "0=16";
    assert_fails(teeny_compile_many(items, COUNT, 0, NULL), TEENY_NOT_COMPILED);
    assert_contains(teeny_message(), "--specialise 0=16");
}

static void test_each_item_ends_by_itself(void **state)
{
    (void)state;
    teeny_compile_result results[COUNT];
    teeny_options wrong = {.num_warps = -1};
    make_items();
    items[2].target = "avr";
    items[5].kernel = NULL;
    items[7].options = &wrong;
    assert_fails(teeny_compile_many(items, COUNT, 3, results), TEENY_UNKNOWN_TARGET);
    assert_contains(teeny_message(), "3 of 12 kernels could not be compiled; the first: ");
    assert_contains(teeny_message(), "there is no target `avr`");
    for (int i = 0; i < COUNT; i++) {
        teeny_status expected = i == 2   ? TEENY_UNKNOWN_TARGET
                                : i == 5 ? TEENY_INVALID_ARGUMENT
                                : i == 7 ? TEENY_OPTION_INVALID
                                         : TEENY_OK;
        assert_int_equal(results[i].status, expected);
        assert_true((results[i].message != NULL) == (expected != TEENY_OK));
    }
    assert_contains(results[7].message, "num-warps is -1");
    assert_int_equal(support_compilations(), COUNT - 3);
    teeny_compile_results_free(results, COUNT);
    assert_null(results[7].message);
}

static void test_nothing_to_do(void **state)
{
    (void)state;
    teeny_compile_result result;
    assert_ok(teeny_compile_many(NULL, 0, 0, NULL));
    assert_fails(teeny_compile_many(NULL, 1, 0, &result), TEENY_INVALID_ARGUMENT);
    assert_int_equal(result.status, TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_compile_many(items, SIZE_MAX, 0, NULL), TEENY_OUT_OF_MEMORY);
    assert_fails(teeny_compile_many(items, SIZE_MAX / 8, 0, &result), TEENY_OUT_OF_MEMORY);
    teeny_compile_results_free(&result, 1);
    teeny_compile_results_free(NULL, 5);
}

static void test_a_cache_that_cannot_be_written(void **state)
{
    (void)state;
    teeny_compile_result results[COUNT];
    make_items();
    support_write_file(support_path("file"), "");
    setenv("TEENYC_CACHE_DIR", support_path("file/cache"), 1);
    assert_fails(teeny_compile_many(items, 2, 1, results), TEENY_IO_FAILED);
    assert_contains(results[1].message, "the cache cannot be written to");
    teeny_compile_results_free(results, 2);
}

/* A teenyc that takes part in a count of those that run, and goes on once two run or one was left
 * alone for long: so that two are seen, however slow the machine is. */
static const char counting[] = "[ \"$1\" = --version ] && exec '" FAKE_TEENYC_PATH "' --version\n"
                               "cd \"$(dirname \"$0\")\" && mkdir -p running && mkdir running/$$\n"
                               "for i in $(seq 100); do\n"
                               "  n=$(ls running | wc -l); echo $n >>counts\n"
                               "  [ $n -ge 2 ] && break\n"
                               "  sleep 0.02\n"
                               "done\n"
                               "rmdir running/$$\n"
                               "exec '" FAKE_TEENYC_PATH "' \"$@\"";

static int most_at_once(void)
{
    FILE *file = fopen(support_path("counts"), "r");
    int most = 0;
    assert_non_null(file);
    for (int n; fscanf(file, "%d", &n) == 1;)
        most = n > most ? n : most;
    fclose(file);
    return most;
}

static void test_as_many_at_once_as_asked_for(void **state)
{
    (void)state;
    make_items();
    setenv("TEENYC_PATH", support_script("teenyc-counts", counting), 1);
    assert_ok(teeny_compile_many(items, 2, 1, NULL));
    assert_int_equal(most_at_once(), 1);
    assert_ok(teeny_compile_many(items + 2, 6, 2, NULL));
    assert_int_equal(most_at_once(), 2);
}

static void *compile_all(void *unused)
{
    (void)unused;
    return (void *)(uintptr_t)teeny_compile_many(items, COUNT, 2, NULL);
}

static void test_from_several_threads(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    make_items();
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, compile_all, NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        void *status;
        pthread_join(threads[i], &status);
        assert_int_equal((uintptr_t)status, TEENY_OK);
    }
    assert_int_equal(support_compilations(), COUNT);
}

static struct {
    pthread_t caller;
    atomic_int here, elsewhere, wrong; /* of those elsewhere, in what can come */
} heard;

static void look_at_signals(const teeny_hook_record *record, void *user)
{
    (void)user;
    sigset_t blocked;
    if (record->is_exit)
        return;
    if (pthread_equal(pthread_self(), heard.caller)) {
        atomic_fetch_add(&heard.here, 1);
        return;
    }
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    atomic_fetch_add(&heard.elsewhere, 1);
    atomic_fetch_add(
        &heard.wrong, !sigismember(&blocked, SIGALRM) || !sigismember(&blocked, SIGINT) ||
                          sigismember(&blocked, SIGSEGV) || sigismember(&blocked, SIGBUS));
}

static void test_signals_are_for_the_hosts_own_threads(void **state)
{
    (void)state;
    const teeny_hook hook = {.kinds = TEENY_HOOK_COMPILE, .function = look_at_signals};
    teeny_hook_registration *registration;
    heard.caller = pthread_self();
    make_items();
    setenv("FAKE_TEENYC", "slow", 1); /* so that all threads take part */
    assert_ok(teeny_hook_register(&hook, &registration));
    assert_ok(teeny_compile_many(items, THREADS, THREADS, NULL));
    teeny_hook_unregister(registration);
    assert_int_equal(atomic_load(&heard.here) + atomic_load(&heard.elsewhere), THREADS);
    assert_true(atomic_load(&heard.elsewhere) > 0);
    assert_int_equal(atomic_load(&heard.wrong), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_fills_the_cache),
        SUPPORT_TEST(test_each_item_ends_by_itself),
        SUPPORT_TEST(test_nothing_to_do),
        SUPPORT_TEST(test_a_cache_that_cannot_be_written),
        SUPPORT_TEST(test_as_many_at_once_as_asked_for),
        SUPPORT_TEST(test_from_several_threads),
        SUPPORT_TEST(test_signals_are_for_the_hosts_own_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
