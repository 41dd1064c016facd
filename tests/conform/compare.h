/* What a launch left in memory, against what was expected. */
#ifndef TEENY_TESTS_CONFORM_COMPARE_H
#define TEENY_TESTS_CONFORM_COMPARE_H

#include "trial.h"

/* Fails the trial at the first element that is wrong, or byte that should not have changed. Numbers
 * that must be exact must have the same sign of zero; all NaNs are one. */
void compare(struct trial *trial);

#endif
