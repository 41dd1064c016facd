/* Kernels from text at run time, as the rest of libteeny sees them; see teeny/kernel_file.h. */
#ifndef TEENY_RUNTIME_KERNEL_FILE_H
#define TEENY_RUNTIME_KERNEL_FILE_H

#include <stdbool.h>
#include <teeny/kernel_file.h>

/* The kind of a record whose body is a whole C file; programs have none of it. Its
 * `arguments_size` is 0: only the compiled kernel knows it. */
enum { TEENY_TEXT_FILE = 0x100 };

static inline bool teeny_kernel_is_file(const teeny_kernel *kernel)
{
    return kernel->text.kind == TEENY_TEXT_FILE;
}

/* One more reference to a kernel, if it is one that is counted: true, and teeny_kernel_drop drops
 * it. */
bool teeny_kernel_hold(const teeny_kernel *kernel);
void teeny_kernel_drop(const teeny_kernel *kernel);

#endif
