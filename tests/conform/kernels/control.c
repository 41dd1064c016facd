/* Statements, helpers and programs as kernels. A program has 16 numbers from x on, of 0 to 3, and
 * four control values a, b, c, d; what it computes it stores at its own place. */
#include <teeny/kernel.h>

TEENY_TYPE(T, i32);

#define CONTROL(name, ...)                                                                         \
    TEENY_KERNEL(name, (T * out, const T *x, const i32 *k), META(), {                              \
        i32 program = tl_program_id(0);                                                            \
        i32 a = k[4 * program], b = k[4 * program + 1], c = k[4 * program + 2],                    \
            d = k[4 * program + 3];                                                                \
        x += 16 * program;                                                                         \
        out += program;                                                                            \
        T r = x[0];                                                                                \
        __VA_ARGS__                                                                                \
    });

CONTROL(if_else, {
    if (a < b) {
        r += x[1];
        if (c > 1)
            r += x[2];
        else
            r = x[3];
    } else if (d > 1) {
        r = x[4];
    } else {
        if (a == b)
            r += x[5];
    }
    *out = r + x[b & 1];
})

/* Steps of either sign that only the run knows, no trips, bounds the wrong way round. */
CONTROL(for_steps, {
    for (i32 i = a; i < b; i += c)
        r += x[i & 15];
    for (i32 i = b; i > a; i -= c)
        r += x[i & 7];
    for (i32 i = 6; i > -1; i += -c)
        r += x[i];
    *out = r + (T)d;
})

CONTROL(for_64_bits, {
    i64 far = (i64)1 << 40;
    for (i64 i = far + a; i < far + b; i += c)
        r += x[i & 15];
    for (u32 i = 4294967290u + (u32)(a & 3); i >= 4294967280u; i -= 5)
        r += x[i & 15];
    *out = r + (T)d;
})

CONTROL(while_break, {
    i32 i = a;
    while (i < 20) {
        i += c;
        if (i == b)
            continue;
        if (i > 9 + d)
            break;
        r += x[i & 15];
    }
    *out = r + (T)(i & 3);
})

CONTROL(do_while, {
    i32 i = a & 15;
    do {
        r += x[i];
        i += c;
        if (i > 12)
            break;
    } while (i < b);
    *out = r + (T)(i & 3) + (T)d;
})

CONTROL(switch_cases, {
    for (i32 i = 0; i < 3; i++) {
        switch ((a + b + i) & 3) {
        case 0:
            r += x[1];
            /* fallthrough */
        case 1:
            r += x[2];
            break;
        case 2:
            if (c == 1)
                break;
            r += x[3];
            break;
        default:
            r = x[4];
        }
        if (i == d)
            continue;
        r += x[i];
    }
    *out = r;
})

CONTROL(early_return, {
    if (a > b)
        return;
    *out = x[1];
    for (i32 i = 0; i < b; i++) {
        if (i == c + 2)
            return;
        r += x[i & 15];
        *out = r;
    }
    if (d == 1)
        return;
    *out += x[2];
})

/* The right side runs only where it counts: a division by 0 could be anything, a store is seen. */
CONTROL(short_circuit, {
    bool both = a != 0 && b / a > 0;
    bool either = c == 1 || (d != 0 && a % d == 0);
    r += both ? x[1] : either ? x[2] : x[3];
    if (!(both || either) && a < b)
        r += x[4];
    const T *p = both ? x + 5 : x + 6;
    *out = r + *p + (a ? x[7] : (T)(b > a));
})

CONTROL(carried_pointers, {
    const T *p = x;
    const T *q = x + 15;
    for (i32 i = 0; i < b && i < 4; i++) {
        r += *p;
        if (i & 1)
            p += c;
        else
            q -= d;
        const T *other = p;
        if (i == 2) {
            p = q - 3;
            q = other + 3;
        }
    }
    *out = r + *q + (T)(a & 1);
})

CONTROL(nested_loops, {
    i64 count = 0;
    u8 small = 250;
    f32 half = 0.5f;
    for (i32 i = 0; i < 4; i++) {
        for (i32 j = a; j < b; j += c) {
            if (j == i)
                continue;
            if (count > 7)
                break;
            count++;
            small += 3;
        }
        if (i == d)
            continue;
        half += 0.25f;
        r += x[i];
    }
    *out = r + (T)count + (T)(small & 3) + (T)(half > 1.0f);
})

TEENY_DEVICE(T, first_of, (const T *x, i32 from, i32 to), {
    if (from >= to)
        return x[15];
    for (i32 i = from; i < to; i++)
        if (x[i & 15] > 1)
            return x[i & 15];
    return x[14];
});
TEENY_DEVICE(T, plus, (T a, T b), { return a + b; });
TEENY_DEVICE(void, put, (T *p, T value), { *p = value; });
TEENY_DEVICE(i32, next, (i32 i), {
    i += 3;
    return i & 15;
});

