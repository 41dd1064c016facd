/* A teenyc that is wrong, crashes, hangs, or hands out rubbish: each is told apart, none is
 * cached.*/
#include "kernels.h"
#include "support.h"

#include <time.h>
#include <unistd.h>

static teeny_status compile(teeny_artifact **out_artifact)
{
    return teeny_compile_kernel(&teeny_kernel_vector_add, "sm_90", NULL, out_artifact);
}

/* After the failure, a teenyc that works finds nothing in its way. */
static void expect_failure(teeny_status status, const char *part)
{
    teeny_artifact *artifact = NULL;
    assert_fails(compile(&artifact), status);
    assert_null(artifact);
    assert_contains(teeny_message(), part);
    unsetenv("FAKE_TEENYC");
    setenv("TEENYC_PATH", FAKE_TEENYC_PATH, 1);
    assert_ok(compile(&artifact));
    assert_false(teeny_artifact_hit(artifact));
    teeny_artifact_destroy(artifact);
    support_remove(support_path("cache"));
    assert_int_equal(system("test -z \"$(find $TMPDIR -name '.teeny-*')\""), 0);
}

static void expect_misbehaviour(const char *name, teeny_status status, const char *part)
{
    setenv("FAKE_TEENYC", name, 1);
    expect_failure(status, part);
}

static void expect_bad_script(const char *body, teeny_status status, const char *part)
{
    setenv("TEENYC_PATH", support_script("teenyc.sh", body), 1);
    expect_failure(status, part);
}

static void test_errors_in_the_kernel_are_handed_on(void **state)
{
    (void)state;
    expect_misbehaviour("error", TEENY_KERNEL_INVALID,
        "kernels.c:7:13: error: use of undeclared identifier 'm'\n    7 |  m");
}

static void test_wrong_options_are_told(void **state)
{
    (void)state;
    expect_misbehaviour("usage", TEENY_OPTION_INVALID, "has no meta BLOKC; it has BLOCK");
}

static void test_unknown_targets_are_told(void **state)
{
    (void)state;
    expect_misbehaviour("target", TEENY_UNKNOWN_TARGET, "there is no target '");
}

static void test_output_without_place_is_told(void **state)
{
    (void)state;
    expect_misbehaviour("output", TEENY_IO_FAILED,
        "`vector_add` is compiled to has no place: "
        "teenyc: cannot write ");
}

static void test_internal_fault_is_told(void **state)
{
    (void)state;
    expect_misbehaviour("fault", TEENY_COMPILER_FAILED, "internal fault in pass `coalesce`");
}

static void test_crash_is_told(void **state)
{
    (void)state;
    expect_misbehaviour("crash", TEENY_COMPILER_FAILED, "for kernel `vector_add`, crashed with");
}

static void test_hanging_compiler_is_stopped(void **state)
{
    (void)state;
    time_t start = time(NULL);
    setenv("TEENYC_TIMEOUT", "3", 1); /* in which the others start and end, on a busy machine too */
    expect_misbehaviour("hang", TEENY_COMPILER_TIMEOUT, "was stopped after 3 s (TEENYC_TIMEOUT)");
    assert_in_range(time(NULL) - start, 2, 60);
}

static void test_wrong_time_limit_is_an_error(void **state)
{
    (void)state;
    const char *const wrong[] = {"soon", "0", "-5", "10s", "999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        teeny_artifact *artifact;
        setenv("TEENYC_TIMEOUT", wrong[i], 1);
        assert_fails(compile(&artifact), TEENY_OPTION_INVALID);
        assert_contains(teeny_message(), wrong[i]);
    }
}

static void test_slow_compiler_is_waited_for(void **state)
{
    (void)state;
    teeny_artifact *artifact;
    setenv("FAKE_TEENYC", "slow", 1);
    assert_ok(compile(&artifact));
    teeny_artifact_destroy(artifact);
}

static void test_rubbish_is_not_taken(void **state)
{
    (void)state;
    expect_misbehaviour("nothing", TEENY_COMPILER_FAILED, "there is no vector_add.metadata");
    expect_misbehaviour("rubbish", TEENY_COMPILER_FAILED, "vector_add.metadata is malformed");
    expect_misbehaviour("rubbish-code", TEENY_COMPILER_FAILED, "vector_add.ptx is malformed");
    expect_misbehaviour("other-kernel", TEENY_COMPILER_FAILED, "that of kernel `other`");
}

