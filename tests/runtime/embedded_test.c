/* Kernels that were compiled ahead: which image runs where, what options may ask for, what is
 * refused and what is kept. Over the stub of the CUDA driver, each test in a process of its own. */
#include "kernels.h"
#include "support.h"

#include "runtime/embedded.h"
#include "runtime/function.h"
#include "runtime/host_cpu.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#define METADATA(target)                                                                           \
    "teeny metadata 1\nkernel = vector_add\ntarget = " target "\nresolved = " target               \
    "\nentry = vector_add\nnum-warps = 4\nshared-bytes = 0\narguments-bytes = 32\n"                \
    "parameter = 0 8 pointer out\nparameter = 8 8 pointer x\nparameter = 16 8 pointer y\n"         \
    "parameter = 24 4 i32 n\nmeta = BLOCK 1024\ntype = T bf16\n"
#define PTX(target, mark)                                                                          \
    ".version 8.0\n.target " target "\n// " mark "\n.visible .entry vector_add() { ret; }\n"
#define CUBIN(target) "\177ELF cubin for " target ";"

#define PTX_IMAGE(target, specialised)                                                             \
    {target, specialised, "ptx", METADATA(target), PTX(target, "knows " specialised ";"),          \
        sizeof PTX(target, "knows " specialised ";") - 1}
#define CUBIN_IMAGE(target)                                                                        \
    {target, "", "cubin", METADATA(target), CUBIN(target), sizeof CUBIN(target)}

static const teeny_embedded_image images[] = {
    PTX_IMAGE("sm_80", ""),
    PTX_IMAGE("sm_80", "0=16,1=16,2=16"),
    PTX_IMAGE("sm_80", "0=8"),
    PTX_IMAGE("sm_80", "0=16,1=16,2=16,3=1"),
    CUBIN_IMAGE("sm_80"),
    PTX_IMAGE("sm_90a", ""),
    CUBIN_IMAGE("sm_90a"),
    PTX_IMAGE("sm_100", ""),
};
enum { IMAGE_COUNT = sizeof images / sizeof images[0] };
static teeny_embedded embedded = {images, IMAGE_COUNT};

static teeny_kernel kernel;
static teeny_device *device;
static teeny_stream *stream;
static int (*stub_calls)(const char *name);
static const char *(*stub_loaded)(void);

/* The kernel without a text, as teenyc --emit c defines it. */
static void make_kernel(const teeny_embedded_image *first, size_t count)
{
    embedded = (teeny_embedded){first, count};
    kernel = teeny_kernel_vector_add;
    kernel.text.body = "";
    kernel.embedded = &embedded;
}

static void open_chip(const char *chip)
{
    setenv("STUB_CHIP", chip, 1);
    setenv("TEENY_LIBCUDA_PATH", STUB_CUDA_PATH, 1);
    setenv("TEENYC_PATH",
        support_script("teenyc-marks", "touch \"$(dirname \"$0\")/started\"\nexit 1"), 1);
    void *stub = dlopen(STUB_CUDA_PATH, RTLD_NOW);
    assert_non_null(stub);
    *(void **)&stub_calls = dlsym(stub, "stub_calls");
    *(void **)&stub_loaded = dlsym(stub, "stub_loaded");
    assert_ok(teeny_device_open("cuda", &device));
    assert_ok(teeny_stream_create(device, &stream));
    make_kernel(images, IMAGE_COUNT);
}

static void close_chip(void)
{
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    assert_int_not_equal(access(support_path("started"), F_OK), 0);
}

/* Adds n numbers with pointers that lie `shift` floats behind a multiple of 16 bytes. */
static teeny_status add_at(int shift, int n)
{
    static _Alignas(16) float x[64], out[64];
    struct {
        float *out;
        const float *x, *y;
        int n;
    } arguments = {out + shift, x + shift, x + shift, n};
    for (int i = 0; i < 64; i++)
        x[i] = (float)i, out[i] = 0;
    teeny_status status =
        teeny_launch(stream, &kernel, teeny_grid1(1), &arguments, sizeof arguments);
    for (int i = 0; status == TEENY_OK && i < n; i++)
        assert_true(out[shift + i] == 2 * x[shift + i]);
    return status;
}

