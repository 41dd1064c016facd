/* How many bytes a tile's element takes in memory: a bool takes one, a pointer eight. */
#ifndef TEENY_ANALYSIS_ELEMENT_SIZE_H
#define TEENY_ANALYSIS_ELEMENT_SIZE_H

#include "mlir-c/IR.h"

/* Of an integer, index, float or pointer type, or of a tile of those. */
unsigned element_size(MlirType type);

#endif
