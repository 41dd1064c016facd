/* Status codes, the calling thread's message, and the log. */
#include "support.h"

#include "runtime/report.h"

#include <pthread.h>

static void test_every_code_has_name_and_explanation(void **state)
{
    (void)state;
    for (int code = TEENY_OK; code <= TEENY_IN_CALLBACK; code++) {
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

/* A message that needs no memory takes the place of one that had some. */
static void *fail_without_memory(void *argument)
{
    teeny_message_set(TEENY_IO_FAILED, "with memory");
    teeny_message_set_static("without");
    *(bool *)argument = strcmp(teeny_message(), "without") == 0;
    return NULL;
}

static pthread_key_t later_key; /* its destructors run behind those of libteeny's key */

static void fail_at_the_end(void *argument)
{
    bool had_none = teeny_message()[0] == '\0';
    teeny_message_set(TEENY_IO_FAILED, "at the end");
    *(bool *)argument = had_none && strcmp(teeny_message(), "at the end") == 0;
}

static void *end_with_a_failure(void *argument)
{
    teeny_message_set(TEENY_IO_FAILED, "before the end");
    pthread_setspecific(later_key, argument);
    return NULL;
}

static void test_messages_of_threads_that_end(void **state)
{
    (void)state;
    void *(*const bodies[])(void *) = {fail_without_memory, end_with_a_failure};
    teeny_message_set(TEENY_IO_FAILED, "so that there is a key");
    assert_int_equal(pthread_key_create(&later_key, fail_at_the_end), 0);
    for (size_t i = 0; i < 2; i++) {
        pthread_t thread;
        bool good = false;
        assert_int_equal(pthread_create(&thread, NULL, bodies[i], &good), 0);
        pthread_join(thread, NULL);
        assert_true(good);
    }
    pthread_key_delete(later_key);
}

static void use_all_keys(void)
{
    pthread_key_t key;
    while (pthread_key_create(&key, NULL) == 0)
        continue;
    teeny_message_set(TEENY_IO_FAILED, "there is no place for this");
    assert_string_equal(teeny_message(), teeny_status_explanation(TEENY_IO_FAILED));
}

/* The process has no key left: key 0 is somebody else's. */
static void test_messages_without_a_key(void **state)
{
    (void)state;
    support_in_child(use_all_keys);
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
        SUPPORT_TEST(test_messages_without_a_key), /* first: a message makes the key */
        SUPPORT_TEST(test_every_code_has_name_and_explanation),
        SUPPORT_TEST(test_message_is_kept_and_trimmed),
        SUPPORT_TEST(test_message_is_the_threads_own),
        SUPPORT_TEST(test_messages_of_threads_that_end),
        SUPPORT_TEST(test_long_message_is_whole),
        SUPPORT_TEST(test_log_goes_to_the_listener),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