CONTROL(helpers, {
    i32 i = c;
    r = plus(first_of(x, a, b), plus(x[next(i)], x[next(next(i))]));
    for (i32 j = 0; j < d; j++)
        r = plus(r, first_of(x, j, c + j));
    put(out, plus(r, (T)i));
})

/* A helper's result used and not used, and one that returns before a tile's use. */
TEENY_DEVICE(i32, gone, (i32 n), {
    while (n < 5) {
        n += 1;
        return n;
    }
    return 9;
});

CONTROL(helper_returns, {
    gone(a);
    i32 one = gone(b);
    *out = r + (T)(one & 3) + x[gone(c + d)];
})

/* ---- Tiles ----------------------------------------------------------------------------------- */

TEENY_KERNEL(tile_loops, (T *out, const T *x, const i32 *k, i32 n), META(BLOCK = 16), {
    i32 program = tl_program_id(0);
    i32 a = k[4 * program], b = k[4 * program + 1], c = k[4 * program + 2], d = k[4 * program + 3];
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(T, BLOCK) r = tl_load(x, i, i < n);
    out += program * BLOCK;
    for (i32 j = a; j < b; j += c)
        r += tl_load(x + (j & 7), i, i < n - 8);
    tl_store(out, i, r + tl_load(x + d, i, i < n - 8));
});

TEENY_KERNEL(tile_branches, (T *out, const T *x, const i32 *k, i32 n), META(BLOCK = 16), {
    i32 program = tl_program_id(0);
    i32 a = k[4 * program], b = k[4 * program + 1], c = k[4 * program + 2], d = k[4 * program + 3];
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(T, BLOCK) r = tl_load(x, i, i < n);
    out += program * BLOCK;
    tl_tile(T, BLOCK) s = tl_zeros(T, BLOCK);
    if (a < b) {
        s = r;
        if (c == 1)
            s += tl_load(x + 1, i, i < n - 8);
    } else {
        r = tl_load(x + 2, i, i < n - 8);
    }
    if (d > 1)
        r += s;
    tl_store(out, i, r + s);
});

/* Tiles of two shapes and a pointer change in one loop that is left early. */
TEENY_KERNEL(tile_shapes, (T *out, const T *x, const i32 *k, i32 n),
    META(BLOCK = 16, B = BLOCK / 4), {
    i32 program = tl_program_id(0);
    i32 a = k[4 * program], b = k[4 * program + 1], c = k[4 * program + 2], d = k[4 * program + 3];
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(T, BLOCK) r = tl_load(x, i, i < n);
    out += program * BLOCK;
    tl_tile(i32, 4, B) at = tl_reshape(i, 4, B);
    tl_tile(T, 4, B) square = tl_zeros(T, 4, B);
    const T *p = x;
    i32 j = 0;
    while (j < b) {
        j += c;
        if (j == a)
            continue;
        if (j > 5)
            break;
        square += tl_load(p, at, at < n - 8);
        r += tl_reshape(square, BLOCK);
        p += 1;
        if (j == d)
            p = x;
    }
    tl_store(out, i, r);
});

TEENY_KERNEL(tile_returns, (T *out, const T *x, const i32 *k, i32 n), META(BLOCK = 16), {
    i32 program = tl_program_id(0);
    i32 a = k[4 * program], b = k[4 * program + 1], c = k[4 * program + 2], d = k[4 * program + 3];
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(T, BLOCK) r = tl_load(x, i, i < n);
    out += program * BLOCK;
    if (a > b)
        return;
    tl_store(out, i, r);
    for (i32 j = 0; j < b; j++) {
        if (j > c)
            return;
        r += tl_load(x + j, i, i < n - 8);
        tl_store(out, i, r);
    }
    if (d == 0)
        return;
    tl_store(out, i, tl_zeros(T, BLOCK));
});

TEENY_DECL(enum { WIDTH = 64 };);
TEENY_DEVICE(tl_tile(T, WIDTH), twice, (tl_tile(T, WIDTH) v), { return v + v; });
TEENY_DEVICE(tl_tile(T, WIDTH), or_next, (const T *x, tl_tile(T, WIDTH) v, bool next), {
    if (!next)
        return v;
    return tl_load(x, tl_arange(0, WIDTH) + 1);
});

TEENY_KERNEL(tile_helpers, (T *out, const T *x, const i32 *k), META(), {
    i32 program = tl_program_id(0);
    tl_tile(i32, WIDTH) i = tl_arange(0, WIDTH);
    tl_tile(T, WIDTH) v = tl_load(x, i);
    tl_store(out + program * WIDTH, i, twice(or_next(x, twice(v), k[4 * program] < 2)));
});

/* ---- Programs -------------------------------------------------------------------------------- */

TEENY_KERNEL(program_ids, (T *out), META(), {
    i32 x = tl_program_id(0), y = tl_program_id(1), z = tl_program_id(2);
    i32 at = (z * tl_num_programs(1) + y) * tl_num_programs(0) + x;
    out[2 * at] = 100 * z + 10 * y + x;
    out[2 * at + 1] = 100 * tl_num_programs(2) + 10 * tl_num_programs(1) + tl_num_programs(0);
});
