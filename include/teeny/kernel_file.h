/* Kernels from C text at run time, beside those that the host program captured when it was built.
 *
 * The text is a C file with TEENY_KERNEL and its helpers, as teenyc takes it; only what the capture
 * macros hold is looked at. Files that it includes by `#include "name"` are read beside it, once
 * each, as far as they are there; other includes are passed over. What the text says is checked
 * when the kernel is compiled, with diagnostics at its own lines.
 */
#ifndef TEENY_KERNEL_FILE_H
#define TEENY_KERNEL_FILE_H

#include <teeny/descriptor.h>
#include <teeny/status.h>

TEENY_BEGIN_C

/* Reads the kernel `name` of the C file at `path`; NULL for `name` takes the only one that the file
 * has. The result is used like a captured kernel, with teeny_load, teeny_launch and
 * teeny_compile_kernel; its arguments are a packed struct of its parameters, in C's layout, which
 * teeny_artifact_parameter describes. Later changes of the file do not reach it.
 * teeny_kernel_release gives it back.
 *
 * Errors: TEENY_IO_FAILED; TEENY_KERNEL_INVALID, the message lists the kernels that there are;
 * TEENY_OUT_OF_MEMORY. Thread-safe. */
TEENY_API teeny_status teeny_kernel_from_file(
    const char *path, const char *name, const teeny_kernel **out_kernel);

/* The same for text in memory, which is copied. `file` is what diagnostics call it, and where files
 * that it includes are looked for; it need not exist. */
TEENY_API teeny_status teeny_kernel_from_text(
    const char *text, const char *file, const char *name, const teeny_kernel **out_kernel);

/* Gives back a kernel of the functions above; NULL is allowed. Functions that were loaded of it
 * stay valid: those of teeny_load until they are unloaded, and what teeny_launch loaded until its
 * device is closed. A program that reads kernels again and again loads them with options of their
 * own (all zero will do), which are not kept. Thread-safe. */
TEENY_API void teeny_kernel_release(const teeny_kernel *kernel);

TEENY_END_C

#endif
