/* Telling debuggers about code that was mapped into the process, through gdb's JIT interface, which
 * gdb and lldb follow. Thread-safe. */
#ifndef TEENY_RUNTIME_DEBUGGER_H
#define TEENY_RUNTIME_DEBUGGER_H

#include <stddef.h>

typedef struct teeny_debugged teeny_debugged;

/* Announces an image that is mapped at `mapping` by its object for debuggers (base/cpu_image.h),
 * which is copied. NULL where that cannot be done: the code runs all the same, unknown to a
 * debugger. */
teeny_debugged *teeny_debugger_announce(const void *object, size_t size, const void *mapping);

/* Before the image is unmapped; NULL is allowed. */
void teeny_debugger_forget(teeny_debugged *debugged);

#endif
