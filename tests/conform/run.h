/* Trying cells: compiling their kernels, launching, and what became of them. */
#ifndef TEENY_TESTS_CONFORM_RUN_H
#define TEENY_TESTS_CONFORM_RUN_H

#include "table.h"

enum outcome {
    NOT_TRIED, /* not selected, or absent with a reason */
    PASSED,
    FAILED,
    REFUSED, /* the compiler or device says that it is not built yet */
};

struct cell {
    const struct row *row;
    enum element_id element;
    enum outcome outcome;
    char message[1024]; /* of the first trial that failed, and which it was */
};

struct selection {
    const char *device; /* NULL: only compile */
    const char *target; /* what is compiled for; NULL: the device's own */
    int warps;          /* the only num_warps; 0: 1 and 8 */
    unsigned threads;
};

/* Tries all cells that are NOT_TRIED, several at once, and says in each how that went. False, and
 * says on stderr why, where nothing could be tried at all. */
bool run_cells(const struct selection *selection, struct cell *cells, size_t count);

#endif
