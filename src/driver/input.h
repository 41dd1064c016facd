/* The input of a compilation: C with kernels, or MLIR of the tt or ttg dialect. */
#ifndef TEENY_DRIVER_INPUT_H
#define TEENY_DRIVER_INPUT_H

#include <stdbool.h>

#include "driver/compilation.h"

typedef enum input_kind { INPUT_C, INPUT_TTIR, INPUT_TTGIR, INPUT_UNKNOWN } input_kind;

/* By the end of the name; "-" is C. */
input_kind input_kind_of(const char *path);

/* Reads the C input and checks each kernel, or the one that the options name, up to and including
 * its shapes. False after a diagnostic. */
bool input_check(compilation *compilation);

/* Gives the compilation its module in tt, from C, which is read where it was not. False after a
 * diagnostic. */
bool input_lower(compilation *compilation);

/* Gives the compilation a module from a file of MLIR. False after a diagnostic. */
bool input_parse(compilation *compilation, const char *path);

/* The file as it is, as the product of a stage. False after a diagnostic. */
bool input_product(compilation *compilation, const char *path, stage stage);

#endif
