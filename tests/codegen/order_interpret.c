/* What random kernels mean: see order_kernel.h. */
#include "order_kernel.h"

#include <string.h>

struct machine {
    const struct kernel *kernel;
    const struct arguments *arguments;
    char *memory;
    int32_t program;
    int32_t values[MAX_NODES][MAX_LANES];
};

/* NULL where the lane leaves the memory. */
static char *place(const struct machine *machine, const struct node *node, int64_t offset)
{
    int64_t size = node->narrow ? 2 : 4;
    char *at = machine->arguments->pointers[node->pointer] + offset * size;
    return at < machine->memory || at + size > machine->memory + MEMORY_BYTES ? NULL : at;
}

static bool lane_is_on(const struct machine *machine, const struct node *node, unsigned lane)
{
    return node->mask < 0 || machine->values[node->mask][lane];
}

static bool run_load(struct machine *machine, int i)
{
    const struct node *node = &machine->kernel->nodes[i];
    for (unsigned lane = 0; lane < machine->kernel->lanes; lane++) {
        int32_t *value = &machine->values[i][lane];
        *value = node->narrow ? 0 : machine->values[node->b][lane];
        if (!lane_is_on(machine, node, lane))
            continue;
        const char *at = place(machine, node, machine->values[node->a][lane]);
        if (!at)
            return false;
        int16_t half;
        memcpy(node->narrow ? (void *)&half : (void *)value, at, node->narrow ? 2 : 4);
        if (node->narrow)
            *value = half;
    }
    return true;
}

static bool run_store(struct machine *machine, int i)
{
    const struct node *node = &machine->kernel->nodes[i];
    static uint8_t written[MEMORY_BYTES];
    memset(written, 0, sizeof written);
    for (unsigned lane = 0; lane < machine->kernel->lanes; lane++) {
        if (!lane_is_on(machine, node, lane))
            continue;
        char *at = place(machine, node, machine->values[node->a][lane]);
        if (!at || written[at - machine->memory]++)
            return false;
        memcpy(at, &machine->values[node->b][lane], node->narrow ? 2 : 4);
    }
    return true;
}

static int32_t run_binary(enum kind kind, int32_t a, int32_t b)
{
    uint32_t x = (uint32_t)a, y = (uint32_t)b;
    switch (kind) {
    case ADD:
        return (int32_t)(x + y);
    case SUBTRACT:
        return (int32_t)(x - y);
    case MULTIPLY:
        return (int32_t)(x * y);
    case XOR:
        return a ^ b;
    case LESS:
        return a < b;
    case NOT_BEFORE:
        return a >= b;
    default:
        return a & b;
    }
}

static int32_t run_lane(const struct machine *machine, const struct node *node, unsigned lane)
{
    unsigned side = machine->kernel->side;
    switch (node->kind) {
    case RANGE:
        return (int32_t)(side ? lane % side : lane);
    case ROW:
        return (int32_t)(lane / side);
    case NUMBER:
        return node->number;
    case PROGRAM:
        return machine->program * node->number;
    case ARGUMENT:
        return machine->arguments->argument;
    case ODD:
        return machine->values[node->a][lane] & 1;
    case TRANSPOSE:
        return machine->values[node->a][lane % side * side + lane / side];
    default:
        return run_binary(
            node->kind, machine->values[node->a][lane], machine->values[node->b][lane]);
    }
}

static bool run_node(struct machine *machine, int i)
{
    const struct node *node = &machine->kernel->nodes[i];
    if (node->kind == LOAD)
        return run_load(machine, i);
    if (node->kind == STORE)
        return run_store(machine, i);
    if (node->kind == SCALAR_STORE) {
        memcpy(machine->arguments->pointers[node->pointer] + 4 * node->number, &node->number, 4);
        return true;
    }
    for (unsigned lane = 0; lane < machine->kernel->lanes; lane++)
        machine->values[i][lane] = run_lane(machine, node, lane);
    return true;
}

bool interpret(const struct kernel *kernel, const struct arguments *arguments, char *memory)
{
    static struct machine machine;
    machine = (struct machine){.kernel = kernel, .arguments = arguments, .memory = memory};
    for (machine.program = 0; machine.program < PROGRAMS; machine.program++)
        for (int i = 0; i < kernel->count; i++)
            if (!run_node(&machine, i))
                return false;
    return true;
}
