/* --depfile: what a build system must watch. */
#ifndef TEENY_DRIVER_DEPFILE_H
#define TEENY_DRIVER_DEPFILE_H

#include "driver/compilation.h"

/* Writes a rule of make to the file that --depfile names, where it names one: what --output names
 * depends on the files that were read, by their absolute names. These are spared from then on
 * (output.h). False after a message on standard error. */
bool depfile_write(
    arena *arena, const driver_options *options, const source_file *const *files, size_t num_files);

#endif
