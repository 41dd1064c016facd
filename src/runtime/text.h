/* From a captured kernel to the one C file that teenyc reads. */
#ifndef TEENY_RUNTIME_TEXT_H
#define TEENY_RUNTIME_TEXT_H

#include "base/string_builder.h"

#include <teeny/descriptor.h>
#include <teeny/status.h>

/* Errors: TEENY_INVALID_ARGUMENT, the record is of another version, or of no kernel. Nothing else
 * of it may be read before. */
teeny_status teeny_text_check(const teeny_kernel *kernel);

/* Writes the kernel's source: every captured piece that it reaches, then the kernel, each behind a
 * #line of its own. The same captured text always gives the same source. Errors:
 * TEENY_INVALID_ARGUMENT, a descriptor of another version; TEENY_KERNEL_INVALID, two different
 * pieces of one name are in reach. The caller frees the string. */
teeny_status teeny_text_gather(const teeny_kernel *kernel, teeny_string *out_source);

#endif
