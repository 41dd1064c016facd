/* Vector add at every n from 0 to 4100, for BLOCK 64 to 4096, with guard words around each buffer.
 *
 *   vector_add_sweep DEVICE [TARGET]    runs the sweep on cpu, emu, cuda:0 or auto; the target is
 *                                       the device's own, or an older one of its kind
 *   vector_add_sweep --step STEP DEVICE only at every STEP-th n, an odd number
 *   vector_add_sweep --compile TARGET   only compiles, into the cache: for a machine without teenyc
 *
 * Each n runs twice: with pointers that are multiples of 16 bytes, and with pointers shifted by
 * n % 4, (n + 1) % 4 and (n + 2) % 4 elements, so that every alignment to an element occurs and
 * launches specialise on each combination. A program has 1, 2, 4 or 8 warps. Ends with
 * `N passed, N failed`, one test a BLOCK.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <teeny/kernel.h>
#include <teeny/teeny.h>

TEENY_KERNEL(vector_add, (f32 *out, const f32 *x, const f32 *y, i32 n), META(BLOCK = 1024), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i, i < n) + tl_load(y, i, i < n), i < n);
});

enum { LARGEST_N = 4100, SMALLEST_BLOCK = 64, LARGEST_BLOCK = 4096, GUARD = 64 };
enum { WORDS = GUARD + 4 + LARGEST_N + LARGEST_BLOCK + GUARD };
/* NaNs with faces: around what is read, and around what is written. They differ, since the sum of two
 * NaNs may be either of them. */
static const u32 poison = 0x7fc0dead, guard = 0x7fc0beef;

typedef struct sweep {
    teeny_device *device;
    teeny_stream *stream;
    teeny_buffer *x, *y, *out;
    i32 step; /* between one n and the next */
    u32 host_x[WORDS], host_y[WORDS], host_out[WORDS];
} sweep;

static void require(teeny_status status)
{
    if (status == TEENY_OK)
        return;
    fprintf(stderr, "%s: %s\n", teeny_status_name(status), teeny_message());
    exit(1);
}

static u32 bits_of(f32 number)
{
    u32 bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static f32 number_of(u32 bits)
{
    f32 number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Numbers where the kernel may read, `outside` everywhere else. */
static void fill(u32 *words, i32 begin, i32 n, u32 seed, u32 outside)
{
    u32 state = seed;
    for (i32 i = 0; i < WORDS; i++) {
        state = state * 1664525u + 1013904223u;
        bool is_inside = i >= begin && i < begin + n;
        words[i] = is_inside ? bits_of((f32)(i32)(state >> 8) / 8388608.0f) : outside;
    }
}

static teeny_options options_for(i32 block, const char *target)
{
    i32 step = 0;
    while (SMALLEST_BLOCK << step < block)
        step++;
    return (teeny_options){
        .num_warps = 1 << step % 4, .target = target, .meta = {{"BLOCK", block}}};
}

/* The index of the first wrong word of `out`, or -1. */
static i32 first_wrong(const sweep *sweep, i32 n, i32 out_at, i32 x_at, i32 y_at)
{
    for (i32 i = 0; i < WORDS; i++) {
        i32 element = i - out_at;
        u32 expected = guard;
        if (element >= 0 && element < n)
            expected = bits_of(number_of(sweep->host_x[x_at + element]) +
                               number_of(sweep->host_y[y_at + element]));
        if (sweep->host_out[i] != expected)
            return i;
    }
    return -1;
}

static bool check_n(sweep *sweep, teeny_function *function, i32 block, i32 n, bool is_shifted)
{
    const i32 out_at = GUARD + (is_shifted ? n % 4 : 0);
    const i32 x_at = GUARD + (is_shifted ? (n + 1) % 4 : 0);
    const i32 y_at = GUARD + (is_shifted ? (n + 2) % 4 : 0);
    fill(sweep->host_x, x_at, n, (u32)n + 1, poison);
    fill(sweep->host_y, y_at, n, (u32)n + 2, poison);
    fill(sweep->host_out, 0, 0, 0, guard);
    require(teeny_buffer_write(sweep->stream, sweep->x, 0, sweep->host_x, sizeof sweep->host_x));
    require(teeny_buffer_write(sweep->stream, sweep->y, 0, sweep->host_y, sizeof sweep->host_y));
    require(
        teeny_buffer_write(sweep->stream, sweep->out, 0, sweep->host_out, sizeof sweep->host_out));
    require(TEENY_LAUNCH_FUNCTION(vector_add, function, sweep->stream,
        teeny_grid1((n + block - 1) / block), (f32 *)teeny_buffer_pointer(sweep->out) + out_at,
        (f32 *)teeny_buffer_pointer(sweep->x) + x_at, (f32 *)teeny_buffer_pointer(sweep->y) + y_at,
        n));
    require(
        teeny_buffer_read(sweep->stream, sweep->out, 0, sweep->host_out, sizeof sweep->host_out));
    const i32 wrong = first_wrong(sweep, n, out_at, x_at, y_at);
    if (wrong >= 0)
        printf("BLOCK %d, n %d: word %d of out, element %d, is %08x\n", block, n, wrong,
            wrong - out_at, sweep->host_out[wrong]);
    return wrong < 0;
}

static bool check_block(sweep *sweep, i32 block, const char *target)
{
    const teeny_options options = options_for(block, target);
    teeny_function *function;
    require(teeny_load(sweep->device, TEENY_KERNEL_OF(vector_add), &options, &function));
    bool is_right = true;
    for (i32 n = 0; n <= LARGEST_N && is_right; n += sweep->step)
        is_right = check_n(sweep, function, block, n, false) &&
                   check_n(sweep, function, block, n, true);
    teeny_unload(function);
    printf("BLOCK %4d: %s\n", block, is_right ? "right at every n" : "WRONG");
    return is_right;
}

static int run(const char *device, const char *target, i32 step)
{
    static sweep sweep;
    sweep.step = step;
    require(teeny_device_open(device, &sweep.device));
    require(teeny_stream_create(sweep.device, &sweep.stream));
    require(teeny_buffer_create(sweep.device, sizeof sweep.host_x, &sweep.x));
    require(teeny_buffer_create(sweep.device, sizeof sweep.host_y, &sweep.y));
    require(teeny_buffer_create(sweep.device, sizeof sweep.host_out, &sweep.out));
    printf("device %s (%s)\n", teeny_device_name(sweep.device), teeny_device_model(sweep.device));
    int passed = 0, failed = 0;
    for (i32 block = SMALLEST_BLOCK; block <= LARGEST_BLOCK; block *= 2)
        *(check_block(&sweep, block, target) ? &passed : &failed) += 1;
    teeny_buffer_destroy(sweep.x);
    teeny_buffer_destroy(sweep.y);
    teeny_buffer_destroy(sweep.out);
    teeny_stream_destroy(sweep.stream);
    teeny_device_close(sweep.device);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

static int compile(const char *target)
{
    for (i32 block = SMALLEST_BLOCK; block <= LARGEST_BLOCK; block *= 2) {
        const teeny_options options = options_for(block, NULL);
        teeny_artifact *artifact;
        require(teeny_compile_kernel(TEENY_KERNEL_OF(vector_add), target, &options, &artifact));
        teeny_artifact_destroy(artifact);
    }
    return 0;
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "--compile") == 0)
        return compile(words[2]);
    if (count == 4 && strcmp(words[1], "--step") == 0 && atoi(words[2]) > 0)
        return run(words[3], NULL, atoi(words[2]));
    return run(count > 1 ? words[1] : "auto", count > 2 ? words[2] : NULL, 1);
}