/* ---- Which image ----------------------------------------------------------------------------- */

static size_t choose(const char *target)
{
    size_t image = IMAGE_COUNT;
    teeny_status status = teeny_embedded_choose(&kernel, target, &image);
    assert_true((status == TEENY_OK) == (image < IMAGE_COUNT));
    return image;
}

static void test_choice_among_all(void **state)
{
    (void)state;
    make_kernel(images, IMAGE_COUNT);
    assert_int_equal(choose("sm_75"), IMAGE_COUNT);
    assert_int_equal(choose("sm_80"), 4); /* the cubin before the PTX */
    assert_int_equal(choose("sm_86"), 4); /* cubins run within a major version */
    assert_int_equal(choose("sm_90"), 6); /* the very chip's own, though sm_80 runs too */
    assert_int_equal(choose("sm_100"), 7);
    assert_int_equal(choose("sm_120"), 7);
    assert_int_equal(choose("sm_103"), 7);
    assert_int_equal(choose("cpu"), IMAGE_COUNT);
    assert_int_equal(choose("emu"), IMAGE_COUNT);
    assert_int_equal(choose("sm_"), IMAGE_COUNT);
}

static void test_cubins_do_not_cross_a_major_version(void **state)
{
    (void)state;
    static const teeny_embedded_image cubins[] = {
        CUBIN_IMAGE("sm_80"), CUBIN_IMAGE("sm_86"), PTX_IMAGE("sm_75", "")};
    make_kernel(cubins, 3);
    assert_int_equal(choose("sm_80"), 0);
    assert_int_equal(choose("sm_86"), 1);
    assert_int_equal(choose("sm_89"), 1);
    assert_int_equal(choose("sm_90"), 2); /* the PTX, though it is for an older chip */
    assert_int_equal(choose("sm_75"), 2);
}

static void test_code_for_one_chip_runs_there_alone(void **state)
{
    (void)state;
    static const teeny_embedded_image own[] = {
        PTX_IMAGE("sm_90a", ""), PTX_IMAGE("sm_90", ""), CUBIN_IMAGE("sm_90")};
    make_kernel(own, 3);
    assert_int_equal(choose("sm_90"), 0); /* though there is a cubin for all of its kind */
    assert_int_equal(choose("sm_100"), 1);
    make_kernel(own, 1);
    assert_int_equal(choose("sm_100"), IMAGE_COUNT);
    assert_contains(teeny_message(), "no image of kernel `vector_add` runs on sm_100");
}

