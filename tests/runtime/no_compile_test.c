/* Life with a compiler that must not be started: TEENY_NO_COMPILE and the option no_compile. */
#include "kernels.h"
#include "support.h"

#include <unistd.h>

static const teeny_options unusual = {
    .num_warps = 8, .num_stages = 2, .meta = {{"BLOCK", 256}}, .types = {{"T", "bf16"}}};

/* A teenyc that leaves a mark whenever it is started, for whatever. */
static void forbid_teenyc(void)
{
    setenv("TEENYC_PATH",
        support_script("teenyc-marks", "touch \"$(dirname \"$0\")/started\"\nexit 1"), 1);
}

static void assert_none_started(void)
{
    assert_int_not_equal(access(support_path("started"), F_OK), 0);
}

static teeny_status compile(const teeny_options *options, bool *out_hit)
{
    teeny_artifact *artifact = NULL;
    teeny_status status =
        teeny_compile_kernel(&teeny_kernel_vector_add, "sm_90", options, &artifact);
    if (status == TEENY_OK)
        *out_hit = teeny_artifact_hit(artifact);
    teeny_artifact_destroy(artifact);
    return status;
}

static void test_a_miss_names_the_variant(void **state)
{
    (void)state;
    bool hit = false;
    forbid_teenyc();
    setenv("TEENY_NO_COMPILE", "1", 1);
    assert_fails(compile(&unusual, &hit), TEENY_NOT_COMPILED);
    assert_contains(teeny_message(), "kernel `vector_add` is not in the cache ");
    assert_contains(teeny_message(), support_path("cache"));
    assert_contains(teeny_message(), "TEENY_NO_COMPILE");
    assert_contains(teeny_message(), "kernels.h --kernel vector_add --target sm_90 -D BLOCK=256 "
                                     "--type T=bf16 --num-warps 8 --num-stages 2");
    assert_contains(teeny_message(), "vector_add(f32 *out, const f32 *x, const f32 *y, i32 n) "
                                     "META(BLOCK = 1024)");
    assert_none_started();
}

static void test_zero_is_off(void **state)
{
    (void)state;
    bool hit = true;
    setenv("TEENY_NO_COMPILE", "0", 1);
    assert_ok(compile(&unusual, &hit));
    assert_false(hit);
}

static void test_a_hit_needs_no_compiler(void **state)
{
    (void)state;
    bool hit = false;
    assert_ok(compile(&unusual, &hit));
    forbid_teenyc();
    setenv("TEENY_NO_COMPILE", "1", 1);
    assert_ok(compile(&unusual, &hit));
    assert_true(hit);
    assert_fails(compile(NULL, &hit), TEENY_NOT_COMPILED);
    assert_none_started();
}

static void test_the_option_is_for_one_kernel(void **state)
{
    (void)state;
    bool hit = false;
    teeny_options options = {.no_compile = true};
    assert_fails(compile(&options, &hit), TEENY_NOT_COMPILED);
    assert_int_equal(support_compilations(), 0);
    assert_ok(compile(NULL, &hit));
    assert_ok(compile(&options, &hit)); /* the very same entry */
    assert_true(hit);
    assert_int_equal(support_compilations(), 1);
}

/* On a GPU: the code for any arguments does where the variant for these is missing, and the log
 * says which it is. */
static void test_a_missing_specialisation_is_told(void)
{
    teeny_device *device;
    teeny_stream *stream;
    float numbers[32] = {1};
    bool hit = false;
    setenv("TEENY_LIBCUDA_PATH", STUB_CUDA_PATH, 1);
    assert_ok(compile(NULL, &hit));
    forbid_teenyc();
    setenv("TEENY_NO_COMPILE", "1", 1);
    assert_ok(teeny_device_open("cuda", &device));
    assert_ok(teeny_stream_create(device, &stream));
    float *aligned = (float *)(((uintptr_t)numbers + 15) / 16 * 16);
    assert_ok(TEENY_LAUNCH(vector_add, stream, teeny_grid1(1), aligned, aligned, aligned, 7));
    assert_contains(support_log(), "runs without what is known of its arguments (0=16,1=16,2=16)");
    assert_contains(support_log(), "--target sm_90 --emit ttir,ptx,metadata --specialise "
                                   "0=16,1=16,2=16");
    assert_none_started();
    teeny_stream_destroy(stream);
    teeny_device_close(device);
}

static void test_specialisation(void **state)
{
    (void)state;
    support_in_child(test_a_missing_specialisation_is_told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_a_miss_names_the_variant),
        SUPPORT_TEST(test_zero_is_off),
        SUPPORT_TEST(test_a_hit_needs_no_compiler),
        SUPPORT_TEST(test_the_option_is_for_one_kernel),
        SUPPORT_TEST(test_specialisation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
