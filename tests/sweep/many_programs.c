/* 2^32 programs: a device runs each of them once, or says that it does not (case 40 of
 * tests/conform/cases.md).
 *
 *   many_programs DEVICE
 *
 * The number of programs wraps to 0 in 32 bits, and every program but the corners of each layer
 * does nothing. Ends with `N passed, N failed`, one test a grid.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <teeny/kernel.h>
#include <teeny/teeny.h>

/* counts[2z] and counts[2z + 1]: how often the first and the last program of layer z ran. */
TEENY_KERNEL(count_corners, (i32 * counts), META(), {
    i32 x = tl_program_id(0);
    i32 y = tl_program_id(1);
    i32 z = tl_program_id(2);
    if (x == 0 && y == 0)
        counts[2 * z] += 1;
    if (x == tl_num_programs(0) - 1 && y == tl_num_programs(1) - 1)
        counts[2 * z + 1] += 1;
});

enum { LAYERS = 16 };

static const teeny_grid grids[] = {{16384, 16384, LAYERS}, {65536, 65536, 1}, {2147483647, 1, 3}};

static void require(teeny_status status)
{
    if (status == TEENY_OK)
        return;
    fprintf(stderr, "%s: %s\n", teeny_status_name(status), teeny_message());
    exit(1);
}

/* Refused, with a message that counts the programs or names the dimension that is too long. */
static bool is_refused_by_name(teeny_status status, const teeny_grid *grid)
{
    char all[64], y[64];
    snprintf(all, sizeof all, "a grid of %lld x %lld x %lld programs", (long long)grid->x,
        (long long)grid->y, (long long)grid->z);
    snprintf(y, sizeof y, "grid dimension y is %lld", (long long)grid->y);
    return status == TEENY_INVALID_GRID &&
           (strstr(teeny_message(), all) || strstr(teeny_message(), y));
}

static bool check(teeny_stream *stream, teeny_buffer *buffer, const teeny_grid *grid)
{
    i32 counts[2 * LAYERS] = {0};
    require(teeny_buffer_write(stream, buffer, 0, counts, sizeof counts));
    teeny_status status = TEENY_LAUNCH(count_corners, stream, *grid, teeny_buffer_pointer(buffer));
    if (status != TEENY_OK) {
        printf("%s: %s\n", teeny_status_name(status), teeny_message());
        return is_refused_by_name(status, grid);
    }
    require(teeny_buffer_read(stream, buffer, 0, counts, sizeof counts));
    for (i32 i = 0; i < 2 * LAYERS; i++) {
        const i32 expected = i < 2 * grid->z;
        if (counts[i] == expected)
            continue;
        printf("%lld x %lld x %lld: the %s program of layer %d ran %d times, not %d\n",
            (long long)grid->x, (long long)grid->y, (long long)grid->z, i % 2 ? "last" : "first",
            i / 2, counts[i], expected);
        return false;
    }
    return true;
}

int main(int count, char **words)
{
    teeny_device *device;
    teeny_stream *stream;
    teeny_buffer *buffer;
    int passed = 0, failed = 0;
    require(teeny_device_open(count > 1 ? words[1] : "cpu", &device));
    require(teeny_stream_create(device, &stream));
    require(teeny_buffer_create(device, 2 * LAYERS * sizeof(i32), &buffer));
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        *(check(stream, buffer, &grids[i]) ? &passed : &failed) += 1;
    teeny_buffer_destroy(buffer);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
