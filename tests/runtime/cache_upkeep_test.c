/* teeny/cache.h and the command `teeny cache`: listing, verifying, collecting, clearing. */
#include "cache_support.h"

#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BUILD "0123456789abcdef"

enum { ENTRY = 6 * 4096 }; /* of what the fake teenyc makes for sm_90 */

static void fill(int first, int last)
{
    for (int block = first; block <= last; block++)
        teeny_artifact_destroy(compile_block(block));
}

static int run(const char *command)
{
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What `teeny cache ARGUMENTS` prints, and how it ends. */
static const char *teeny_cache(const char *arguments, int expected)
{
    static char text[65536];
    char command[1024];
    snprintf(command, sizeof command, "'%s' cache %s 2>&1", TEENY_COMMAND_PATH, arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    text[fread(text, 1, sizeof text - 1, pipe)] = '\0';
    int status = pclose(pipe);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != expected)
        fail_msg("teeny cache %s: status %#x\n%s", arguments, status, text);
    return text;
}

struct seen {
    size_t count;
    uint64_t bytes;
    char problem[128];
    char path[1024];
    int64_t last_used;
};

static void see(const teeny_cache_item *item, void *context)
{
    struct seen *seen = context;
    seen->count++;
    seen->bytes += item->bytes;
    snprintf(seen->path, sizeof seen->path, "%s", item->path);
    snprintf(seen->problem, sizeof seen->problem, "%s", item->problem ? item->problem : "");
    assert_true(item->used >= seen->last_used);
    seen->last_used = item->used;
    if (item->problem)
        return;
    assert_string_equal(item->kernel, "vector_add");
    assert_string_equal(item->target, "sm_90");
    assert_string_equal(item->compiler, BUILD);
    assert_true(item->created > (time(NULL) - 60) * (int64_t)1000000000);
    assert_int_equal(access(item->path, X_OK), 0);
}

static void test_list(void **state)
{
    (void)state;
    struct seen seen = {0};
    assert_ok(teeny_cache_list(see, &seen));
    assert_int_equal(seen.count, 0);
    fill(1, 3);
    assert_ok(teeny_cache_list(see, &seen));
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.bytes, 3 * ENTRY);
    const char *text = teeny_cache("list", 0);
    assert_contains(text, "KERNEL                   TARGET     SIZE    AGE   USED  COMPILER\n");
    assert_contains(text, "vector_add               sm_90       24K");
    assert_contains(text, "  0123456789ab\n");
    assert_contains(text, "3 entries, 72K\n");
    assert_contains(teeny_cache("list --paths", 0), support_path("cache/" BUILD "/"));
    assert_fails(teeny_cache_list(NULL, NULL), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_cache_verify(NULL, NULL, NULL), TEENY_INVALID_ARGUMENT);
}

/* Ways to spoil an entry, a shell's words with the entry as $1, and what verify calls them. */
static const struct {
    const char *command;
    const char *problem;
} spoils[] = {
    {"truncate -s 3 $1/vector_add.ptx", "it is altered or incomplete"},
    {"printf x >> $1/vector_add.ttir", "it is altered or incomplete"},
    {"rm $1/manifest", "it is altered or incomplete"},
    {"rm $1/vector_add.c", "it is altered or incomplete"},
    {"chmod 666 $1/vector_add.c", "it is altered or incomplete"},
    {"chmod 770 $1", "others may write to it"},
    {"mv $1 $TMPDIR/real; ln -s $TMPDIR/real $1", "it is a symbolic link"},
    {"rm -r $1; touch $1", "it is no directory"},
    {"mkdir -m 700 $1/sm_90-cuda-13.0; touch $1/sm_90-cuda-13.0/manifest",
        "a cubin in it is altered, incomplete or open to others"},
};

static void spoil(const char *command)
{
    char line[1024];
    snprintf(line, sizeof line, "set -- $(ls -d $TEENYC_CACHE_DIR/" BUILD "/*) && %s", command);
    assert_int_equal(run(line), 0);
}

