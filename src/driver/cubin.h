/* Assembling PTX with ptxas, for `--emit cubin`. */
#ifndef TEENY_DRIVER_CUBIN_H
#define TEENY_DRIVER_CUBIN_H

#include <stdbool.h>

#include "driver/compilation.h"

/* Makes the cubin of the compilation's PTX with the ptxas on PATH or of /usr/local/cuda. False
 * after a diagnostic: there is none, or it refuses the PTX. */
bool cubin_assemble(compilation *compilation);

#endif
