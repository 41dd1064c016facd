/* See matrix_load.h. */
#include "analysis/matrix_load.h"

#include <string.h>

enum { ELEMENT_BYTES = 2, ROW_BYTES = 16, LANE_BITS = 5, ROW_BITS = 3, MOST_MATRIX_BITS = 2 };

/* The columns of a matrix's pairs, then of its lines: a row's elements, then its rows; transposed,
 * the other way around. */
static void matrix_columns(const struct linear_layout *offsets, uint32_t *pairs, uint32_t *lines)
{
    pairs[0] = offsets->in[LAYOUT_REGISTER].basis[0];
    memcpy(pairs + 1, offsets->in[LAYOUT_LANE].basis, 2 * sizeof *pairs);
    memcpy(lines, offsets->in[LAYOUT_LANE].basis + 2, ROW_BITS * sizeof *lines);
}

static bool is_one_row(const uint32_t *columns)
{
    for (unsigned i = 0; i < ROW_BITS; i++)
        if (columns[i] != (uint32_t)ELEMENT_BYTES << i)
            return false;
    return true;
}

static bool are_rows(const uint32_t *columns, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (columns[i] % ROW_BYTES != 0)
            return false;
    return true;
}

bool matrix_load_plan(
    const struct linear_layout *offsets, unsigned element_bytes, struct matrix_load *out_load)
{
    const struct layout_axis *registers = &offsets->in[LAYOUT_REGISTER];
    const struct layout_axis *warps = &offsets->in[LAYOUT_WARP];
    if (element_bytes != ELEMENT_BYTES || registers->count < 1 ||
        offsets->in[LAYOUT_LANE].count != LANE_BITS ||
        !are_rows(registers->basis + 1, registers->count - 1) ||
        !are_rows(warps->basis, warps->count))
        return false;
    uint32_t pairs[ROW_BITS], lines[ROW_BITS];
    matrix_columns(offsets, pairs, lines);
    bool is_plain = is_one_row(pairs) && are_rows(lines, ROW_BITS);
    bool is_transposed = is_one_row(lines) && are_rows(pairs, ROW_BITS);
    if (!is_plain && !is_transposed)
        return false;
    *out_load = (struct matrix_load){.is_transposed = is_transposed};
    memcpy(out_load->lane_columns, is_transposed ? pairs : lines, sizeof pairs);
    unsigned more = registers->count - MATRIX_LOAD_FIRST_BIT;
    out_load->matrix_bits = more < MOST_MATRIX_BITS ? more : MOST_MATRIX_BITS;
    for (unsigned i = 0; i < out_load->matrix_bits; i++)
        out_load->lane_columns[ROW_BITS + i] = registers->basis[MATRIX_LOAD_FIRST_BIT + i];
    return true;
}