static void test_processors(void **state)
{
    (void)state;
    static const teeny_embedded_image levels[] = {{"x86-64", "", "image", "", "", 0},
        {"x86-64-v4", "", "image", "", "", 0}, {"x86-64-v2", "", "image", "", "", 0},
        {"aarch64", "", "image", "", "", 0}, {"x86-64-v3", "", "image", "", "", 0},
        {"emu", "", "image", "", "", 0}};
    static const char *const names[] = {"", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
    make_kernel(levels, 6);
#if defined(__x86_64__)
    assert_string_equal(levels[choose("cpu")].target, names[teeny_host_cpu_level()]);
    assert_int_equal(teeny_host_cpu_level() >= 3, __builtin_cpu_supports("avx2") != 0);
    assert_int_equal(teeny_host_cpu_level() == 4, __builtin_cpu_supports("avx512vl") != 0);
#else
    (void)names;
    assert_string_equal(levels[choose("cpu")].target, "aarch64");
#endif
    assert_int_equal(choose("emu"), 5);
}

static void test_choosing_wants_compiled_code(void **state)
{
    (void)state;
    size_t image;
    assert_fails(
        teeny_embedded_choose(&teeny_kernel_vector_add, "sm_90", &image), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_embedded_choose(NULL, "sm_90", &image), TEENY_INVALID_ARGUMENT);
}

/* ---- Launches -------------------------------------------------------------------------------- */

static void runs_without_a_compiler(void)
{
    open_chip("90");
    assert_ok(add_at(0, 48));
    assert_string_equal(stub_loaded(), CUBIN("sm_90a"));
    assert_int_equal(stub_calls("cuLinkCreate_v2"), 0);
    close_chip();
}

/* The context of another library, which is current, stays so. */
static void works_in_any_context(void)
{
    void *current, *foreign = &current;
    open_chip("90");
    void *stub = dlopen(STUB_CUDA_PATH, RTLD_NOW);
    int (*set_current)(void *context), (*get_current)(void **context);
    *(void **)&set_current = dlsym(stub, "cuCtxSetCurrent");
    *(void **)&get_current = dlsym(stub, "cuCtxGetCurrent");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(set_current(foreign), 0);
        assert_ok(add_at(i, 48));
        assert_int_equal(get_current(&current), 0);
        assert_ptr_equal(current, foreign);
    }
    close_chip();
    set_current(NULL);
}

static void takes_what_is_known_of_arguments(void)
{
    open_chip("80");
    make_kernel(images, 4); /* the PTX for sm_80 */
    assert_ok(add_at(1, 7));
    assert_contains(stub_loaded(), "// knows ;");
    assert_ok(add_at(0, 7));
    assert_contains(stub_loaded(), "// knows 0=16,1=16,2=16;");
    assert_ok(add_at(0, 1));
    assert_contains(stub_loaded(), "// knows 0=16,1=16,2=16,3=1;");
    int loads = stub_calls("cuModuleLoadData");
    assert_ok(add_at(0, 7));
    assert_ok(add_at(1, 9)); /* what no image asks about makes no variant */
    assert_ok(add_at(1, 7));
    assert_int_equal(stub_calls("cuModuleLoadData"), loads);
    assert_ok(add_at(2, 7)); /* 8 divides the pointers, which launches do not look for */
    assert_int_equal(stub_calls("cuModuleLoadData"), loads);
    assert_string_equal(strstr(support_log(), "runs without") ? "told" : "not told", "not told");
    close_chip();
}

/* So that there is always room for those that have code of their own. */
static void what_no_image_asks_about_makes_no_variant(void)
{
    teeny_function *function;
    static _Alignas(16) float x[8];
    struct {
        float *out;
        const float *x, *y;
        int n;
    } arguments = {x + 1, x + 1, x + 1, 1};
    open_chip("80");
    make_kernel(images, 3); /* nothing about n */
    assert_ok(teeny_load(device, &kernel, NULL, &function));
    assert_ok(teeny_launch_function(stream, function, teeny_grid1(1), &arguments, 32));
    assert_int_equal(function->variants.count, 0);
    arguments.out = x;
    assert_ok(teeny_launch_function(stream, function, teeny_grid1(1), &arguments, 32));
    assert_int_equal(function->variants.count, 1);
    teeny_unload(function);
    close_chip();
}

static void exempt_parameters_are_not_looked_at(void)
{
    teeny_function *function;
    teeny_options options = {.do_not_specialise = "0"};
    static _Alignas(16) float x[4];
    struct {
        float *out;
        const float *x, *y;
        int n;
    } arguments = {x, x, x, 1};
    open_chip("80");
    make_kernel(images, 4);
    assert_ok(teeny_load(device, &kernel, &options, &function));
    assert_ok(teeny_launch_function(stream, function, teeny_grid1(1), &arguments, 32));
    assert_contains(stub_loaded(), "// knows ;");
    teeny_unload(function);
    close_chip();
}

