/* --list: what teenyc knows, from its tables. */
#ifndef TEENY_DRIVER_LIST_H
#define TEENY_DRIVER_LIST_H

#include "driver/options.h"

/* Prints to standard output. An exit status of compilation.h; what is wrong was said on standard
 * error. */
int list_print(arena *arena, const driver_options *options);

#endif
