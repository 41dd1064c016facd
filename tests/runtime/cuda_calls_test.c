/* Every call of the CUDA driver fails, in turn and with each kind of error: the call above it fails
 * with a message that names the driver's, or a warning does; nothing leaks or hangs; the thread's
 * own context is put back; and where the context lives on, so does the library.
 *
 * A process opens the driver once, so each case has a process of its own. Which calls there are is
 * counted, not listed.
 */
#include "scenario.h"
#include "support.h"

#include "base/files.h"
#include "runtime/cuda/symbols.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <glob.h>
#include <sanitizer/lsan_interface.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum extent { ONCE, CONTEXT_FROM_THEN, ALL_FROM_THEN }; /* as stub_cuda.c has them */
enum { SECONDS = 60, MOST_CALLS = 5000 };

static int (*stub_calls)(const char *name);
static void (*stub_fail_nth)(int nth, int error, int extent);
static const char *(*stub_failed)(void);
static int (*stub_left_behind)(void);
static int (*stub_live)(void);
static void *(*stub_current)(void);
static void (*stub_make_current)(void *context);

static char other; /* context of somebody else, which is current all along */
static scenario_report report;

static void find(void *stub, const char *name, void *out_function)
{
    void *address = dlsym(stub, name);
    assert_non_null(address);
    memcpy(out_function, &address, sizeof address);
}

static void open_stub(void)
{
    void *stub = dlopen(STUB_CUDA_PATH, RTLD_NOW);
    assert_non_null(stub);
    find(stub, "stub_calls", &stub_calls);
    find(stub, "stub_fail_nth", &stub_fail_nth);
    find(stub, "stub_failed", &stub_failed);
    find(stub, "stub_left_behind", &stub_left_behind);
    find(stub, "stub_live", &stub_live);
    find(stub, "stub_current", &stub_current);
    find(stub, "stub_make_current", &stub_make_current);
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static const struct error {
    int number;
    teeny_status status; /* that it becomes, where a device was opened */
    const char *words;   /* of the message */
} errors[] = {
    {2, TEENY_OUT_OF_MEMORY, ""},
    {46, TEENY_DEVICE_FAILED, "another process"},
    {100, TEENY_NO_DEVICE, ""},
    {201, TEENY_DEVICE_LOST, "open it again"},
    {209, TEENY_ARTIFACT_INVALID, ""},
    {214, TEENY_DEVICE_LOST, "start the process again"},
    {218, TEENY_ARTIFACT_INVALID, ""},
    {222, TEENY_DRIVER_TOO_OLD, "ptx_version"},
    {700, TEENY_DEVICE_LOST, "start the process again"},
    {709, TEENY_DEVICE_LOST, "open it again"},
    {719, TEENY_DEVICE_LOST, "start the process again"},
    {803, TEENY_NO_DRIVER, "restart the machine"},
    {804, TEENY_NO_DRIVER, "forward-compatibility"},
    {900, TEENY_DEVICE_FAILED, "end the capture"},
    {999, TEENY_DEVICE_FAILED, ""},
};

enum { ERRORS = sizeof errors / sizeof errors[0] };

/* ---- One case -------------------------------------------------------------------------------- */

/* What parent and child both see. */
static struct plan {
    int nth;
    struct error error;
    enum extent extent;
    bool looks_for_leaks; /* it takes longer than all the rest */
    bool has_failed;      /* there was an nth call */
} *plan;

static void complain(const char *what)
{
    print_error("call %d (%s) with error %d, extent %d: %s\n%s\nlog:\n%s\n", plan->nth,
        stub_failed() ? stub_failed() : "none", plan->error.number, (int)plan->extent, what,
        report.messages, support_log());
    _exit(1);
}

/* The driver's name is as its documentation has it: without the version of the function. */
static bool names(const char *text, const char *name)
{
    char plain[128], number[16];
    snprintf(plain, sizeof plain, "%s", name);
    char *version = strstr(plain, "_v");
    if (version)
        *version = '\0';
    snprintf(number, sizeof number, "(%d)", plan->error.number);
    const char *at = strstr(text, plain);
    return at && (strstr(at, number) || strstr(at, "finds no GPU") || strstr(at, "PTX"));
}

/* The names of errors are asked for where something else has failed already. */
static bool is_about_errors(const char *name)
{
    return strncmp(name, "cuGetError", 10) == 0;
}

static void check_report(void)
{
    const char *failed = stub_failed();
    if (report.is_wrong)
        complain("a result is wrong, and nothing was said");
    if (!failed || is_about_errors(failed))
        return;
    if (!names(report.messages, failed) && !names(support_log(), failed))
        complain("nothing names the call that failed");
    if (report.first == TEENY_OK)
        return;
    if (report.first != plan->error.status && report.first != TEENY_NO_DRIVER)
        complain("the status is not the one of this error");
    if (!strstr(report.messages, plan->error.words))
        complain("the message does not say what to do");
}

/* Where the call failed that puts the context back there is nothing more to be done. */
static void check_context(const char *step)
{
    bool can_be_away = stub_failed() && (strcmp(stub_failed(), "cuCtxSetCurrent") == 0 ||
                                            plan->extent == ALL_FROM_THEN);
    if (stub_current() != &other && !can_be_away)
        complain(step);
    stub_make_current(&other);
}

static void check_live(int least, int most)
{
    if (stub_live() >= least && stub_live() <= most)
        return;
    print_error("%d objects of the driver are left, not %d to %d\n", stub_live(), least, most);
    complain("leak");
}

static void run_again(void)
{
    int left = stub_live();
    stub_fail_nth(0, 0, 0);
    scenario_run("cuda:0", check_context, &report);
    check_report();
    if (report.first != TEENY_OK)
        complain("the library is not usable afterwards");
    check_live(left, left);
}

static void run_case(void)
{
    enum { OBJECTS_A_CALL = 2 }; /* that one call to free something frees */
    alarm(SECONDS);
    open_stub();
    stub_make_current(&other);
    stub_fail_nth(plan->nth, plan->error.number, (int)plan->extent);
    scenario_run("cuda:0", check_context, &report);
    plan->has_failed = stub_failed() != NULL;
    check_report();
    check_live(0, OBJECTS_A_CALL * stub_left_behind());
    if (plan->extent == ONCE)
        run_again();
    if (plan->looks_for_leaks && __lsan_do_recoverable_leak_check())
        complain("leak of the library's own");
}

/* ---- All cases ------------------------------------------------------------------------------- */

/* In memory where that can be had: what is published is synced, some thousand times here. */
static char cache[64];

static void choose_cache(void)
{
    strcpy(cache, "/dev/shm/teeny-test-XXXXXX");
    if (!mkdtemp(cache))
        snprintf(cache, sizeof cache, "%s", support_path("cache"));
    setenv("TEENYC_CACHE_DIR", cache, 1);
}

/* The driver's compilations, which would spare later cases the calls for them. */
static void forget_cubins(void)
{
    glob_t found;
    char pattern[128];
    snprintf(pattern, sizeof pattern, "%s/*/*/sm_*", cache);
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        teeny_remove_tree(AT_FDCWD, found.gl_pathv[i]);
    globfree(&found);
}

static bool is_whole; /* not a sample */

static void fail_nth(int nth, const struct error *error, enum extent extent)
{
    *plan = (struct plan){
        .nth = nth, .error = *error, .extent = extent, .looks_for_leaks = is_whole || nth % 4 == 0};
    support_in_child(run_case);
    forget_cubins();
}

static int setup(void **state)
{
    int failed = support_setup(state);
    setenv("TEENY_LIBCUDA_PATH", STUB_CUDA_PATH, 1);
    setenv("STUB_DEVICES", "2", 1);
    choose_cache();
    plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return failed || plan == MAP_FAILED;
}

static int teardown(void **state)
{
    support_remove(cache);
    munmap(plan, sizeof *plan);
    return support_teardown(state);
}

static void reach_every_function(void)
{
#define ROW(member, symbol, parameters) #symbol,
    static const char *const symbols[] = {TEENY_CUDA_TABLE(ROW)};
    int missing = 0;
    open_stub();
    scenario_run("cuda:0", NULL, &report);
    assert_int_equal(report.first, TEENY_OK);
    assert_false(report.is_wrong);
    stub_fail_nth(10, 2, ONCE); /* whose name is asked for */
    scenario_run("cuda:0", NULL, &report);
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        if (stub_calls(symbols[i]))
            continue;
        print_error("the scenario does not reach %s\n", symbols[i]);
        missing++;
    }
    assert_int_equal(missing, 0);
}

