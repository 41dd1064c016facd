/* What the compiler does with a kernel's tiles, in the words of the kernel's source: remarks, and
 * the notes of errors. All texts are in the compilation's arena. */
#ifndef TEENY_DRIVER_EXPLAIN_H
#define TEENY_DRIVER_EXPLAIN_H

#include "analysis/shared_memory.h"
#include "driver/compilation.h"

/* Where the user wrote what became the operation. */
diagnostic_place explain_place(const compilation *compilation, MlirOperation op);

/* What a buffer in shared memory is for: "tl_sum passes partial results ... through 64 bytes ...".
 */
const char *explain_buffer(const compilation *compilation, const struct shared_buffer *buffer);

/* What a rearrangement (analysis/rearrangement.h) does, and why; `buffer` is NULL where it takes no
 * shared memory. */
const char *explain_rearrangement(
    const compilation *compilation, MlirOperation op, const struct shared_buffer *buffer);

#endif
