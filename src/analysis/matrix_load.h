/* Whether ldmatrix can load the registers of a layout from shared memory.
 *
 * ldmatrix moves 8x8 matrices of 16-bit elements whose rows are 16 bytes that lie together. Lane
 * 4 r + c gets, in one register of 32 bits, elements 2 c and 2 c + 1 of row r; transposed, of
 * column r. In terms of where a place's element lies, as offset in bytes:
 *
 *                    plain                    transposed
 *     register 1     2                        a row (a multiple of 16)
 *     lanes 1, 2     4, 8                     rows
 *     lanes 4, 8, 16 rows                     2, 4, 8
 *
 * and everything else goes to rows. Up to four matrices come at once, one a further register bit;
 * lane 8 i + j points to row j of matrix i. */
#ifndef TEENY_ANALYSIS_MATRIX_LOAD_H
#define TEENY_ANALYSIS_MATRIX_LOAD_H

#include "analysis/linear_layout.h"

struct matrix_load {
    bool is_transposed;
    unsigned matrix_bits;     /* log2 of the matrices that come at once */
    uint32_t lane_columns[5]; /* where a lane points to, as offset in bytes */
};

enum { MATRIX_LOAD_FIRST_BIT = 1 }; /* of a register's index that counts matrices */

/* `offsets` leads from a place to its element's offset in bytes. False where ldmatrix does not
 * fit. */
bool matrix_load_plan(
    const struct linear_layout *offsets, unsigned element_bytes, struct matrix_load *out_load);

#endif
