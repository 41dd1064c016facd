/* Status codes, the calling thread's message, and the log. */
#include "support.h"

#include "runtime/report.h"

#include <pthread.h>

static void test_every_code_has_name_and_explanation(void **state)
{
    (void)state;
    for (int code = TEENY_OK; code <= TEENY_UNSUPPORTED; code++) {
        assert_memory_equal(teeny_status_name((teeny_status)code), "TEENY_", 6);
        assert_true(strlen(teeny_status_explanation((teeny_status)code)) > 5);
    }
    assert_string_equal(teeny_status_name((teeny_status)999), "unknown status");
    assert_string_equal(teeny_status_name((teeny_status)-1), "unknown status");
}

static void test_message_is_kept_and_trimmed(void **state)
{
    (void)state;
    assert_int_equal(teeny_fail(TEENY_IO_FAILED, "%s\n\n", "first"), TEENY_IO_FAILED);
    assert_string_equal(teeny_message(), "first");
    teeny_message_set(TEENY_IO_FAILED, "second, after %s", teeny_message());
    assert_string_equal(teeny_message(), "second, after first");
    assert_int_equal(teeny_fail_memory(), TEENY_OUT_OF_MEMORY);
    assert_string_equal(teeny_message(), "out of host memory");
}

static void *fail_in_thread(void *argument)
{
    assert_string_equal(teeny_message(), "");
    teeny_message_set(TEENY_IO_FAILED, "of the thread");
    *(bool *)argument = strcmp(teeny_message(), "of the thread") == 0;
    return NULL;
}

static void test_message_is_the_threads_own(void **state)
{
    (void)state;
    pthread_t thread;
    bool good = false;
    teeny_message_set(TEENY_IO_FAILED, "of the main thread");
    assert_int_equal(pthread_create(&thread, NULL, fail_in_thread, &good), 0);
    pthread_join(thread, NULL);
    assert_true(good);
    assert_string_equal(teeny_message(), "of the main thread");
}

static void test_long_message_is_whole(void **state)
{
    (void)state;
    enum { LENGTH = 100000 };
    char *long_text = malloc(LENGTH + 1);
    memset(long_text, 'x', LENGTH);
    long_text[LENGTH] = '\0';
    teeny_message_set(TEENY_KERNEL_INVALID, "%s", long_text);
    assert_string_equal(teeny_message(), long_text);
    free(long_text);
}

static void test_log_goes_to_the_listener(void **state)
{
    (void)state;
    teeny_log(TEENY_LOG_WARNING, "number %d", 7);
    assert_string_equal(support_log(), "number 7\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_every_code_has_name_and_explanation),
        SUPPORT_TEST(test_message_is_kept_and_trimmed),
        SUPPORT_TEST(test_message_is_the_threads_own),
        SUPPORT_TEST(test_long_message_is_whole),
        SUPPORT_TEST(test_log_goes_to_the_listener),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