static void a_refused_image_gives_way(void)
{
    open_chip("90");
    setenv("STUB_REFUSE", "cubin for sm_90a", 1);
    assert_ok(add_at(1, 3));
    assert_contains(stub_loaded(), ".target sm_90a");
    assert_contains(support_log(), "the cubin for sm_90a cannot be used: ");
    close_chip();
}

static void a_refused_image_gives_way_to_an_older_one(void)
{
    open_chip("90");
    setenv("STUB_REFUSE", "sm_90a", 1);
    assert_ok(add_at(1, 3));
    assert_contains(stub_loaded(), ".target sm_80");
    assert_ok(add_at(0, 3)); /* and its variants are the older one's */
    assert_contains(stub_loaded(), "// knows 0=16,1=16,2=16;");
    close_chip();
}

static void all_refused_is_an_error(void)
{
    open_chip("90");
    setenv("STUB_REFUSE", "vector_add", 1);
    make_kernel(images, 4);
    assert_fails(add_at(1, 3), TEENY_DRIVER_TOO_OLD);
    assert_contains(teeny_message(), "PTX 8.0 of kernel `vector_add`");
    unsetenv("STUB_REFUSE");
    assert_ok(add_at(1, 3));
    close_chip();
}

static void nothing_for_this_chip_is_an_error(void)
{
    open_chip("75");
    assert_fails(add_at(1, 3), TEENY_NOT_COMPILED);
    assert_contains(teeny_message(), "kernel `vector_add` was compiled ahead for sm_80 (ptx), "
                                     "sm_80 (cubin), sm_90a (ptx), sm_90a (cubin), sm_100 (ptx); "
                                     "none of it runs on sm_75");
    close_chip();
}

/* ---- Options --------------------------------------------------------------------------------- */

static teeny_status load(teeny_options options)
{
    teeny_function *function;
    teeny_status status = teeny_load(device, &kernel, &options, &function);
    if (status == TEENY_OK)
        teeny_unload(function);
    return status;
}

static void options_choose_among_what_there_is(void)
{
    open_chip("90");
    assert_ok(load((teeny_options){.target = "sm_80"}));
    assert_contains(stub_loaded(), ".target sm_80"); /* its cubin does not run here */
    assert_ok(load((teeny_options){
        .num_warps = 4, .num_stages = 7, .meta = {{"BLOCK", 1024}}, .types = {{"T", "bf16"}}}));
    assert_fails(load((teeny_options){.target = "sm_90"}), TEENY_NOT_COMPILED);
    assert_contains(teeny_message(), "none of it runs on sm_90");
    assert_fails(load((teeny_options){.num_warps = 8}), TEENY_NOT_COMPILED);
    assert_contains(teeny_message(), "for 4 warps, not 8");
    assert_fails(load((teeny_options){.meta = {{"BLOCK", 64}}}), TEENY_NOT_COMPILED);
    assert_contains(teeny_message(), "with BLOCK = 1024, not 64");
    assert_fails(load((teeny_options){.meta = {{"BLOKC", 64}}}), TEENY_OPTION_INVALID);
    assert_fails(load((teeny_options){.types = {{"T", "f16"}}}), TEENY_NOT_COMPILED);
    assert_contains(teeny_message(), "with T = f16");
    close_chip();
}

static void the_artifact_is_at_hand(void)
{
    teeny_artifact *artifact;
    int64_t block = 0;
    open_chip("90");
    assert_ok(teeny_compile_kernel(&kernel, "sm_86", NULL, &artifact));
    assert_contains(teeny_artifact_metadata(artifact), "target = sm_80\n");
    assert_ok(teeny_artifact_meta(artifact, "BLOCK", &block));
    assert_int_equal(block, 1024);
    assert_true(teeny_artifact_hit(artifact));
    teeny_artifact_destroy(artifact);
    assert_fails(teeny_compile_kernel(&kernel, "cpu", NULL, &artifact), TEENY_NOT_COMPILED);
    assert_fails(teeny_compile_kernel(&kernel, NULL, NULL, &artifact), TEENY_NOT_COMPILED);
    close_chip();
}

