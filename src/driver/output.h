/* Writing what was asked for: whole, or not at all. */
#ifndef TEENY_DRIVER_OUTPUT_H
#define TEENY_DRIVER_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Remembers a file that was read, whatever its name: what is written never takes its place. */
void output_spare(arena *arena, const char *path);

/* Whether a file may be written there. False after a message: it is one of those that were read. */
bool output_is_free(const char *path);

/* Writes to standard output for "-", else to a temporary file beside `path` that then takes its
 * name. False after a message on standard error; an older file is still there then, as is one that
 * output_spare knows. */
bool output_write(arena *arena, const char *path, const void *data, size_t size);

/* Whether one of these said so far that it cannot write. */
bool output_has_failed(void);

#endif
