/* Large tiles that go from one layout to another through shared memory in rounds, on the emu
 * device, which finds accesses outside of the memory that a program has, and barriers that are
 * missing: random pairs of layouts, and products whose results are as large as that memory. The
 * seed is fixed; LAYOUT_SEED=N in the environment takes another. */
#include "compiled.h"
#include "random_layout.h"

#include <teeny/kernel.h>
#include <teeny/teeny.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Random layouts -------------------------------------------------------------------------- */

enum { TRIALS = 24, FEWEST_BITS = 14, MOST_BITS = 15, LANE_BITS = 5 };

typedef struct tile {
    unsigned rows, columns, bytes, warps; /* bytes of an element */
} tile;

static void write_blocked(FILE *file, const char *name, unsigned warps)
{
    unsigned size[2], threads[2], per_block[2], first = random_below(2);
    random_powers(2, random_below(4), size);
    random_powers(2, LANE_BITS, threads);
    random_powers(2, (unsigned)__builtin_ctz(warps), per_block);
    fprintf(file,
        "#%s = #ttg.blocked<{sizePerThread = [%u, %u], threadsPerWarp = [%u, %u], "
        "warpsPerCTA = [%u, %u], order = [%u, %u]}>\n",
        name, size[0], size[1], threads[0], threads[1], per_block[0], per_block[1], first,
        1 - first);
}

static void write_mma(FILE *file, const char *name, unsigned warps)
{
    unsigned per_block[2];
    random_powers(2, (unsigned)__builtin_ctz(warps), per_block);
    fprintf(file,
        "#%s = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [%u, %u], "
        "instrShape = [16, 8]}>\n",
        name, per_block[0], per_block[1]);
}

/* The addresses of the tile's elements, row by row from the parameter on, as %NAME_p. */
static void write_addresses(FILE *file, const char *name, const char *parameter, const tile *t)
{
    const unsigned r = t->rows, c = t->columns, bits = 8 * t->bytes;
    const char *n = name;
    fprintf(file, "  %%%s_w = arith.constant dense<%u> : tensor<%ux1xi32, #%s>\n", n, c, r, n);
    fprintf(file,
        "  %%%s_i = tt.make_range {start = 0 : i32, end = %u : i32} : tensor<%uxi32, "
        "#ttg.slice<{dim = 1, parent = #%s}>>\n"
        "  %%%s_j = tt.make_range {start = 0 : i32, end = %u : i32} : tensor<%uxi32, "
        "#ttg.slice<{dim = 0, parent = #%s}>>\n",
        n, r, r, n, n, c, c, n);
    fprintf(file,
        "  %%%s_ic = tt.expand_dims %%%s_i {axis = 1 : i32} : tensor<%uxi32, #ttg.slice<{dim = 1, "
        "parent = #%s}>> -> tensor<%ux1xi32, #%s>\n"
        "  %%%s_jc = tt.expand_dims %%%s_j {axis = 0 : i32} : tensor<%uxi32, #ttg.slice<{dim = 0, "
        "parent = #%s}>> -> tensor<1x%uxi32, #%s>\n",
        n, n, r, n, r, n, n, n, c, n, c, n);
    fprintf(file,
        "  %%%s_is = arith.muli %%%s_ic, %%%s_w : tensor<%ux1xi32, #%s>\n"
        "  %%%s_ib = tt.broadcast %%%s_is : tensor<%ux1xi32, #%s> -> tensor<%ux%uxi32, #%s>\n"
        "  %%%s_jb = tt.broadcast %%%s_jc : tensor<1x%uxi32, #%s> -> tensor<%ux%uxi32, #%s>\n"
        "  %%%s_at = arith.addi %%%s_ib, %%%s_jb : tensor<%ux%uxi32, #%s>\n",
        n, n, n, r, n, n, n, r, n, r, c, n, n, n, c, n, r, c, n, n, n, n, r, c, n);
    fprintf(file,
        "  %%%s_s = tt.splat %%%s : !tt.ptr<i%u> -> tensor<%ux%ux!tt.ptr<i%u>, #%s>\n"
        "  %%%s_p = tt.addptr %%%s_s, %%%s_at : tensor<%ux%ux!tt.ptr<i%u>, #%s>, "
        "tensor<%ux%uxi32, #%s>\n",
        n, parameter, bits, r, c, bits, n, n, n, n, r, c, bits, n, r, c, n);
}

