/* The table of the language's operations, for --list ops, the reference and errors about calls. */
#ifndef TEENY_FRONTEND_OPERATIONS_H
#define TEENY_FRONTEND_OPERATIONS_H

#include <stddef.h>

typedef struct operation_info {
    const char *name; /* without tl_ */
    const char *group;
    const char *usage;
    const char *summary;
} operation_info;

extern const operation_info operations[];
extern const size_t num_operations;

#endif
