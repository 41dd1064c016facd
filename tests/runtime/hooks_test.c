/* Hooks: what they are told, in which order, and what is refused. */
#include "hooks.h"

/* ---- Order ----------------------------------------------------------------------------------- */

static char trace[1024];

static const char *kind_name(teeny_hook_kind kind)
{
    return kind == TEENY_HOOK_COMPILE ? "compile" : kind == TEENY_HOOK_LOAD ? "load" : "launch";
}

/* "a(launch" where it begins, "launch)a" where it ends. */
static void write_trace(const teeny_hook_record *record, void *user)
{
    size_t length = strlen(trace);
    const char *name = user, *kind = kind_name(record->kind);
    snprintf(trace + length, sizeof trace - length, record->is_exit ? "%2$s)%1$s " : "%1$s(%2$s ",
        name, kind);
}

static void test_order_and_nesting(void **state)
{
    (void)state;
    char a[] = "a", b[] = "b";
    teeny_hook all = {.kinds = 7, .function = write_trace, .user = a};
    teeny_hook two = {
        .kinds = TEENY_HOOK_LOAD | TEENY_HOOK_LAUNCH, .function = write_trace, .user = b};
    teeny_hook_registration *first = hook_register(&all), *second = hook_register(&two);
    trace[0] = '\0';
    assert_ok(hook_launch(teeny_grid1(1)));
    assert_string_equal(trace, "a(launch b(launch a(compile compile)a a(load b(load load)b load)a "
                               "launch)b launch)a ");
    trace[0] = '\0';
    assert_ok(hook_launch(teeny_grid1(1)));
    assert_string_equal(trace, "a(launch b(launch launch)b launch)a ");
    teeny_hook_unregister(first);
    trace[0] = '\0';
    assert_ok(hook_launch(teeny_grid1(1)));
    assert_string_equal(trace, "b(launch launch)b ");
    teeny_hook_unregister(second);
    trace[0] = '\0';
    assert_ok(hook_launch(teeny_grid1(1)));
    assert_string_equal(trace, "");
}

/* A record of another version may have anything where this one has a name. */
static void test_what_is_no_kernel_is_not_read(void **state)
{
    (void)state;
    static char name[] = "a";
    static teeny_kernel kernel;
    teeny_artifact *artifact;
    teeny_function *function;
    teeny_hook all = {.kinds = 7, .function = write_trace, .user = name};
    teeny_hook_registration *registration = hook_register(&all);
    kernel = (teeny_kernel){.text = {.version = TEENY_DESCRIPTOR_VERSION + 1, .name = (char *)1}};
    trace[0] = '\0';
    assert_fails(
        teeny_launch(hook_stream, &kernel, teeny_grid1(1), hook_values, 4), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "this kernel was built with version");
    assert_fails(teeny_compile_kernel(&kernel, "cpu", NULL, &artifact), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_load(hook_device, &kernel, NULL, &function), TEENY_INVALID_ARGUMENT);
    const teeny_compile_item item = {.kernel = &kernel, .target = "cpu"};
    assert_fails(teeny_compile_many(&item, 1, 1, NULL), TEENY_INVALID_ARGUMENT);
    assert_string_equal(trace, "");
    teeny_hook_unregister(registration);
}

static bool had_target;

static void read_target(const teeny_hook_record *record, void *user)
{
    (void)user;
    had_target = record->target != NULL;
}

static void test_a_compilation_without_a_target_is_told_with_an_empty_one(void **state)
{
    (void)state;
    teeny_artifact *artifact;
    const teeny_hook hook = {.kinds = TEENY_HOOK_COMPILE, .function = read_target};
    teeny_hook_registration *registration = hook_register(&hook);
    assert_fails(teeny_compile_kernel(TEENY_KERNEL_OF(vector_add), NULL, NULL, &artifact),
        TEENY_UNKNOWN_TARGET);
    assert_true(had_target);
    teeny_hook_unregister(registration);
}

/* ---- What is told ---------------------------------------------------------------------------- */