/* Loads a tile in one layout, and stores it in another. */
static void write_kernel(FILE *file, const tile *t)
{
    const unsigned r = t->rows, c = t->columns, bits = 8 * t->bytes;
    if (random_below(4) == 0)
        write_mma(file, "from", t->warps);
    else
        write_blocked(file, "from", t->warps);
    write_blocked(file, "to", t->warps);
    fprintf(file,
        "module attributes {\"ttg.num-warps\" = %u : i32} {\n"
        "tt.func public @k(%%out: !tt.ptr<i%u>, %%in: !tt.ptr<i%u>) {\n",
        t->warps, bits, bits);
    write_addresses(file, "from", "in", t);
    write_addresses(file, "to", "out", t);
    fprintf(file,
        "  %%x = tt.load %%from_p : tensor<%ux%ux!tt.ptr<i%u>, #from>\n"
        "  %%y = ttg.convert_layout %%x : tensor<%ux%uxi%u, #from> -> tensor<%ux%uxi%u, #to>\n"
        "  tt.store %%to_p, %%y : tensor<%ux%ux!tt.ptr<i%u>, #to>\n"
        "  tt.return\n}\n}\n",
        r, c, bits, r, c, bits, r, c, bits, r, c, bits);
}

static tile random_tile(void)
{
    unsigned bits = FEWEST_BITS + random_below(MOST_BITS - FEWEST_BITS + 1), shape[2];
    random_powers(2, bits - 8, shape);
    return (tile){16 * shape[0], 16 * shape[1], 2u << random_below(3), 4u << random_below(2)};
}

static compiled compile(const tile *t)
{
    char path[] = "/tmp/teeny-conversion-XXXXXX.ttgir";
    int descriptor = mkstemps(path, 6);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    write_kernel(file, t);
    assert_int_equal(fclose(file), 0);
    compiled kernel = compiled_from(path, t->warps);
    remove(path);
    return kernel;
}

/* True where it went in rounds. */
static bool check_conversion(const tile *t)
{
    const size_t size = (size_t)t->rows * t->columns * t->bytes;
    uint8_t *in = malloc(size), *out = calloc(size, 1);
    assert_true(in && out);
    for (size_t i = 0; i < size; i++)
        in[i] = (uint8_t)(random_below(255) + 1);
    compiled kernel = compile(t);
    struct {
        void *out, *in;
    } arguments = {NULL, NULL};
    compiled_array arrays[] = {{out, size, &arguments.out}, {in, size, &arguments.in}};
    compiled_run(&kernel, &arguments, arrays, 2, 1, 1);
    assert_memory_equal(in, out, size);
    bool in_rounds = kernel.shared_bytes > 0 && kernel.shared_bytes < size;
    printf("%4u x %4u of %u bytes, %u warps: %6u bytes of shared memory%s\n", t->rows, t->columns,
        t->bytes, t->warps, kernel.shared_bytes, in_rounds ? ", in rounds" : "");
    teeny_image_unmap(&kernel.image);
    free(in);
    free(out);
    return in_rounds;
}

static void test_random_layouts(void **state)
{
    (void)state;
    unsigned in_rounds = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        tile t = random_tile();
        in_rounds += check_conversion(&t);
    }
    assert_true(in_rounds >= TRIALS / 2);
}

/* ---- Products -------------------------------------------------------------------------------- */

