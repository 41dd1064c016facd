/* Random kernels: see order_kernel.h. */
#include "order_kernel.h"

#include <stddef.h>

uint64_t random_state;

unsigned random_below(unsigned limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % limit;
}

static bool is_mask(enum kind kind)
{
    return kind == LESS || kind == NOT_BEFORE || kind == ODD || kind == BOTH;
}

static bool is_tile(enum kind kind)
{
    return kind != STORE && kind != SCALAR_STORE && !is_mask(kind);
}

/* A random earlier node of numbers (or of masks), or -1. */
static int pick(const struct kernel *kernel, bool mask)
{
    for (unsigned tries = 0; tries < 40; tries++) {
        int i = (int)random_below((unsigned)kernel->count);
        if (mask ? is_mask(kernel->nodes[i].kind) : is_tile(kernel->nodes[i].kind))
            return i;
    }
    return -1;
}

static int add(struct kernel *kernel, struct node node)
{
    kernel->nodes[kernel->count] = node;
    return kernel->count++;
}

static int add_number(struct kernel *kernel, int32_t number)
{
    return add(kernel, (struct node){NUMBER, -1, -1, -1, number, 0, false});
}

static int add_binary(struct kernel *kernel, enum kind kind, int a, int b)
{
    return add(kernel, (struct node){kind, a, b, -1, 0, 0, false});
}

/* A step: a constant, or the argument, which may be anything. */
static int add_step(struct kernel *kernel, int32_t usual)
{
    static const int32_t steps[] = {1, 1, 2, 3, -1, -2};
    if (random_below(5) == 0)
        return add(kernel, (struct node){ARGUMENT, -1, -1, -1, 0, 0, false});
    return add_number(
        kernel, usual ? usual + (int32_t)random_below(3) - 1 : steps[random_below(6)]);
}

/* Mostly linear offsets, as kernels have them, some of which are no offsets into the same places.
 */
static int add_offset(struct kernel *kernel)
{
    int offset = add_binary(kernel, MULTIPLY, 0, add_step(kernel, 0));
    if (kernel->side) {
        int stride = add_step(kernel, (int32_t)kernel->side);
        int rows = add_binary(kernel, MULTIPLY, 1, stride);
        offset = add_binary(kernel, ADD, rows, random_below(3) ? 0 : offset);
        if (random_below(4) == 0)
            offset = add_binary(kernel, ADD, add_binary(kernel, MULTIPLY, 0, stride), 1);
    }
    switch (random_below(6)) {
    case 4:
        return add_binary(kernel, SUBTRACT, add_number(kernel, (int32_t)random_below(9)), offset);
    case 0:
        return add_binary(kernel, ADD, offset, add_number(kernel, (int32_t)random_below(9) - 4));
    case 1:
        return add_binary(kernel, ADD, offset,
            add(kernel, (struct node){PROGRAM, -1, -1, -1, (int32_t)kernel->lanes, 0, false}));
    case 2:
        return add_binary(kernel, XOR, offset, add_number(kernel, (int32_t)random_below(8)));
    case 3:
        return add_binary(kernel, AND, pick(kernel, false), add_number(kernel, 63));
    default:
        return offset;
    }
}

static int add_mask(struct kernel *kernel)
{
    int limit = random_below(2) ? add(kernel, (struct node){ARGUMENT, -1, -1, -1, 0, 0, false})
                                : add_number(kernel, (int32_t)random_below(300));
    switch (random_below(4)) {
    case 0:
        return add(kernel, (struct node){ODD, pick(kernel, false), -1, -1, 0, 0, false});
    case 1:
        return add_binary(kernel, BOTH, add_binary(kernel, LESS, 0, limit),
            add(kernel, (struct node){ODD, 0, -1, -1, 0, 0, false}));
    case 2:
        return add_binary(kernel, NOT_BEFORE, limit, 0);
    default:
        return add_binary(kernel, LESS, 0, limit);
    }
}

/* The place of an earlier access, as in x[i] = f(x[i]); NULL: there is none. */
static const struct node *earlier_access(const struct kernel *kernel)
{
    for (unsigned tries = 0; tries < 10; tries++) {
        const struct node *node = &kernel->nodes[random_below((unsigned)kernel->count)];
        if (node->kind == LOAD || node->kind == STORE)
            return node;
    }
    return NULL;
}

static void add_access(struct kernel *kernel, enum kind kind)
{
    const struct node *earlier = random_below(2) ? earlier_access(kernel) : NULL;
    int value = pick(kernel, false);
    struct node node = {kind, -1, value, -1, 0, 0, random_below(5) == 0};
    node.pointer = earlier ? earlier->pointer : (int)random_below(POINTERS);
    node.narrow = earlier ? earlier->narrow : random_below(5) == 0;
    node.a = earlier ? earlier->a : add_offset(kernel);
    if (random_below(2))
        node.mask = add_mask(kernel);
    add(kernel, node);
}

/* x[i, j] = x[j, i]: the same addresses, but not element by element. */
static void add_transpose_in_place(struct kernel *kernel)
{
    struct node load = {LOAD, add_offset(kernel), 0, -1, 0, (int)random_below(POINTERS), false};
    struct node store = load;
    int loaded = add(kernel, load);
    int moved = add(kernel, (struct node){TRANSPOSE, loaded, -1, -1, 0, 0, false});
    store.kind = STORE;
    store.b = random_below(2) ? moved : add_binary(kernel, ADD, moved, loaded);
    add(kernel, store);
}

static void add_random(struct kernel *kernel)
{
    if (kernel->side && random_below(6) == 0) {
        add_transpose_in_place(kernel);
        return;
    }
    unsigned choice = random_below(10);
    if (choice < 4)
        add_access(kernel, LOAD);
    else if (choice < 6)
        add_access(kernel, STORE);
    else if (choice <= 7 && kernel->side)
        add(kernel, (struct node){TRANSPOSE, pick(kernel, false), -1, -1, 0, 0, false});
    else if (choice == 8 && random_below(3) == 0)
        add(kernel, (struct node){SCALAR_STORE, -1, -1, -1, (int32_t)random_below(50),
                        (int)random_below(POINTERS), false});
    else
        add_binary(kernel, ADD + random_below(4), pick(kernel, false), pick(kernel, false));
}

struct kernel random_kernel(void)
{
    struct kernel kernel = {.lanes = 1u << (3 + random_below(6))};
    if (random_below(3) == 0) {
        kernel.side = 2u << random_below(3);
        kernel.lanes = kernel.side * kernel.side;
    }
    add(&kernel, (struct node){RANGE, -1, -1, -1, 0, 0, false});
    add(&kernel, (struct node){kernel.side ? ROW : RANGE, -1, -1, -1, 0, 0, false});
    unsigned statements = 3 + random_below(6);
    for (unsigned i = 0; i < statements; i++)
        add_random(&kernel);
    add_access(&kernel, STORE);
    return kernel;
}
