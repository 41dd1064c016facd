/* Comparing what a kernel wrote on two devices, and printing it. */
#ifndef TEENY_COMMAND_RUN_COMPARE_H
#define TEENY_COMMAND_RUN_COMPARE_H

#include "command/run/trial.h"

/* Prints a line for each buffer, and the first elements that differ. Whether all are right. */
bool compare_trials(const trial *found, const trial *expected, char *const *contents, long ulp);

/* Prints the first elements of an argument's buffer, each row begun by its index. */
void print_buffer(const trial *trial, int argument, size_t most);

#endif
