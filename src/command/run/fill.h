/* What buffers hold before a kernel runs. */
#ifndef TEENY_COMMAND_RUN_FILL_H
#define TEENY_COMMAND_RUN_FILL_H

#include "command/run/arguments.h"

/* Fills a host copy of an argument's buffer: the same for the same seed and name. False after a
 * message: a file that cannot be read, or has another size. */
bool argument_fill(const argument *argument, unsigned long seed, void *out_elements);

#endif