static void test_the_scenario_reaches_every_function(void **state)
{
    (void)state;
    support_in_child(reach_every_function);
}

/* Each `stride`-th call fails, with one error after the other. */
static void fail_each(size_t first_error, int stride, enum extent extent)
{
    int nth = 1 - stride;
    do {
        nth += stride;
        fail_nth(nth, &errors[(first_error + (size_t)nth) % ERRORS], extent);
    } while (plan->has_failed && nth < MOST_CALLS);
    assert_in_range(nth, 50, MOST_CALLS - 1);
}

/* Every other call with one of the errors, or every call with all of them. */
static void test_each_call_fails_once(void **state)
{
    (void)state;
    size_t passes = is_whole ? ERRORS : 1;
    for (size_t pass = 0; pass < passes; pass++)
        fail_each(pass, is_whole ? 1 : 2, ONCE);
}

static void test_each_call_fails_and_takes_the_context_with_it(void **state)
{
    (void)state;
    fail_each(0, is_whole ? 1 : 7, CONTEXT_FROM_THEN);
}

static void test_each_call_fails_and_all_behind_it(void **state)
{
    (void)state;
    fail_each(7, is_whole ? 1 : 7, ALL_FROM_THEN);
}

#define CALLS_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

/* With an argument, every call with every error. */
int main(int count, char **arguments)
{
    (void)arguments;
    is_whole = count > 1;
    const struct CMUnitTest tests[] = {
        CALLS_TEST(test_the_scenario_reaches_every_function),
        CALLS_TEST(test_each_call_fails_once),
        CALLS_TEST(test_each_call_fails_and_takes_the_context_with_it),
        CALLS_TEST(test_each_call_fails_and_all_behind_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
