/* A matrix product by multiply-adds of single elements: both factors are staged in shared memory,
 * and each thread reads the rows and columns that its part of the result needs, a few steps of the
 * inner dimension at a time.
 *
 * What a thread needs of a factor is a layout too: the result's, seen along the outer dimension,
 * with all of the inner dimension in further registers. So writing and reading follow the plan of
 * an exchange between layouts, vectors and banks included. */
#ifndef TEENY_ANALYSIS_DOT_STAGING_H
#define TEENY_ANALYSIS_DOT_STAGING_H

#include "analysis/layout_exchange.h"

#include "mlir-c/IR.h"

struct dot_factor {
    struct linear_layout from; /* as the operand lies */
    struct linear_layout
        wanted;               /* as threads want it: outer registers first, then the inner ones */
    unsigned outer_registers; /* log2 of how many there are of the former */
    struct exchange_memory memory;
    unsigned offset, bytes; /* in the operation's shared memory */
};

struct dot_staging {
    struct linear_layout result;
    struct dot_factor factor[2];
    unsigned inner_bits; /* log2 of the inner dimension */
    unsigned bytes;      /* of shared memory */
};

/* The plan of a tt.dot on tiles with layouts. False where tensor cores do it (an mma), where
 * one of the layouts is none that is known, or where a column of the result's layout changes two
 * coordinates at once. */
bool dot_staging_plan(MlirOperation dot, struct dot_staging *out_staging);

#endif
