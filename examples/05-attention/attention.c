/* Attention in one pass over the keys, plain and causal by META. See README.md. */
#include <teeny/kernel.h>
#include <teeny/teeny.h>

#include "../example.h"

TEENY_DECL(enum { HEAD = 64, ROWS = 64 };);

/* out = softmax(q k^T * scale) v for every head, matrices of length x D. One program makes BM rows
 * of one head. It walks over blocks of BN keys and keeps for each row the largest score so far, the
 * sum of exp(score - largest), and that sum with each term times its value. Where a block brings a
 * larger score, both sums shrink to fit. The matrix of all scores never exists. */
TEENY_KERNEL(attention, (f16 *out, const f16 *q, const f16 *k, const f16 *v, i32 length, f32 scale),
    META(CAUSAL = 0, D = HEAD, BM = ROWS, BN = 64), {
    const i32 head = tl_program_id(1) * length * D;
    const i32 first_row = tl_program_id(0) * BM;
    tl_tile(i32, BM) i = first_row + tl_arange(0, BM);
    tl_tile(i32, D) d = tl_arange(0, D);
    tl_tile(i32, BM, D) at = head + tl_expand(i, 1, D) * D + tl_expand(d, 0, BM);
    tl_tile(bool, BM, D) inside = tl_expand(i, 1, D) < length;
    tl_tile(f16, BM, D) query = tl_load(q, at, inside);

    tl_tile(f32, BM) largest = tl_full(f32, -INFINITY, BM);
    tl_tile(f32, BM) sum = tl_zeros(f32, BM);
    tl_tile(f32, BM, D) values = tl_zeros(f32, BM, D);
    const i32 end = CAUSAL && first_row + BM < length ? first_row + BM : length;
    for (i32 first = 0; first < end; first += BN) {
        tl_tile(i32, BN) j = first + tl_arange(0, BN);
        tl_tile(i32, BN, D) key_at = head + tl_expand(j, 1, D) * D + tl_expand(d, 0, BN);
        tl_tile(bool, BN, D) key_inside = tl_expand(j, 1, D) < length;
        tl_tile(f16, BN, D) key = tl_load(k, key_at, key_inside);
        tl_tile(f32, BM, BN) score = tl_dot(query, tl_trans(key), tl_zeros(f32, BM, BN)) * scale;
        score = tl_where(tl_expand(j, 0, BM) < length, score, -INFINITY);
        if (CAUSAL)
            score = tl_where(tl_expand(j, 0, BM) <= tl_expand(i, 1, BN), score, -INFINITY);

        tl_tile(f32, BM) larger = tl_maximum(largest, tl_max(score, 1, BM));
        tl_tile(f32, BM) shrink = tl_exp(largest - larger);
        tl_tile(f32, BM, BN) weight = tl_exp(score - tl_expand(larger, 1, BN));
        sum = sum * shrink + tl_sum(weight, 1, BM);
        values = tl_dot(tl_cast(f16, weight), tl_load(v, key_at, key_inside),
            values * tl_expand(shrink, 1, D));
        largest = larger;
    }
    tl_store(out, at, tl_cast(f16, values / tl_expand(sum, 1, D)), inside);
});

enum { HEADS = 3, LENGTH = 701, ELEMENTS = HEADS * LENGTH * HEAD, BYTES = ELEMENTS * sizeof(f16) };

/* One row of the output in double, from its scores against the first `keys` keys. */
static void expected_row(double *row, const double *q, const double *k, const double *v, int keys,
    double scale)
{
    double sum = 0;
    for (int d = 0; d < HEAD; d++)
        row[d] = 0;
    for (int j = 0; j < keys; j++, k += HEAD, v += HEAD) {
        double score = 0;
        for (int d = 0; d < HEAD; d++)
            score += q[d] * k[d];
        const double weight = exp(score * scale);
        sum += weight;
        for (int d = 0; d < HEAD; d++)
            row[d] += weight * v[d];
    }
    for (int d = 0; d < HEAD; d++)
        row[d] /= sum;
}

