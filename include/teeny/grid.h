/* The grid of a launch: how many programs run. Valid in C and in C++. */
#ifndef TEENY_GRID_H
#define TEENY_GRID_H

#include <stdint.h>

/* How many programs to run along each dimension. A dimension of 0 launches nothing. Limits: on cuda
 * and emu x 2147483647, y and z 65535, on emu 4294967295 programs in all; on cpu 2147483647 each;
 * elsewhere 2^63 - 1 programs in all. */
typedef struct teeny_grid {
    int64_t x, y, z;
} teeny_grid;

static inline teeny_grid teeny_grid1(int64_t x)
{
    teeny_grid grid = {x, 1, 1};
    return grid;
}

static inline teeny_grid teeny_grid2(int64_t x, int64_t y)
{
    teeny_grid grid = {x, y, 1};
    return grid;
}

static inline teeny_grid teeny_grid3(int64_t x, int64_t y, int64_t z)
{
    teeny_grid grid = {x, y, z};
    return grid;
}

#endif