static void test_rubbish_image_is_not_taken(void **state)
{
    (void)state;
    teeny_artifact *artifact;
    setenv("FAKE_TEENYC", "rubbish-code", 1);
    assert_fails(teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", NULL, &artifact),
        TEENY_COMPILER_FAILED);
    assert_contains(teeny_message(), "vector_add.image is malformed");
}

static void test_programs_that_are_no_teenyc(void **state)
{
    (void)state;
    expect_bad_script("echo gcc 12.2.0", TEENY_COMPILER_FAILED, "answers\ngcc 12.2.0");
    expect_bad_script("exit 0", TEENY_COMPILER_FAILED, "answers\nnothing");
    expect_bad_script("echo what >&2; exit 1", TEENY_COMPILER_FAILED, "answers\nwhat");
    expect_bad_script("head -c 2000000 /dev/urandom", TEENY_COMPILER_FAILED, "is not a teenyc");
    expect_bad_script("kill -ILL $$", TEENY_COMPILER_FAILED, "for its version, crashed");
    expect_bad_script("printf 'teenyc 0.1.0\\nbuild-id: ../../x\\nllvm: 1\\nenvironment: 1\\n'",
        TEENY_COMPILER_FAILED, "is not a teenyc");
    expect_bad_script("printf 'teenyc 9.9.0\\nbuild-id: ab\\nllvm: 1\\nenvironment: 2\\n'",
        TEENY_COMPILER_FAILED, "has version 2 of the kernel environment, libteeny has 1");
}

static void test_program_that_cannot_be_started(void **state)
{
    (void)state;
    const char *path = support_script("teenyc.sh", "exit 0");
    support_write_file(path, "#!/nonexistent/interpreter\n");
    setenv("TEENYC_PATH", path, 1);
    expect_failure(TEENY_COMPILER_FAILED, "could not be started for its version");
}

static void test_endless_output_is_bounded(void **state)
{
    (void)state;
    setenv("TEENYC_TIMEOUT", "1", 1);
    expect_bad_script("yes", TEENY_COMPILER_TIMEOUT, "for its version, was stopped");
}

/* ---- What it leaves behind ------------------------------------------------------------------- */

/* Runs the fake one in the end; "$out" is the directory that the files go to. */
static void expect_bad_compilation(const char *body, teeny_status status, const char *part)
{
    char script[4096];
    snprintf(script, sizeof script,
        "if [ \"$1\" = --version ]; then exec '%s' --version; fi\n"
        "for out; do :; done\n%s\nexec '%s' \"$@\"",
        FAKE_TEENYC_PATH, body, FAKE_TEENYC_PATH);
    expect_bad_script(script, status, part);
}

static void test_odd_files_are_not_taken(void **state)
{
    (void)state;
    const char *const unreadable = "the compiler's files could not be read";
    const char *const too_much = "the compiler wrote more than";
    expect_bad_compilation("mkfifo $out/fifo", TEENY_COMPILER_FAILED, unreadable);
    expect_bad_compilation("ln -s /etc/passwd $out/link", TEENY_COMPILER_FAILED, unreadable);
    expect_bad_compilation("mkdir -p $out/a/b/c", TEENY_COMPILER_FAILED, unreadable);
    expect_bad_compilation("truncate -s 1T $out/long", TEENY_COMPILER_FAILED, too_much);
    expect_bad_compilation(
        "truncate -s 200M $out/a; truncate -s 200M $out/b", TEENY_COMPILER_FAILED, too_much);
    expect_bad_compilation("i=0; while [ $i -lt 100 ]; do i=$((i+1)); : > $out/$i; done",
        TEENY_COMPILER_FAILED, too_much);
    expect_bad_compilation(
        "rm -r $out; exit 0", TEENY_COMPILER_FAILED, "did not do what a teenyc does");
}

static void test_long_complaints_are_cut(void **state)
{
    (void)state;
    expect_bad_compilation(
        "yes complaint | head -c 3000000 >&2; exit 1", TEENY_KERNEL_INVALID, "(there was more)");
    expect_bad_compilation(
        "yes | head -c 3000000; kill -SEGV $$", TEENY_COMPILER_FAILED, "signal 11");
}

