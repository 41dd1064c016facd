/* --remarks: what the compiler made of memory accesses and layouts, at the user's lines. */
#ifndef TEENY_DRIVER_REMARKS_H
#define TEENY_DRIVER_REMARKS_H

#include "driver/compilation.h"

/* For the kernel's function in ttg form: why a load or store is not as wide as it could be, what is
 * moved between threads from one layout to another, and who keeps how many bytes in shared memory.
 */
void remarks_report(compilation *compilation);

#endif
