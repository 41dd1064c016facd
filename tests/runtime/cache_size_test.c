/* The cache's size: what goes first, what stays, and what is counted. */
#include "cache_support.h"

#include "runtime/cache/size.h"
#include "runtime/cache/usage.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What the fake teenyc makes for sm_90 takes: the directory and five files. */
enum { ENTRY = 6 * 4096 };

static bool hits(int block)
{
    teeny_artifact *artifact = compile_block(block);
    bool hit = teeny_artifact_hit(artifact);
    teeny_artifact_destroy(artifact);
    return hit;
}

static void set_limit(int entries)
{
    char text[32];
    snprintf(text, sizeof text, "%d", entries * ENTRY);
    setenv("TEENYC_CACHE_SIZE", text, 1);
}

/* Says of an entry that it was last used so many hours ago. */
static void set_age(int block, int hours)
{
    char path[1024];
    teeny_artifact *artifact = compile_block(block);
    snprintf(path, sizeof path, "%s", teeny_artifact_path(artifact));
    teeny_artifact_destroy(artifact);
    *strrchr(path, '/') = '\0';
    const struct timespec times[2] = {
        {.tv_sec = time(NULL) - hours * 3600L}, {.tv_sec = time(NULL) - hours * 3600L}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static int count_entries(void)
{
    int count = 0;
    FILE *pipe = popen("find $TEENYC_CACHE_DIR/0* -mindepth 1 -maxdepth 1 | wc -l", "r");
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static bool is_there(int block)
{
    char command[128];
    snprintf(command, sizeof command,
        "grep -q 'BLOCK %d$' $TEENYC_CACHE_DIR/*/*/vector_add.metadata", block);
    return system(command) == 0;
}

static void test_sizes_that_people_write(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {{"0", 0}, {"123", 123}, {"4K", 4096}, {"5m", 5 << 20}, {"1G", 1 << 30},
        {"2T", (uint64_t)2 << 40}, {"unlimited", UINT64_MAX}};
    static const char *const bad[] = {"", " 1", "-1", "1X", "1GB", "G", "1.5G", "99999999999999T",
        "99999999999999999999999", "0x10", "all"};
    uint64_t bytes;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(teeny_size_parse(good[i].text, &bytes));
        assert_true(bytes == good[i].bytes);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(teeny_size_parse(bad[i], &bytes));
}

static void test_wrong_size_is_an_error(void **state)
{
    (void)state;
    teeny_artifact *artifact;
    setenv("TEENYC_CACHE_SIZE", "1.5G", 1);
    assert_fails(teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", NULL, &artifact),
        TEENY_OPTION_INVALID);
    assert_contains(teeny_message(), "TEENYC_CACHE_SIZE is `1.5G`, not a size such as 500M");
}

static void test_least_recently_used_goes_first(void **state)
{
    (void)state;
    for (int block = 1; block <= 6; block++)
        assert_false(hits(block));
    for (int block = 1; block <= 6; block++)
        set_age(block, block == 2 ? 1 : 20 - block);
    assert_true(hits(1)); /* the oldest, but now just used */
    uint64_t evicted = teeny_cache_count(TEENY_CACHE_EVICTED);
    uint64_t bytes = teeny_cache_count(TEENY_CACHE_BYTES_EVICTED);
    set_limit(5);
    assert_false(hits(7));
    assert_int_equal(count_entries(), 4); /* 90 % of five */
    assert_true(is_there(1) && is_there(2) && is_there(6) && is_there(7));
    assert_int_equal(teeny_cache_count(TEENY_CACHE_EVICTED) - evicted, 3);
    assert_int_equal(teeny_cache_count(TEENY_CACHE_BYTES_EVICTED) - bytes, 3 * ENTRY);
    assert_true(hits(1) && hits(2) && hits(6) && hits(7));
    assert_contains(support_log(), "was larger than TEENYC_CACHE_SIZE: 3 entries were removed");
}

static void test_hits_are_noted_to_the_minute(void **state)
{
    (void)state;
    struct stat before, after;
    hits(1);
    set_age(1, 5);
    teeny_artifact *artifact = compile_block(1);
    char path[1024];
    snprintf(path, sizeof path, "%s", teeny_artifact_path(artifact));
    teeny_artifact_destroy(artifact);
    *strrchr(path, '/') = '\0';
    assert_int_equal(stat(path, &before), 0);
    assert_true(before.st_mtime > time(NULL) - 60);
    usleep(20000);
    assert_true(hits(1));
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
}

/* However small the cache, what was just written and what is held stay. */
static void test_entries_in_use_stay(void **state)
{
    (void)state;
    set_limit(0);
    teeny_artifact *first = compile_block(1), *same = compile_block(1), *second = compile_block(2);
    set_age(1, 50);
    assert_true(teeny_artifact_cached(second));
    assert_false(hits(3));
    assert_true(is_there(1) && is_there(2) && is_there(3));
    teeny_artifact_destroy(first);
    assert_false(hits(4));
    assert_true(is_there(1) && is_there(2) && is_there(4) && !is_there(3));
    teeny_artifact_destroy(same);
    assert_false(hits(5));
    assert_true(!is_there(1) && is_there(2) && is_there(5));
    teeny_artifact_destroy(second);
}

static int pipe_ends[2];

static void hold_until_told(void)
{
    char byte;
    teeny_artifact *artifact = compile_block(1);
    assert_int_equal(write(pipe_ends[1], "x", 1), 1);
    assert_int_equal(read(pipe_ends[0], &byte, 1), 1);
    teeny_artifact_destroy(artifact);
}

static void test_entries_that_another_process_uses_stay(void **state)
{
    (void)state;
    char byte;
    int to[2], from[2];
    assert_int_equal(pipe(to) | pipe(from), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        pipe_ends[0] = to[0];
        pipe_ends[1] = from[1];
        setenv("CMOCKA_TEST_ABORT", "1", 1);
        hold_until_told();
        _exit(0);
    }
    assert_int_equal(read(from[0], &byte, 1), 1);
    set_limit(0);
    hits(2);
    hits(3);
    assert_true(is_there(1) && !is_there(2));
    assert_int_equal(write(to[1], "x", 1), 1);
    assert_int_equal(waitpid(child, &(int){0}, 0), child);
    hits(4);
    assert_false(is_there(1));
    close(to[0]);
    close(to[1]);
    close(from[0]);
    close(from[1]);
}

/* A forked child gives up its copies; the parent's uses are still its own. */
static void test_child_that_lets_go_unlocks_nothing(void **state)
{
    (void)state;
    teeny_artifact *artifact = compile_block(1);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        teeny_artifact_destroy(artifact);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &(int){0}, 0), child);
    set_limit(0);
    hits(2);
    hits(3);
    assert_true(is_there(1) && !is_there(2));
    teeny_artifact_destroy(artifact);
}

/* The size is known without counting, and counted again when that is lost, old or nonsense. */
static void test_what_is_known_of_the_size(void **state)
{
    (void)state;
    uint64_t bytes = 0;
    hits(1);
    hits(2);
    int directory = open(support_path("cache"), O_RDONLY | O_DIRECTORY);
    assert_true(teeny_usage_add(directory, 0, &bytes));
    assert_int_equal(bytes, 2 * ENTRY);
    static const char *const lost[] = {"", "rubbish", "teeny usage 1\nbytes 1\ncounted 1\n",
        "teeny usage 1\nbytes 1\ncounted 99999999999\n", "teeny usage 1\nbytes x\ncounted 1\n"};
    for (size_t i = 0; i < sizeof lost / sizeof lost[0]; i++) {
        support_write_file(support_path("cache/usage"), lost[i]);
        assert_false(teeny_usage_add(directory, 0, &bytes));
        hits(10 + (int)i);
        assert_true(teeny_usage_add(directory, 0, &bytes));
        assert_int_equal(bytes, (3 + i) * ENTRY);
    }
    close(directory);
}

static void test_unlimited(void **state)
{
    (void)state;
    setenv("TEENYC_CACHE_SIZE", "unlimited", 1);
    for (int block = 1; block <= 5; block++)
        assert_false(hits(block));
    assert_int_equal(count_entries(), 5);
}

static void test_processes_evict_each_others_entries(void **state)
{
    (void)state;
    enum { PROCESSES = 4 };
    pid_t children[PROCESSES];
    set_limit(4);
    fflush(NULL);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            setenv("CMOCKA_TEST_ABORT", "1", 1);
            use_entries(i, 150, 12);
            _exit(0);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        waitpid(children[i], &status, 0);
        assert_int_equal(status, 0);
    }
    hits(100);
    assert_true(count_entries() <= 5);
    assert_int_equal(system("test -z \"$(find $TEENYC_CACHE_DIR -name '.teeny-*')\""), 0);
}

