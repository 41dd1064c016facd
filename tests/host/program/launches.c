/* Launches alone, with no header of the C library: what a host program compiles to elsewhere. */
#include "kernels.h"

teeny_status launch_all(teeny_stream *stream, f32 *out, const f32 *x, u8 *bytes, i64 *words, i32 n);

teeny_status launch_all(teeny_stream *stream, f32 *out, const f32 *x, u8 *bytes, i64 *words, i32 n)
{
    const teeny_grid grid = teeny_grid3(n, 2, 1);
    teeny_status status = TEENY_LAUNCH(scale, stream, grid, out, x, 1.5f, n);
    if (status != TEENY_OK)
        return status;
    return TEENY_LAUNCH(mix, stream, grid, bytes, (f64)n, -1, words, n > 0);
}
