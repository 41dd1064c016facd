// A C++ file that knows the kernels by their declarations alone.
#include "engine.h"

int run_cpp(teeny_device *device, f32 bias)
{
    engine engine = {};
    engine_open(&engine, device);
    auto *small = static_cast<u8 *>(teeny_buffer_pointer(engine.small));
    const teeny_grid grid = teeny_grid1((ELEMENTS + SCALE_BLOCK - 1) / SCALE_BLOCK);
    teeny_function *function = nullptr;
    teeny_options options = {};
    options.meta[0] = {"BLOCK", SCALE_BLOCK};
    engine_check(&engine, teeny_load(device, TEENY_KERNEL_OF(scale), &options, &function));
    engine_check(&engine, TEENY_LAUNCH_FUNCTION(scale, function, engine.stream, grid,
                              static_cast<f32 *>(teeny_buffer_pointer(engine.out)),
                              static_cast<f32 *>(teeny_buffer_pointer(engine.x)), 0.5f, ELEMENTS));
    engine_check(&engine, TEENY_LAUNCH(mix, engine.stream, teeny_grid1(1), small, 1234.5, -7,
                              reinterpret_cast<i64 *>(small + 8), true));
    engine_check(&engine,
        TEENY_LAUNCH(own, engine.stream, teeny_grid1(1), reinterpret_cast<i32 *>(small + 16)));
    engine_check(&engine,
        TEENY_LAUNCH(one_u16, engine.stream, teeny_grid1(1), reinterpret_cast<u16 *>(small + 20)));
    engine_check(&engine, TEENY_LAUNCH(nothing, engine.stream, teeny_grid1(1)));
    engine_compare(&engine, 0.5f, bias);
    teeny_unload(function);
    engine_close(&engine);
    return engine.mistakes;
}