static void expect_compilation(const char *path, bool hit, bool cached)
{
    teeny_artifact *artifact;
    setenv("TEENYC_PATH", path, 1);
    assert_ok(compile(&artifact));
    assert_int_equal(teeny_artifact_hit(artifact), hit);
    assert_int_equal(teeny_artifact_cached(artifact), cached);
    teeny_artifact_destroy(artifact);
}

static void test_compiler_without_outputs_to_write_to(void **state)
{
    (void)state;
    expect_compilation(
        support_script("silent.sh", "exec 2>&-\nexec '" FAKE_TEENYC_PATH "' \"$@\""), false, true);
    expect_compilation(support_script("slow.sh", "exec 2>&-\n[ \"$1\" = --version ] || exec >&-\n"
                                                 "exec '" FAKE_TEENYC_PATH "' \"$@\""),
        true, true);
}

/* What was made while one file took the place of another is right, but whose it is is not known. */
static void test_compiler_that_is_replaced_midway(void **state)
{
    (void)state;
    char script[2048];
    const char *path =
        support_script("new.sh", "FAKE_BUILD=bbbb exec '" FAKE_TEENYC_PATH "' \"$@\"");
    snprintf(script, sizeof script,
        "[ \"$1\" = --version ] || mv %s \"$0\"\nexec '" FAKE_TEENYC_PATH "' \"$@\"", path);
    path = support_script("teenyc.sh", script);
    expect_compilation(path, false, false);
    expect_compilation(path, false, true);
    expect_compilation(path, true, true);
    assert_int_equal(system("test -d $TEENYC_CACHE_DIR/bbbb && "
                            "test ! -d $TEENYC_CACHE_DIR/0123456789abcdef"),
        0);
}

static void test_compiler_that_is_replaced_while_it_says_what_it_is(void **state)
{
    (void)state;
    char script[2048];
    const char *path =
        support_script("new.sh", "FAKE_BUILD=bbbb exec '" FAKE_TEENYC_PATH "' \"$@\"");
    snprintf(script, sizeof script,
        "[ \"$1\" = --version ] && [ -e %s ] && ln \"$0\" \"$0.old\" && mv %s \"$0\" && "
        "exec \"$0\" \"$@\"\nexec '" FAKE_TEENYC_PATH "' \"$@\"",
        path, path);
    path = support_script("teenyc.sh", script);
    expect_compilation(path, false, false);
    expect_compilation(path, false, true);
    assert_int_equal(system("test -d $TEENYC_CACHE_DIR/bbbb && "
                            "test ! -d $TEENYC_CACHE_DIR/0123456789abcdef"),
        0);
    /* The first one is taken for what it is when it comes back. */
    assert_int_equal(system("mv $TEENYC_PATH.old $TEENYC_PATH"), 0);
    expect_compilation(path, false, true);
    assert_int_equal(system("test -d $TEENYC_CACHE_DIR/0123456789abcdef"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_errors_in_the_kernel_are_handed_on),
        SUPPORT_TEST(test_wrong_options_are_told),
        SUPPORT_TEST(test_unknown_targets_are_told),
        SUPPORT_TEST(test_output_without_place_is_told),
        SUPPORT_TEST(test_internal_fault_is_told),
        SUPPORT_TEST(test_crash_is_told),
        SUPPORT_TEST(test_hanging_compiler_is_stopped),
        SUPPORT_TEST(test_wrong_time_limit_is_an_error),
        SUPPORT_TEST(test_slow_compiler_is_waited_for),
        SUPPORT_TEST(test_rubbish_is_not_taken),
        SUPPORT_TEST(test_rubbish_image_is_not_taken),
        SUPPORT_TEST(test_programs_that_are_no_teenyc),
        SUPPORT_TEST(test_program_that_cannot_be_started),
        SUPPORT_TEST(test_endless_output_is_bounded),
        SUPPORT_TEST(test_odd_files_are_not_taken),
        SUPPORT_TEST(test_long_complaints_are_cut),
        SUPPORT_TEST(test_compiler_without_outputs_to_write_to),
        SUPPORT_TEST(test_compiler_that_is_replaced_midway),
        SUPPORT_TEST(test_compiler_that_is_replaced_while_it_says_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