/* The fields that outlive the call, and what the artifact said. */
static struct {
    teeny_hook_record record;
    bool has_artifact;
    bool is_hit;
    float *out;
} told[32];
static unsigned told_count;

static void collect(const teeny_hook_record *record, void *user)
{
    assert_ptr_equal(user, told);
    told[told_count].record = *record;
    told[told_count].has_artifact = record->artifact != NULL;
    told[told_count].is_hit = record->artifact && teeny_artifact_hit(record->artifact);
    if (record->arguments)
        memcpy(&told[told_count].out, record->arguments, sizeof(float *));
    told_count++;
}

static void expect(
    unsigned index, teeny_hook_kind kind, bool is_exit, bool has_artifact, teeny_device *on)
{
    const teeny_hook_record *record = &told[index].record;
    assert_int_equal(record->kind, kind);
    assert_int_equal(record->is_exit, is_exit);
    assert_int_equal(told[index].has_artifact, has_artifact);
    assert_string_equal(record->kernel, "vector_add");
    assert_string_equal(record->target, "cpu");
    assert_ptr_equal(record->device, on);
    assert_int_equal(record->status, TEENY_OK);
    assert_int_equal(record->nanoseconds != 0, is_exit);
    assert_int_not_equal(record->number, 0);
}

static void expect_launch(unsigned index)
{
    const teeny_hook_record *record = &told[index].record;
    assert_ptr_equal(record->stream, hook_stream);
    assert_int_equal(record->grid.x, 3);
    assert_int_equal(record->grid.y, 2);
    assert_int_equal(record->grid.z, 1);
    assert_int_equal(record->arguments_size, 32);
    assert_ptr_equal(told[index].out, hook_values);
}

static void test_what_is_told(void **state)
{
    (void)state;
    teeny_hook hook = {.kinds = 7, .function = collect, .user = told};
    teeny_hook_registration *registration = hook_register(&hook);
    told_count = 0;
    assert_ok(hook_launch(teeny_grid2(3, 2)));
    assert_ok(hook_launch(teeny_grid2(3, 2)));
    teeny_hook_unregister(registration);
    assert_int_equal(told_count, 8);
    expect(0, TEENY_HOOK_LAUNCH, false, false, hook_device);
    expect(1, TEENY_HOOK_COMPILE, false, false, NULL);
    expect(2, TEENY_HOOK_COMPILE, true, true, NULL);
    assert_false(told[2].is_hit);
    expect(3, TEENY_HOOK_LOAD, false, true, hook_device);
    expect(4, TEENY_HOOK_LOAD, true, true, hook_device);
    expect(5, TEENY_HOOK_LAUNCH, true, true, hook_device);
    expect(6, TEENY_HOOK_LAUNCH, false, true, hook_device);
    expect(7, TEENY_HOOK_LAUNCH, true, true, hook_device);
    expect_launch(0);
    expect_launch(5);
    expect_launch(7);
    assert_true(told[0].record.number == told[5].record.number);
    assert_true(told[1].record.number == told[2].record.number);
    assert_true(told[0].record.number != told[1].record.number);
    assert_true(told[5].record.number != told[6].record.number);
    assert_true(told[5].record.nanoseconds >= told[2].record.nanoseconds);
}

static void test_functions_and_compilations_alone(void **state)
{
    (void)state;
    teeny_hook hook = {.kinds = 7, .function = collect, .user = told};
    teeny_function *function;
    teeny_artifact *artifact;
    assert_ok(teeny_load(hook_device, TEENY_KERNEL_OF(vector_add), NULL, &function));
    teeny_hook_registration *registration = hook_register(&hook);
    told_count = 0;
    assert_ok(TEENY_LAUNCH_FUNCTION(vector_add, function, hook_stream, teeny_grid2(3, 2),
        hook_values, hook_values, hook_values, 16));
    assert_ok(teeny_compile_kernel(TEENY_KERNEL_OF(vector_add), "cpu", NULL, &artifact));
    teeny_hook_unregister(registration);
    teeny_artifact_destroy(artifact);
    assert_int_equal(told_count, 4);
    expect(0, TEENY_HOOK_LAUNCH, false, true, hook_device);
    expect(1, TEENY_HOOK_LAUNCH, true, true, hook_device);
    expect_launch(1);
    expect(2, TEENY_HOOK_COMPILE, false, false, NULL);
    expect(3, TEENY_HOOK_COMPILE, true, true, NULL);
    assert_true(told[3].is_hit);
    teeny_unload(function);
}