static double largest_error(const f16 *out, const double *q, const double *k, const double *v,
    double scale, bool is_causal)
{
    double error = 0;
    for (int head = 0; head < HEADS; head++, k += LENGTH * HEAD, v += LENGTH * HEAD)
        for (int i = 0; i < LENGTH; i++, q += HEAD, out += HEAD) {
            double row[HEAD];
            expected_row(row, q, k, v, is_causal ? i + 1 : LENGTH, scale);
            for (int d = 0; d < HEAD; d++)
                error = example_worse(error, (double)out[d] - row[d]);
        }
    return error;
}

int main(void)
{
    const f32 scale = 0.5f;
    f16 *q = example_random_halves(ELEMENTS, 1), *k = example_random_halves(ELEMENTS, 2);
    f16 *v = example_random_halves(ELEMENTS, 3);
    f16 *out = example_memory(BYTES), *poison = example_poisoned(BYTES);
    double *plain_q = example_doubles(q, ELEMENTS), *plain_k = example_doubles(k, ELEMENTS);
    double *plain_v = example_doubles(v, ELEMENTS);

    teeny_device *device;
    teeny_stream *stream;
    example_check(teeny_device_open("auto", &device));
    example_check(teeny_stream_create(device, &stream));
    teeny_buffer *device_q = example_upload(device, stream, q, BYTES);
    teeny_buffer *device_k = example_upload(device, stream, k, BYTES);
    teeny_buffer *device_v = example_upload(device, stream, v, BYTES);
    teeny_buffer *device_out = example_upload(device, stream, poison, BYTES);

    example_report_device(device);
    int status = 0;
    for (int is_causal = 0; is_causal < 2; is_causal++) {
        /* One text, two compilations: META is constant, and `if (CAUSAL)` gone in either. */
        const teeny_options options = {.meta = {{"CAUSAL", is_causal}}};
        teeny_function *function;
        example_check(teeny_load(device, TEENY_KERNEL_OF(attention), &options, &function));
        example_check(teeny_buffer_write(stream, device_out, 0, poison, BYTES));
        double seconds = INFINITY;
        for (int repeat = 0; repeat < 10; repeat++) {
            const double start = example_seconds();
            example_check(TEENY_LAUNCH_FUNCTION(attention, function, stream,
                teeny_grid2((LENGTH + ROWS - 1) / ROWS, HEADS), teeny_buffer_pointer(device_out),
                teeny_buffer_pointer(device_q), teeny_buffer_pointer(device_k),
                teeny_buffer_pointer(device_v), LENGTH, scale));
            example_check(teeny_stream_synchronize(stream));
            seconds = fmin(seconds, example_seconds() - start);
        }
        example_check(teeny_buffer_read(stream, device_out, 0, out, BYTES));

        const double scores = (double)HEADS * LENGTH * LENGTH / (is_causal ? 2 : 1);
        example_report_artifact(TEENY_KERNEL_OF(attention), teeny_function_artifact(function));
        printf("size:     %d heads of %d x %d, %s\n", HEADS, LENGTH, HEAD,
            is_causal ? "causal" : "every key");
        printf("rate:     %.1f GFlop/s\n", 4 * HEAD * scores / seconds / 1e9);
        const double error = largest_error(out, plain_q, plain_k, plain_v, scale, is_causal);
        status |= example_verdict(error, 1e-3);
        teeny_unload(function);
    }

    teeny_buffer_destroy(device_q);
    teeny_buffer_destroy(device_k);
    teeny_buffer_destroy(device_v);
    teeny_buffer_destroy(device_out);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    free(q);
    free(k);
    free(v);
    free(out);
    free(poison);
    free(plain_q);
    free(plain_k);
    free(plain_v);
    return status;
}
