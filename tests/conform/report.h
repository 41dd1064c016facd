/* What is printed: the table, what failed, what was refused, and the sum. */
#ifndef TEENY_TESTS_CONFORM_REPORT_H
#define TEENY_TESTS_CONFORM_REPORT_H

#include "run.h"

/* Prints all of it; the last line is `N passed, N failed, N skipped`. True where nothing failed. */
bool report(const struct cell *cells, size_t count, bool refusals_are_skips);

/* Prints the rows with their cells, and why others are absent. */
void report_list(const struct cell *cells, size_t count);

#endif