/* Its own failures must not replace the message that the host program is about to read. */
static void fail_itself(const teeny_hook_record *record, void *user)
{
    teeny_device *none;
    collect(record, user);
    assert_fails(teeny_device_open("nowhere", &none), TEENY_UNKNOWN_DEVICE);
}

static void test_failures(void **state)
{
    (void)state;
    teeny_hook hook = {.kinds = 7, .function = fail_itself, .user = told};
    teeny_hook_registration *registration = hook_register(&hook);
    told_count = 0;
    assert_fails(hook_launch(teeny_grid1(-1)), TEENY_INVALID_GRID);
    assert_contains(teeny_message(), "negative");
    assert_int_equal(told_count, 6);
    assert_int_equal(told[5].record.status, TEENY_INVALID_GRID);
    assert_false(told[5].has_artifact);

    told_count = 0;
    setenv("FAKE_TEENYC", "error", 1);
    teeny_artifact *artifact;
    teeny_options options = {.num_warps = 2};
    teeny_status status =
        teeny_compile_kernel(TEENY_KERNEL_OF(vector_add), "cpu", &options, &artifact);
    assert_int_not_equal(status, TEENY_OK);
    assert_null(strstr(teeny_message(), "nowhere"));
    assert_int_equal(told_count, 2);
    assert_int_equal(told[1].record.status, status);
    assert_false(told[1].has_artifact);
    teeny_hook_unregister(registration);
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void test_wrong_arguments(void **state)
{
    (void)state;
    unsigned counted = 0;
    teeny_hook hook = {.kinds = TEENY_HOOK_LAUNCH, .function = hook_count, .user = &counted};
    teeny_hook_registration *all[TEENY_HOOK_LIMIT], *more = NULL;
    assert_fails(teeny_hook_register(NULL, &more), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_hook_register(&hook, NULL), TEENY_INVALID_ARGUMENT);
    teeny_hook none = {.kinds = TEENY_HOOK_LAUNCH};
    assert_fails(teeny_hook_register(&none, &more), TEENY_INVALID_ARGUMENT);
    hook.kinds = 0;
    assert_fails(teeny_hook_register(&hook, &more), TEENY_INVALID_ARGUMENT);
    hook.kinds = 8;
    assert_fails(teeny_hook_register(&hook, &more), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "0x8");
    hook.kinds = TEENY_HOOK_LAUNCH;
    for (int i = 0; i < TEENY_HOOK_LIMIT; i++)
        all[i] = hook_register(&hook);
    assert_fails(teeny_hook_register(&hook, &more), TEENY_OUT_OF_MEMORY);
    assert_ok(hook_launch(teeny_grid1(1)));
    assert_int_equal(counted, 2 * TEENY_HOOK_LIMIT);
    for (int i = 0; i < TEENY_HOOK_LIMIT; i++)
        teeny_hook_unregister(all[i]);
    teeny_hook_unregister(NULL);
    assert_null(more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOOK_TEST(test_order_and_nesting),
        HOOK_TEST(test_what_is_no_kernel_is_not_read),
        HOOK_TEST(test_a_compilation_without_a_target_is_told_with_an_empty_one),
        HOOK_TEST(test_what_is_told),
        HOOK_TEST(test_functions_and_compilations_alone),
        HOOK_TEST(test_failures),
        HOOK_TEST(test_wrong_arguments),
    };
    return cmocka_run_group_tests_name("hooks", tests, NULL, NULL);
}