TEENY_KERNEL(
    product, (f32 * c, const bf16 *a, const bf16 *b, i32 k), META(BM = 256, BN = 128, BK = 32), {
        tl_tile(i32, BM) i = tl_arange(0, BM);
        tl_tile(i32, BN) j = tl_arange(0, BN);
        tl_tile(f32, BM, BN) sum = tl_zeros(f32, BM, BN);
        for (i32 first = 0; first < k; first += BK) {
            tl_tile(i32, BK) l = first + tl_arange(0, BK);
            sum = tl_dot(tl_load(a, tl_expand(i, 1, BK) * k + tl_expand(l, 0, BM)),
                tl_load(b, tl_expand(l, 1, BN) * BN + tl_expand(j, 0, BK)), sum);
        }
        tl_store(c, tl_expand(i, 1, BN) * BN + tl_expand(j, 0, BM), sum);
    });

static teeny_device *device;
static teeny_stream *stream;

static void require(teeny_status status)
{
    if (status != TEENY_OK)
        fail_msg("%s: %s", teeny_status_name(status), teeny_message());
}

/* Small integers: their products and sums are exact. */
static int element(unsigned row, unsigned column)
{
    return (int)((row * 7 + column * 3) % 5) - 2;
}

static uint16_t bf16_of(int number)
{
    float wide = (float)number;
    uint32_t bits;
    memcpy(&bits, &wide, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static void *fill_factor(teeny_buffer **out_buffer, unsigned rows, unsigned columns)
{
    const size_t size = sizeof(uint16_t) * rows * columns;
    uint16_t *factor = malloc(size);
    assert_non_null(factor);
    for (unsigned i = 0; i < rows * columns; i++)
        factor[i] = bf16_of(element(i / columns, i % columns));
    require(teeny_buffer_create(device, size, out_buffer));
    require(teeny_buffer_write(stream, *out_buffer, 0, factor, size));
    require(teeny_stream_synchronize(stream));
    free(factor);
    return teeny_buffer_pointer(*out_buffer);
}

static void check_product(unsigned rows, unsigned columns)
{
    enum { INNER = 64 };
    const teeny_options options = {
        .num_warps = 8, .meta = {{"BM", (int64_t)rows}, {"BN", (int64_t)columns}}};
    const size_t size = sizeof(f32) * rows * columns;
    teeny_buffer *buffers[3];
    void *a = fill_factor(&buffers[0], rows, INNER), *b = fill_factor(&buffers[1], INNER, columns);
    require(teeny_buffer_create(device, size, &buffers[2]));
    const struct teeny_arguments_product arguments = {
        teeny_buffer_pointer(buffers[2]), a, b, INNER};
    teeny_function *function;
    require(teeny_load(device, TEENY_KERNEL_OF(product), &options, &function));
    require(teeny_launch_function(stream, function, teeny_grid1(1), &arguments, sizeof arguments));
    f32 *got = malloc(size);
    assert_non_null(got);
    require(teeny_buffer_read(stream, buffers[2], 0, got, size));
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < columns; j++) {
            int want = 0;
            for (unsigned k = 0; k < INNER; k++)
                want += element(i, k) * element(k, j);
            if (got[i * columns + j] != (f32)want)
                fail_msg("%u x %u: (%u, %u) is %g, not %d", rows, columns, i, j,
                    (double)got[i * columns + j], want);
        }
    free(got);
    teeny_unload(function);
    for (int i = 0; i < 3; i++)
        teeny_buffer_destroy(buffers[i]);
}

static void test_products(void **state)
{
    (void)state;
    require(teeny_device_open("emu", &device));
    require(teeny_stream_create(device, &stream));
    check_product(256, 128);
    check_product(128, 256);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
}

int main(void)
{
    const char *seed = getenv("LAYOUT_SEED");
    random_state = seed ? strtoull(seed, NULL, 0) : 1;
    printf("LAYOUT_SEED=%llu\n", (unsigned long long)random_state);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_layouts),
        cmocka_unit_test(test_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