static void test_verify_names_what_is_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof spoils / sizeof spoils[0]; i++) {
        struct seen seen = {0};
        size_t count = 0;
        support_remove(support_path("cache"));
        support_remove(support_path("real"));
        fill(1, 3);
        assert_ok(teeny_cache_verify(see, &seen, &count));
        assert_int_equal(seen.count, 0);
        assert_int_equal(count, 3);
        spoil(spoils[i].command);
        assert_ok(teeny_cache_verify(see, &seen, NULL));
        assert_int_equal(seen.count, 1);
        assert_string_equal(seen.problem, spoils[i].problem);
        const char *text = teeny_cache("verify", 1);
        assert_contains(text, seen.path);
        assert_contains(text, spoils[i].problem);
        assert_contains(text, "3 entries, 1 bad\n");
    }
}

static void test_collect_removes_what_is_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof spoils / sizeof spoils[0]; i++) {
        teeny_cache_upkeep done;
        struct seen seen = {0};
        support_remove(support_path("cache"));
        support_remove(support_path("real"));
        fill(1, 3);
        spoil(spoils[i].command);
        assert_ok(teeny_cache_collect(NULL, &done));
        assert_int_equal(done.damaged, 1);
        assert_int_equal(done.outdated + done.evicted + done.in_use, 0);
        assert_int_equal(done.entries, 2);
        assert_int_equal(done.bytes, 2 * ENTRY);
        assert_ok(teeny_cache_verify(see, &seen, NULL));
        assert_int_equal(seen.count, 0);
        teeny_cache("verify", 0);
    }
}

static void test_links_are_not_followed(void **state)
{
    (void)state;
    fill(1, 2);
    spoil("mv $1 $TMPDIR/real; ln -s $TMPDIR/real $1");
    assert_int_equal(mkdir(support_path("elsewhere"), 0700), 0);
    assert_int_equal(symlink(support_path("elsewhere"), support_path("cache/abc")), 0);
    assert_int_equal(mkdir(support_path("elsewhere/" BUILD BUILD), 0700), 0);
    assert_contains(teeny_cache("verify", 1), "cache/abc: kernel ? for ?: it is a symbolic link\n");
    teeny_cache("gc --size 0", 0);
    teeny_cache("clear", 0);
    assert_int_equal(access(support_path("cache/abc"), F_OK), 0);
    assert_int_equal(access(support_path("elsewhere/" BUILD BUILD), F_OK), 0);
    assert_int_equal(access(support_path("real/vector_add.ptx"), F_OK), 0);
}

static void test_collect_makes_room(void **state)
{
    (void)state;
    teeny_cache_upkeep done;
    fill(1, 5);
    teeny_artifact *held = compile_block(1);
    assert_fails(teeny_cache_collect("much", &done), TEENY_OPTION_INVALID);
    assert_ok(teeny_cache_collect("72K", &done));
    assert_int_equal(done.evicted, 2);
    assert_int_equal(done.freed, 2 * ENTRY);
    assert_int_equal(done.entries, 3);
    assert_int_equal(done.in_use, 1); /* the one that was not used for longest */
    assert_ok(teeny_cache_collect("0", &done));
    assert_int_equal(done.evicted, 2);
    assert_int_equal(done.entries, 1);
    assert_int_equal(done.in_use, 1);
    assert_int_equal(access(teeny_artifact_path(held), R_OK), 0);
    teeny_artifact_destroy(held);
    fill(1, 5);
    assert_contains(teeny_cache("gc --size=72K", 0),
        "removed: 0 damaged, 0 outdated, 2 others, 48K in all; 0 "
        "leftovers\nleft: 3 entries, 72K\n");
    setenv("TEENYC_CACHE_SIZE", "30K", 1);
    assert_contains(teeny_cache("gc", 0), "left: 1 entry, 24K\n");
    assert_contains(teeny_cache("gc --size 1.5G", 2),
        "teeny cache gc: `1.5G` is not a size such as 500M or 2G, or `unlimited`");
}

