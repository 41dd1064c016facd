/* Writing what was asked for: whole, or not at all. */
#ifndef TEENY_DRIVER_OUTPUT_H
#define TEENY_DRIVER_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Writes to standard output for "-", else to a temporary file beside `path` that then takes its
 * name. False after a message on standard error; an older file is still there then. */
bool output_write(arena *arena, const char *path, const void *data, size_t size);

#endif
