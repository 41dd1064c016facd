/* A C file that knows the kernels by their declarations alone. */
#include "engine.h"

int run_c(teeny_device *device, f32 bias)
{
    engine engine = {0};
    engine_open(&engine, device);
    u8 *small = teeny_buffer_pointer(engine.small);
    const teeny_grid grid = teeny_grid1((ELEMENTS + SCALE_BLOCK - 1) / SCALE_BLOCK);
    engine_check(&engine, TEENY_LAUNCH(scale, engine.stream, grid, teeny_buffer_pointer(engine.out),
                              teeny_buffer_pointer(engine.x), 2, ELEMENTS));
    engine_check(&engine, TEENY_LAUNCH(mix, engine.stream, teeny_grid1(1), small, 1234, -7,
                              (i64 *)(void *)(small + 8), 1));
    engine_check(
        &engine, TEENY_LAUNCH(own, engine.stream, teeny_grid1(1), (i32 *)(void *)(small + 16)));
    engine_check(
        &engine, TEENY_LAUNCH(one_u16, engine.stream, teeny_grid1(1), (u16 *)(void *)(small + 20)));
    engine_check(&engine, TEENY_LAUNCH(nothing, engine.stream, teeny_grid1(1)));
    engine_compare(&engine, 2, bias);
    engine_close(&engine);
    return engine.mistakes;
}
