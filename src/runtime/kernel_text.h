/* The text of a kernel file, made whole. */
#ifndef TEENY_RUNTIME_KERNEL_TEXT_H
#define TEENY_RUNTIME_KERNEL_TEXT_H

#include "base/string_builder.h"

#include <teeny/status.h>

enum { TEENY_LONGEST_KERNEL_FILE = 64 * 1024 * 1024 };

/* Reads a file into `out_text`, which the caller frees. Errors: TEENY_IO_FAILED. */
teeny_status teeny_kernel_text_read(const char *path, teeny_string *out_text);

/* The text with the files that it includes by `#include "name"` in place of those lines, each piece
 * behind a #line of its own. Each file is taken once; one that is not beside `file`, the name of
 * the text, is left to be included. The caller frees `out_whole`, whose `failed` says that memory
 * is out. */
void teeny_kernel_text_include(const char *text, const char *file, teeny_string *out_whole);

/* The name of the kernel to take: `name` if the text has it, or its only one for NULL. The caller
 * frees `out_name`. Errors: TEENY_KERNEL_INVALID lists the kernels that `file` has. */
teeny_status teeny_kernel_text_choose(
    const char *text, const char *file, const char *name, char **out_name);

#endif
