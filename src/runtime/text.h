/* From a captured kernel to the one C file that teenyc reads. */
#ifndef TEENY_RUNTIME_TEXT_H
#define TEENY_RUNTIME_TEXT_H

#include "base/string_builder.h"

#include <teeny/descriptor.h>
#include <teeny/status.h>

/* Errors: TEENY_INVALID_ARGUMENT, the record is of another version, or of no kernel. Nothing else
 * of it may be read before: every public call that takes a kernel checks it so, and what that calls
 * relies on it. */
teeny_status teeny_text_check(const teeny_kernel *kernel);

/* Writes the source of a checked kernel: every captured piece that it reaches, then the kernel,
 * each behind a #line of its own. The same captured text always gives the same source. Errors:
 * TEENY_KERNEL_INVALID, two different pieces of one name are in reach. The caller frees the string.
 */
teeny_status teeny_text_gather(const teeny_kernel *kernel, teeny_string *out_source);

/* Says in a source that the next line is line `line` of `file`. */
void teeny_text_place(teeny_string *source, size_t line, const char *file);

#endif
