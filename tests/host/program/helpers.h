/* Helpers for the kernels of more than one file. */
#ifndef PROGRAM_HELPERS_H
#define PROGRAM_HELPERS_H

#include <teeny/kernel.h>

TEENY_DECL(enum { SHIFT = 3 };);
TEENY_DEVICE(f32, scaled, (f32 x, f32 factor), { return x * factor + SHIFT; });

#endif
