/* Modules as text. */
#ifndef TEENY_DRIVER_PRINT_H
#define TEENY_DRIVER_PRINT_H

#include "driver/compilation.h"

/* `flags` are ir_print_flag bits. */
product print_module(arena *arena, MlirModule module, unsigned flags);

#endif