static void *use_and_evict(void *number)
{
    unsigned seed = (unsigned)(intptr_t)number;
    for (int i = 0; i < 60; i++) {
        const teeny_options options = {.meta = {{"BLOCK", rand_r(&seed) % 12 + 1}}};
        teeny_artifact *artifact;
        if (teeny_compile_kernel(&teeny_kernel_vector_add, "sm_90", &options, &artifact))
            return NULL;
        bool right = access(teeny_artifact_path(artifact), R_OK) == 0;
        teeny_artifact_destroy(artifact);
        if (!right)
            return NULL;
    }
    return &pipe_ends;
}

static void test_threads_evict_each_others_entries(void **state)
{
    (void)state;
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    set_limit(4);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, use_and_evict, (void *)(intptr_t)(i + 1)), 0);
    for (int i = 0; i < THREADS; i++) {
        void *right;
        pthread_join(threads[i], &right);
        assert_non_null(right);
    }
    hits(100);
    assert_true(count_entries() <= 5);
}

static void test_counters(void **state)
{
    (void)state;
    uint64_t before[TEENY_CACHE_COUNTER_COUNT], counts[TEENY_CACHE_COUNTER_COUNT];
    for (int i = 0; i < TEENY_CACHE_COUNTER_COUNT; i++)
        before[i] = teeny_cache_count((teeny_cache_counter)i);
    assert_false(hits(1));
    assert_true(hits(1));
    assert_true(hits(1));
    assert_int_equal(system("truncate -s 3 $TEENYC_CACHE_DIR/0*/*/vector_add.ptx"), 0);
    assert_false(hits(1));
    for (int i = 0; i < TEENY_CACHE_COUNTER_COUNT; i++)
        counts[i] = teeny_cache_count((teeny_cache_counter)i) - before[i];
    assert_int_equal(counts[TEENY_CACHE_HITS], 2);
    assert_int_equal(counts[TEENY_CACHE_MISSES], 2);
    assert_int_equal(counts[TEENY_CACHE_COMPILATIONS], 2);
    assert_int_equal(counts[TEENY_CACHE_PUBLISHED], 2);
    assert_int_equal(counts[TEENY_CACHE_DAMAGED], 1);
    assert_int_equal(counts[TEENY_CACHE_UNCACHED], 0);
    assert_int_equal(counts[TEENY_CACHE_BYTES_READ], counts[TEENY_CACHE_BYTES_WRITTEN]);
    assert_true(counts[TEENY_CACHE_BYTES_READ] > 500);
    assert_contains(support_log(), "is damaged: kernel `vector_add` is compiled again");
    assert_string_equal(teeny_cache_counter_name(TEENY_CACHE_BYTES_READ), "bytes_read");
    assert_string_equal(teeny_cache_counter_name((teeny_cache_counter)1000), "");
    assert_string_equal(teeny_cache_counter_explanation((teeny_cache_counter)-1), "");
    assert_int_equal(teeny_cache_count((teeny_cache_counter)1000), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST_IN_MEMORY(test_sizes_that_people_write),
        SUPPORT_TEST_IN_MEMORY(test_wrong_size_is_an_error),
        SUPPORT_TEST_IN_MEMORY(test_least_recently_used_goes_first),
        SUPPORT_TEST_IN_MEMORY(test_hits_are_noted_to_the_minute),
        SUPPORT_TEST_IN_MEMORY(test_entries_in_use_stay),
        SUPPORT_TEST_IN_MEMORY(test_entries_that_another_process_uses_stay),
        SUPPORT_TEST_IN_MEMORY(test_child_that_lets_go_unlocks_nothing),
        SUPPORT_TEST_IN_MEMORY(test_what_is_known_of_the_size),
        SUPPORT_TEST_IN_MEMORY(test_unlimited),
        SUPPORT_TEST_IN_MEMORY(test_processes_evict_each_others_entries),
        SUPPORT_TEST_IN_MEMORY(test_threads_evict_each_others_entries),
        SUPPORT_TEST_IN_MEMORY(test_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
