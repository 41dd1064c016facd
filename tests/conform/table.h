/* The list of what is tried: a row an operation, a column an element type, a cell where they meet.
 *
 * To add an operation, add its line to the family's .def file or table. A cell that a row lacks
 * must be listed with a reason in `table_absences`, or the program says so and fails.
 */
#ifndef TEENY_TESTS_CONFORM_TABLE_H
#define TEENY_TESTS_CONFORM_TABLE_H

#include "elements.h"
#include "trial.h"

/* What U stands for in a row's kernel, beside T. */
enum result {
    SAME,        /* T itself */
    LANES,       /* the integer that a comparison of T has a lane of */
    WIDENED,     /* what sums of T have */
    ACCUMULATED, /* what tl_dot of T adds up in */
    FIXED,       /* the row's own */
};

/* An elementwise operation in plain C. False: the language leaves the result open. */
typedef bool elementwise_reference(
    enum element_id element, const struct number operands[3], struct number *out);

struct row {
    const char *family, *name;
    const teeny_kernel *kernel;
    element_set elements;
    enum result result;
    enum element_id fixed;
    bool only_t;                      /* the kernel has no U */
    bool no_types;                    /* nor T */
    int stages;                       /* num_stages; 0: the compiler's choice */
    void (*run)(struct trial *trial); /* lays out arguments and expectations, then trial_run */
    int blocks[2];                    /* META(BLOCK) of each variant; 0: no such META */

    /* The family's own. */
    unsigned operands;
    elementwise_reference *elementwise;
    bool is_truth;           /* its results are 0 and 1, of tiles 0 and -1 */
    void (*reference)(void); /* of the type that the family knows */
    int choice;
    double f32_bound, f64_bound; /* ulp */
};

/* Below and above the threads of a GPU program of four warps. */
#define BLOCKS {16, 1024}

struct table {
    const struct row *rows;
    size_t count;
};

/* The families' rows, in the order in which they are printed. */
extern const struct table *const tables[];
extern const size_t table_count;

/* Why rows lack cells: the first entry whose family and row match, where "" is any, and whose set
 * has the element. */
struct absence {
    const char *family, *row;
    element_set elements;
    const char *reason;
};
extern const struct absence table_absences[];
extern const size_t table_absence_count;

/* NULL where nothing says why the row lacks the element. */
const char *table_absence(const struct row *row, enum element_id element);

/* What U stands for. */
enum element_id table_result(const struct row *row, enum element_id element);

#endif
