// RUN: %ttir nested | FileCheck %s --check-prefix=NESTED
// RUN: %ttir of_tiles | FileCheck %s --check-prefix=TILES
// RUN: %ttir returned | FileCheck %s --check-prefix=RETURNED
// RUN: %ttir effects | FileCheck %s --check-prefix=EFFECTS
// RUN: %ttir own_variables | FileCheck %s --check-prefix=OWN
#include <teeny/kernel.h>

TEENY_DEVICE(f32, minus, (f32 a, f32 b), { return a - b; });
TEENY_DEVICE(f32, minus_thrice, (f32 a, f32 b), { return minus(minus(minus(a, b), b), b); });

// Helpers are inlined. The arguments of a call are all there before its parameters are: the inner
// call of the same helper changes none of the outer one's.
// NESTED-NOT: tt.call
// NESTED: %[[INNER:.*]] = arith.subf %b, %c : f32
// NESTED: arith.subf %a, %[[INNER]] : f32
// NESTED: %[[ONE:.*]] = arith.subf %a, %b : f32
// NESTED: %[[TWO:.*]] = arith.subf %[[ONE]], %b : f32
// NESTED: arith.subf %[[TWO]], %b : f32
// NESTED-NOT: tt.call
TEENY_KERNEL(nested, (f32 *out, f32 a, f32 b, f32 c), META(), {
    out[0] = minus(a, minus(b, c));
    out[1] = minus_thrice(a, b);
});

// Tiles in and out, masks among them: what is declared bool stays a mask.
TEENY_DECL(enum { N = 64 };);
TEENY_DEVICE(tl_tile(f32, N), doubled, (tl_tile(f32, N) x), { return x + x; });
TEENY_DEVICE(tl_tile(bool, N), inside, (tl_tile(i32, N) i, i32 n), { return i < n; });

// TILES: %[[MASK:.*]] = arith.cmpi slt
// TILES: %[[X:.*]] = tt.load
// TILES: %[[SUM:.*]] = arith.addf %[[X]], %[[X]] : tensor<64xf32>
// TILES: tt.store %{{.*}}, %[[SUM]], %[[MASK]]
TEENY_KERNEL(of_tiles, (f32 *out, i32 n), META(), {
    tl_tile(i32, N) i = tl_arange(0, N);
    tl_tile(bool, N) m = inside(i, n);
    tl_store(out, i, doubled(tl_load(out, i, m)), m);
});

// What is returned becomes what the result is declared.
TEENY_DEVICE(tl_tile(bool, N), odd, (tl_tile(i32, N) i), { return i & 1; });
TEENY_DEVICE(tl_tile(i32, N), lanes, (tl_tile(i32, N) i, i32 n), { return i < n; });

// RETURNED: %[[MASK:.*]] = arith.cmpi slt
// RETURNED: arith.extsi %[[MASK]] : tensor<64xi1> to tensor<64xi32>
// RETURNED: %[[BIT:.*]] = arith.andi %{{.*}} : tensor<64xi32>
// RETURNED: %[[ODD:.*]] = arith.cmpi ne, %[[BIT]], %{{.*}} : tensor<64xi32>
// RETURNED: tt.store %{{.*}}, %{{.*}}, %[[ODD]]
TEENY_KERNEL(returned, (i32 *out, i32 n), META(), {
    tl_tile(i32, N) i = tl_arange(0, N);
    tl_store(out, i, lanes(i, n), odd(i));
});

// A helper without a result is called for what it does to memory.
TEENY_DEVICE(void, put, (f32 *p, i32 at, f32 x), {
    p[at] = x;
    return;
});

// EFFECTS: %[[FIRST:.*]] = tt.addptr %out, %n
// EFFECTS: tt.store %[[FIRST]], %x : !tt.ptr<f32>
// EFFECTS: tt.addptr %out
// EFFECTS: tt.store
TEENY_KERNEL(effects, (f32 *out, i32 n, f32 x), META(), {
    put(out, n, x);
    put(out, n + 1, x);
});

// A helper's variables are its own, and its parameters are copies.
TEENY_DEVICE(i32, changes, (i32 n), {
    i32 m = n + 1;
    n = m * m;
    return n;
});

// OWN: %[[M:.*]] = arith.addi %n, %{{.*}} : i32
// OWN: %[[SQUARE:.*]] = arith.muli %[[M]], %[[M]] : i32
// OWN: tt.store %out, %[[SQUARE]] : !tt.ptr<i32>
// OWN: tt.store %{{.*}}, %n : !tt.ptr<i32>
TEENY_KERNEL(own_variables, (i32 *out, i32 n), META(), {
    i32 m = n;
    out[0] = changes(m);
    out[1] = m;
});
