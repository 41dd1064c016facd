/* Help with a kernel that needs more shared memory than its target has for a program. */
#ifndef TEENY_DRIVER_SHARED_LIMIT_H
#define TEENY_DRIVER_SHARED_LIMIT_H

#include "driver/compilation.h"

/* Behind the code generator's error, where that was the reason: a note for each buffer that is in
 * the way, at the user's line, and META with which the kernel fits. Such META were found by
 * compiling with them. */
void shared_limit_explain(compilation *compilation);

#endif