static void test_collect_removes_entries_of_compilers_that_are_gone(void **state)
{
    (void)state;
    teeny_cache_upkeep done;
    support_install_build("one", "aaaa");
    fill(1, 2);
    support_install_build("two", "bbbb");
    fill(1, 3);
    assert_ok(teeny_cache_collect(NULL, &done));
    assert_int_equal(done.outdated, 0);
    assert_int_equal(unlink(support_path("one")), 0);
    assert_ok(teeny_cache_collect(NULL, &done));
    assert_int_equal(done.outdated, 2);
    assert_int_equal(done.entries, 3);
    assert_int_equal(access(support_path("cache/aaaa"), F_OK), -1);
    /* With no compiler at all the entries are all there is, and stay. */
    assert_int_equal(unlink(support_path("two")), 0);
    assert_ok(teeny_cache_collect(NULL, &done));
    assert_int_equal(done.outdated, 0);
    assert_int_equal(done.entries, 3);
}

static void test_collect_removes_leftovers(void **state)
{
    (void)state;
    teeny_cache_upkeep done;
    fill(1, 1);
    assert_int_equal(run("cd $TEENYC_CACHE_DIR && mkdir -p -m 700 .teeny-1/x " BUILD "/.teeny-2"
                         " " BUILD "/*/.teeny-3 compilers/.teeny-4 $TMPDIR/.teeny-5 && "
                         "mkdir -m 700 .teeny-young && "
                         "touch -d 2000-01-01 $(find . $TMPDIR -name '.teeny-[1-5]')"),
        0);
    assert_ok(teeny_cache_collect(NULL, &done));
    assert_int_equal(done.damaged, 0);
    assert_true(done.leftovers >= 5); /* there may be more, of other programs, in /tmp */
    assert_int_equal(run("test -z \"$(find $TEENYC_CACHE_DIR $TMPDIR -name '.teeny-[1-5]')\""), 0);
    assert_int_equal(access(support_path("cache/.teeny-young"), F_OK), 0);
}

/* A cache directory that is somebody's home: what is not the cache's stays. */
static void test_clear_removes_only_what_is_the_caches(void **state)
{
    (void)state;
    teeny_cache_upkeep done;
    fill(1, 3);
    teeny_artifact *held = compile_block(2);
    assert_int_equal(
        run("cd $TEENYC_CACHE_DIR && touch letter cafe && mkdir -m 700 photos photos/" BUILD BUILD
            " beef beef/photos && mkdir -p bad/" BUILD BUILD " && chmod 775 bad"
            " && touch beef/letter " BUILD "/letter"),
        0);
    assert_ok(teeny_cache_clear(&done));
    assert_int_equal(done.evicted, 2);
    assert_int_equal(done.in_use, 1);
    assert_int_equal(done.entries, 1);
    assert_int_equal(access(teeny_artifact_path(held), R_OK), 0);
    teeny_artifact_destroy(held);
    assert_ok(teeny_cache_clear(NULL));
    assert_int_equal(
        run("cd $TEENYC_CACHE_DIR && test -f letter -a -f cafe -a -d photos/" BUILD BUILD
            " -a -d bad/" BUILD BUILD " -a -d beef/photos -a -f beef/letter -a -f " BUILD
            "/letter"),
        0);
    assert_contains(teeny_cache("list", 0), "0 entries, 0B\n");
    fill(1, 1);
}

static void test_unsafe_directories_are_refused(void **state)
{
    (void)state;
    static const char *const actions[] = {"list", "verify", "gc", "clear"};
    fill(1, 2);
    assert_int_equal(chmod(support_path("cache"), 0770), 0);
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        assert_contains(teeny_cache(actions[i], 1), "may be written by others (mode 0770)");
    assert_int_equal(chmod(support_path("cache"), 0700), 0);
    assert_int_equal(rename(support_path("cache"), support_path("real")), 0);
    assert_int_equal(symlink("real", support_path("cache")), 0);
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        assert_contains(teeny_cache(actions[i], 1), "is a symbolic link");
    assert_fails(teeny_cache_clear(NULL), TEENY_CACHE_UNSAFE);
    setenv("TEENYC_CACHE_DIR", support_path("real"), 1);
    assert_contains(teeny_cache("list", 0), "2 entries");
    setenv("TEENYC_CACHE_DIR", "/proc/version/nowhere", 1);
    assert_fails(teeny_cache_collect(NULL, NULL), TEENY_IO_FAILED);
    assert_contains(teeny_message(), "the cache /proc/version/nowhere cannot be used: ");
}

static void visit_none(const teeny_cache_item *item, void *context)
{
    (void)context;
    fail_msg("there is an entry at %s", item->path);
}

