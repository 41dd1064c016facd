/* Random kernels over one memory, for cpu_order_test: as data, as text, and as what they mean.
 *
 * A kernel is a list of nodes in program order; every tile is N or M x M elements of i32 or i1.
 */
#ifndef ORDER_KERNEL_H
#define ORDER_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MAX_NODES = 256,
    MAX_LANES = 256,
    MEMORY_BYTES = 1 << 15,
    POINTERS = 3,
    PROGRAMS = 3,
};

enum kind {
    RANGE,   /* the index, or the column of a square tile */
    ROW,     /* the row of a square tile */
    NUMBER,  /* a constant */
    PROGRAM, /* the program's number, times the constant */
    ARGUMENT,
    ADD,
    SUBTRACT,
    MULTIPLY,
    XOR,
    AND,
    LESS,       /* i1 */
    NOT_BEFORE, /* i1 */
    ODD,        /* i1 */
    BOTH,       /* i1 */
    TRANSPOSE,
    LOAD,
    STORE,
    SCALAR_STORE, /* one element of the pointer's */
    KINDS,
};

struct node {
    enum kind kind;
    int a, b, mask; /* nodes; -1: none */
    int32_t number;
    int pointer;
    bool narrow; /* memory holds i16 */
};

struct kernel {
    struct node nodes[MAX_NODES];
    int count;
    unsigned side; /* of a square tile; 0: one dimension */
    unsigned lanes;
};

struct arguments {
    char *pointers[POINTERS];
    int32_t argument;
};

/* A number below `limit`, from a generator with this state. */
extern uint64_t random_state;
unsigned random_below(unsigned limit);

struct kernel random_kernel(void);

/* The kernel as tt. The caller frees it. */
char *kernel_text(const struct kernel *kernel);

/* Runs all programs on the memory, one operation after the other. False where the case is to be
 * left out: a lane leaves the memory, or two lanes of a store meet. */
bool interpret(const struct kernel *kernel, const struct arguments *arguments, char *memory);

#endif
