/* --list: what teenyc knows, from its tables. */
#ifndef TEENY_DRIVER_LIST_H
#define TEENY_DRIVER_LIST_H

#include <stdbool.h>

#include "driver/options.h"

/* Prints to standard output. False after a message on standard error. */
bool list_print(arena *arena, const driver_options *options);

#endif
