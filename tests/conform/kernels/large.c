/* Tiles of more elements a thread than it has registers, with one warp; fewer with eight. */
#include <teeny/kernel.h>

/* Two tiles that a loop carries change places; masks; a scalar that a reduction makes. */
TEENY_KERNEL(large_carried, (i32 *out, const i32 *x, i32 n, i32 trips), META(BLOCK = 16384), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(i32, BLOCK) v = tl_load(x, i, i < n, -7);
    tl_tile(i32, BLOCK) w = i * 3 + 1;
    for (i32 t = 0; t < trips; t++) {
        tl_tile(i32, BLOCK) next = v ^ (w >> t);
        w = tl_where(tl_mask(i % 5 == t), w, v + t);
        v = next;
    }
    out[BLOCK] = tl_sum(v);
    out[BLOCK + 1] = tl_argmax(w);
    tl_store(out, i, v - w, i < n);
});

/* A tile that only one branch changes, and that a loop may never touch. */
TEENY_KERNEL(large_branches, (i32 *out, const i32 *x, i32 n, i32 trips), META(BLOCK = 16384), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(i32, BLOCK) v = tl_full(i32, 3, BLOCK);
    if (trips > 2)
        v = tl_load(x, i, i < n);
    for (i32 t = 0; t < trips; t++) {
        if (t == 1)
            continue;
        v += i;
        if (tl_max(v) > 1000000)
            break;
    }
    tl_store(out, i, v, i < n);
});

/* What is stored lies where something else was loaded: all of it before, some of it after. */
TEENY_KERNEL(large_in_place, (i32 *x, i32 n), META(BLOCK = 16384), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(x + 1, i, tl_load(x, i, i < n), i < n);
    tl_store(x, i, tl_load(x, n - i, i <= n) * 2, i < n);
    tl_tile(i32, BLOCK) at = i / 4;
    tl_store(x, i, tl_load(x, at, i < n) + 1, (i % 3 == 0) & (i < n));
});

/* Elements move between threads, and a row of a matrix goes to all of its columns. */
TEENY_KERNEL(large_moves, (i32 *out, const i8 *x), META(), {
    tl_tile(i32, 128, 128) at = tl_reshape(tl_arange(0, 16384), 128, 128);
    tl_tile(i8, 128, 128) v = tl_load(x, at);
    tl_tile(i8, 128, 128) turned = tl_trans(v);
    tl_tile(i32, 128, 128) row = tl_expand(tl_sum(v, 1, 128), 1, 128);
    tl_tile(i32, 128, 128) column = tl_expand(tl_max(tl_cast(i32, turned), 0, 128), 0, 128);
    tl_store(out, at, tl_cast(i32, turned) + row * 3 + column);
});

/* Much work on each element; what goes around a loop is no more than registers hold. */
TEENY_KERNEL(large_math, (f32 *out, const f32 *x, i32 n), META(BLOCK = 4096), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) v = tl_load(x, i, i < n);
    tl_tile(f32, BLOCK) w = tl_pow(tl_exp(tl_sin(v) * 0.5f), tl_erf(v)) + tl_log(tl_abs(v) + 1.0f);
    out[BLOCK] = tl_max(w);
    tl_store(out, i, w, i < n);
});