/* ---- What is wrong, what is kept ------------------------------------------------------------- */

static void malformed_images_are_refused(void)
{
    static const teeny_embedded_image wrong[] = {
        {"sm_80", "", "ptx", METADATA("sm_80"), "rubbish", 7},
        {"sm_80", "", "ptx", "rubbish", PTX("sm_80", ""), sizeof PTX("sm_80", "") - 1},
        {"sm_80", "", "cubin", METADATA("sm_80"), "MZ rubbish", 10},
    };
    open_chip("80");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        make_kernel(&wrong[i], 1);
        assert_fails(add_at(1, 3), TEENY_ARTIFACT_INVALID);
    }
    make_kernel(images, IMAGE_COUNT);
    kernel.arguments_size = 40;
    assert_fails(add_at(1, 3), TEENY_ARTIFACT_INVALID);
    kernel.text.version = 1; /* whose records have no `embedded` */
    assert_fails(add_at(1, 3), TEENY_INVALID_ARGUMENT);
    close_chip();
}

static void ptx_is_compiled_once_by_the_driver(void)
{
    open_chip("80");
    for (int i = 0; i < 2; i++) {
        make_kernel(images, 1);
        assert_ok(load((teeny_options){0}));
        assert_int_equal(stub_calls("cuLinkCreate_v2"), 1);
    }
    setenv("TEENYC_CACHE_DIR", support_path("log/none"), 1); /* which can be no directory */
    support_write_file(support_path("log"), "");
    assert_ok(load((teeny_options){0}));
    assert_int_equal(stub_calls("cuLinkCreate_v2"), 2);
    close_chip();
}

static void *launch_often(void *unused)
{
    static _Alignas(16) float zeros[64];
    (void)unused;
    for (int i = 0; i < 200; i++) {
        struct {
            float *out;
            const float *x, *y;
            int n;
        } arguments = {zeros + i % 3, zeros, zeros, i % 4};
        if (teeny_launch(stream, &kernel, teeny_grid1(1), &arguments, sizeof arguments) != TEENY_OK)
            return (void *)1;
    }
    return NULL;
}

static void threads_launch_at_once(void)
{
    pthread_t threads[8];
    open_chip("80");
    make_kernel(images, 4);
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, launch_often, NULL);
    for (int i = 0; i < 8; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    close_chip();
}

#define CHILD_TEST(body)                                                                           \
    static void test_##body(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        support_in_child(body);                                                                    \
    }
#define CHILD_TESTS(X)                                                                             \
    X(runs_without_a_compiler)                                                                     \
    X(works_in_any_context)                                                                        \
    X(takes_what_is_known_of_arguments)                                                            \
    X(what_no_image_asks_about_makes_no_variant)                                                   \
    X(exempt_parameters_are_not_looked_at)                                                         \
    X(a_refused_image_gives_way)                                                                   \
    X(a_refused_image_gives_way_to_an_older_one)                                                   \
    X(all_refused_is_an_error)                                                                     \
    X(nothing_for_this_chip_is_an_error)                                                           \
    X(options_choose_among_what_there_is)                                                          \
    X(the_artifact_is_at_hand)                                                                     \
    X(malformed_images_are_refused)                                                                \
    X(ptx_is_compiled_once_by_the_driver)                                                          \
    X(threads_launch_at_once)
CHILD_TESTS(CHILD_TEST)

int main(void)
{
#define CHILD_ROW(body) SUPPORT_TEST(test_##body),
    const struct CMUnitTest tests[] = {SUPPORT_TEST(test_choice_among_all),
        SUPPORT_TEST(test_cubins_do_not_cross_a_major_version),
        SUPPORT_TEST(test_code_for_one_chip_runs_there_alone), SUPPORT_TEST(test_processors),
        SUPPORT_TEST(test_choosing_wants_compiled_code), CHILD_TESTS(CHILD_ROW)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
