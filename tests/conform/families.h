/* The families of rows, one file each. */
#ifndef TEENY_TESTS_CONFORM_FAMILIES_H
#define TEENY_TESTS_CONFORM_FAMILIES_H

#include "table.h"

extern const struct table operator_table, function_table, cast_table, reduce_table, shape_table,
    memory_table, control_table, dot_table, large_table, case_table, case_number_table;

#endif