/* It is empty, and still not there when all have looked. */
static void test_directory_that_is_not_there(void **state)
{
    (void)state;
    size_t count = 1;
    teeny_cache_upkeep done;
    assert_ok(teeny_cache_list(visit_none, NULL));
    assert_ok(teeny_cache_verify(visit_none, NULL, &count));
    assert_int_equal(count, 0);
    assert_ok(teeny_cache_collect(NULL, &done));
    assert_int_equal(done.entries, 0);
    assert_ok(teeny_cache_clear(&done));
    assert_int_equal(access(support_path("cache"), F_OK), -1);
    assert_contains(teeny_cache("list", 1), "there is no directory ");
}

/* What cannot be trusted is left alone, and said to be there. */
static void test_levels_that_are_not_trusted_are_told_of(void **state)
{
    (void)state;
    fill(1, 2);
    assert_int_equal(run("chmod 775 $TEENYC_CACHE_DIR/" BUILD), 0);
    assert_contains(teeny_cache("verify", 1), "/" BUILD ": kernel ? for ?: others may write to it");
    assert_contains(teeny_cache("gc", 0), "1 that cannot be trusted; `teeny cache verify` names");
    assert_contains(teeny_cache("clear", 0), "1 that cannot be trusted");
    assert_int_equal(run("chmod 700 $TEENYC_CACHE_DIR/" BUILD), 0);
    assert_null(strstr(teeny_cache("gc", 0), "trusted"));
}

static void test_usage(void **state)
{
    (void)state;
    assert_contains(teeny_cache("", 2), "teeny cache: list, verify, gc or clear?");
    assert_contains(teeny_cache("empty", 2), "teeny cache: there is no action 'empty'");
    assert_contains(teeny_cache("list --size 3", 2), "teeny cache list: there is no option");
    assert_contains(teeny_cache("gc --size", 2), "teeny cache gc: --size needs an argument");
    assert_contains(teeny_cache("clear all", 2), "teeny cache clear: it takes no arguments: 'all'");
    assert_contains(teeny_cache("--help", 0), "usage: teeny cache list");
    assert_contains(teeny_cache("gc --help", 0), "usage: teeny cache list");
}

/* Programs go on while others look after the cache, and nothing that verify sees is ever bad. */
static void test_upkeep_beside_running_programs(void **state)
{
    (void)state;
    enum { PROCESSES = 3 };
    pid_t children[PROCESSES];
    fflush(NULL);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            setenv("CMOCKA_TEST_ABORT", "1", 1);
            use_entries(i, 80, 8);
            _exit(0);
        }
    }
    for (int running = PROCESSES, round = 0; running; round++) {
        struct seen seen = {0};
        int status;
        assert_ok(teeny_cache_verify(see, &seen, NULL));
        if (seen.count)
            fail_msg("%s: %s", seen.path, seen.problem);
        assert_ok(round % 2 ? teeny_cache_clear(NULL) : teeny_cache_collect("48K", NULL));
        while (running && waitpid(-1, &status, WNOHANG) > 0) {
            assert_int_equal(status, 0);
            running--;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST_IN_MEMORY(test_list),
        SUPPORT_TEST_IN_MEMORY(test_verify_names_what_is_bad),
        SUPPORT_TEST_IN_MEMORY(test_collect_removes_what_is_bad),
        SUPPORT_TEST_IN_MEMORY(test_links_are_not_followed),
        SUPPORT_TEST_IN_MEMORY(test_collect_makes_room),
        SUPPORT_TEST(test_collect_removes_entries_of_compilers_that_are_gone),
        SUPPORT_TEST_IN_MEMORY(test_collect_removes_leftovers),
        SUPPORT_TEST_IN_MEMORY(test_clear_removes_only_what_is_the_caches),
        SUPPORT_TEST_IN_MEMORY(test_unsafe_directories_are_refused),
        SUPPORT_TEST_IN_MEMORY(test_directory_that_is_not_there),
        SUPPORT_TEST_IN_MEMORY(test_levels_that_are_not_trusted_are_told_of),
        SUPPORT_TEST_IN_MEMORY(test_usage),
        SUPPORT_TEST_IN_MEMORY(test_upkeep_beside_running_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
