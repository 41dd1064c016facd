/* The kernels of cases.h: the examples' own, and a matrix product in single precision. */
#include "cases.h"

#include <teeny/kernel.h>

TEENY_KERNEL_DECLARE(vector_add, (f32 *out, const f32 *x, const f32 *y, i32 n), META(BLOCK = 1024));
TEENY_KERNEL_DECLARE(softmax, (f32 *out, const f32 *in, i32 columns), META(BLOCK = 1024));
TEENY_KERNEL_DECLARE(layernorm,
    (f32 *out, const f32 *in, const f32 *weight, const f32 *bias, i32 columns, f32 epsilon),
    META(BLOCK = 2048));
TEENY_KERNEL_DECLARE(matmul_pointers,
    (f16 *c, const f16 *a, const f16 *b, i32 m, i32 n, i32 k), META(BM = 128, BN = 128, BK = 64));
TEENY_KERNEL_DECLARE(matmul_tensors,
    (tl_tensor(f16, 2) c, const tl_tensor(f16, 2) a, const tl_tensor(f16, 2) b),
    META(BM = 128, BN = 128, BK = 64));
TEENY_KERNEL_DECLARE(attention,
    (f16 *out, const f16 *q, const f16 *k, const f16 *v, i32 length, f32 scale),
    META(CAUSAL = 0, D = 64, BM = 64, BN = 64));
TEENY_KERNEL_DECLARE(count_chunks, (i32 *partial, const i32 *values, i32 n),
    META(BINS = 128, CHUNK = 8192, BLOCK = 64));
TEENY_KERNEL_DECLARE(sum_partials, (i32 *histogram, const i32 *partial, i32 partials, i32 bins),
    META(BINS = 128, BLOCK = 32));

TEENY_KERNEL(matmul, (f32 *out, const f32 *a, const f32 *b, i32 rows, i32 columns, i32 inner),
    META(BM = 128, BN = 128, BK = 128), {
    tl_tile(i32, BM) i = tl_program_id(0) * BM + tl_arange(0, BM);
    tl_tile(i32, BN) j = tl_program_id(1) * BN + tl_arange(0, BN);
    tl_tile(i32, BK) k = tl_arange(0, BK);
    tl_tile(f32, BM, BN) sum = tl_zeros(f32, BM, BN);
    for (i32 first = 0; first < inner; first += BK) {
        tl_tile(i32, BM, BK) ia = tl_expand(i, 1, BK);
        tl_tile(i32, BM, BK) ka = tl_expand(k + first, 0, BM);
        tl_tile(i32, BK, BN) kb = tl_expand(k + first, 1, BN);
        tl_tile(i32, BK, BN) jb = tl_expand(j, 0, BK);
        tl_tile(f32, BM, BK) ta = tl_load(a, ia * inner + ka, (ia < rows) & (ka < inner));
        tl_tile(f32, BK, BN) tb = tl_load(b, kb * columns + jb, (kb < inner) & (jb < columns));
        sum = tl_dot(ta, tb, sum);
    }
    tl_tile(i32, BM, BN) io = tl_expand(i, 1, BN);
    tl_tile(i32, BM, BN) jo = tl_expand(j, 0, BM);
    tl_store(out, io * columns + jo, sum, (io < rows) & (jo < columns));
});

/* Softmax and layer normalisation with blocks for rows of up to 1024, 2048 and 4096 elements. */
enum { FIRST_BLOCK = 1024, BLOCKS = 3 };
static teeny_function *softmax_functions[BLOCKS], *layernorm_functions[BLOCKS];

void kernels_load(teeny_device *device)
{
    for (int i = 0; i < BLOCKS; i++) {
        teeny_options options = {.meta = {{"BLOCK", FIRST_BLOCK << i}}};
        bench_check(
            teeny_load(device, TEENY_KERNEL_OF(softmax), &options, &softmax_functions[i]));
        bench_check(
            teeny_load(device, TEENY_KERNEL_OF(layernorm), &options, &layernorm_functions[i]));
    }
}

void kernels_unload(void)
{
    for (int i = 0; i < BLOCKS; i++) {
        teeny_unload(softmax_functions[i]);
        teeny_unload(layernorm_functions[i]);
    }
}

static teeny_function *for_columns(teeny_function *const *functions, int columns)
{
    int which = 0;
    while (FIRST_BLOCK << which < columns)
        which++;
    return functions[which];
}

static int blocks(int elements, int block)
{
    return (elements + block - 1) / block;
}

teeny_status launch_add(teeny_stream *stream, struct size size, struct memory m)
{
    return TEENY_LAUNCH(vector_add, stream, teeny_grid1(blocks(size.columns, 1024)), m.out, m.x,
        m.y, size.columns);
}

teeny_status launch_softmax(teeny_stream *stream, struct size size, struct memory m)
{
    return TEENY_LAUNCH_FUNCTION(softmax, for_columns(softmax_functions, size.columns), stream,
        teeny_grid1(size.rows), m.out, m.x, size.columns);
}

teeny_status launch_layernorm(teeny_stream *stream, struct size size, struct memory m)
{
    return TEENY_LAUNCH_FUNCTION(layernorm, for_columns(layernorm_functions, size.columns), stream,
        teeny_grid1(size.rows), m.out, m.x, m.y, m.z, size.columns, 1e-5f);
}

static teeny_grid product_grid(struct size size)
{
    return teeny_grid2(blocks(size.rows, 128), blocks(size.columns, 128));
}

teeny_status launch_matmul(teeny_stream *stream, struct size size, struct memory m)
{
    return TEENY_LAUNCH(matmul, stream, product_grid(size), m.out, m.x, m.y, size.rows,
        size.columns, size.inner);
}

teeny_status launch_matmul_pointers(teeny_stream *stream, struct size size, struct memory m)
{
    return TEENY_LAUNCH(matmul_pointers, stream, product_grid(size), m.out, m.half_x, m.half_y,
        size.rows, size.columns, size.inner);
}

teeny_status launch_matmul_tensors(teeny_stream *stream, struct size size, struct memory m)
{
    return TEENY_LAUNCH(matmul_tensors, stream, product_grid(size),
        teeny_tensor(f16, m.out, (size.rows, size.columns), (size.columns, 1)),
        teeny_tensor(f16, m.half_x, (size.rows, size.inner), (size.inner, 1)),
        teeny_tensor(f16, m.half_y, (size.inner, size.columns), (size.columns, 1)));
}

teeny_status launch_attention(teeny_stream *stream, struct size size, struct memory m)
{
    return TEENY_LAUNCH(attention, stream, teeny_grid2(blocks(size.columns, 64), size.rows), m.out,
        m.half_x, m.half_y, m.half_z, size.columns, 0.5f);
}

teeny_status launch_histogram(teeny_stream *stream, struct size size, struct memory m)
{
    int partials = blocks(size.columns, 8192);
    teeny_status status =
        TEENY_LAUNCH(count_chunks, stream, teeny_grid1(partials), m.scratch, m.values,
            size.columns);
    if (status != TEENY_OK)
        return status;
    return TEENY_LAUNCH(sum_partials, stream, teeny_grid1(blocks(size.inner, 32)), m.out,
        m.scratch, partials, size.inner);
}
