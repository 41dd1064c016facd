/* A host program whose kernel gdb stops in: see debug_test.py, which knows its lines by their
 * markers, and docs/debugging.md, which shows the transcript. */
#include <teeny/kernel.h>
#include <teeny/teeny.h>

#include <stdio.h>

TEENY_DEVICE(f32, squared, (f32 x), {
    f32 product = x * x; /* in the helper */
    return product;
});

TEENY_KERNEL(saxpy, (f32 *y, const f32 *x, f32 a, i32 n), META(BLOCK = 64), {
    i32 start = tl_program_id(0) * BLOCK; /* first */
    f32 factor = squared(a);              /* call */
    tl_tile(i32, BLOCK) i = start + tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) values = tl_load(x, i, i < n) * factor; /* load */
    for (i32 k = 0; k < n; k += 50)
        values = values + 1.0f; /* turn */
    tl_store(y, i, values, i < n); /* store */
});

static bool succeeds(teeny_status status)
{
    if (status != TEENY_OK)
        fprintf(stderr, "%s\n", teeny_message());
    return status == TEENY_OK;
}

int main(void)
{
    enum { COUNT = 100 };
    static f32 x[COUNT], y[COUNT];
    teeny_device *device;
    teeny_stream *stream;
    for (int i = 0; i < COUNT; i++)
        x[i] = (f32)i;
    if (!succeeds(teeny_device_open("cpu", &device)) ||
        !succeeds(teeny_stream_create(device, &stream)))
        return 1;
    bool is_right = succeeds(TEENY_LAUNCH(saxpy, stream, teeny_grid1(2), y, x, 3.0f, COUNT)) &&
                    succeeds(teeny_stream_synchronize(stream));
    printf("y[99] = %g\n", (double)y[99]);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    return is_right ? 0 : 1;
}
