/* --specialise: what is known about a kernel's arguments when it is compiled. */
#ifndef TEENY_DRIVER_SPECIALISE_H
#define TEENY_DRIVER_SPECIALISE_H

#include "driver/compilation.h"

/* Writes what the option says (and `specialised` of the compilation repeats) into the kernel's
 * function: an argument that is 1 becomes a constant in all of its uses, and one that N divides (a
 * pointer: its address in bytes) gets the attribute tt.divisibility = N. False after an error that
 * names what is wrong in the option. */
bool specialise(compilation *compilation);

#endif
