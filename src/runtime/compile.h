/* teeny_compile_kernel for libteeny's own use. */
#ifndef TEENY_RUNTIME_COMPILE_H
#define TEENY_RUNTIME_COMPILE_H

#include "runtime/artifact.h"

/* As teeny_compile_kernel, with a kernel that was checked (teeny_text_check), for kernel arguments
 * of which something is known: `specialise` is teenyc's option of that name, or NULL. */
teeny_status teeny_compile(const teeny_kernel *kernel, const char *target,
    const teeny_options *options, const char *specialise, teeny_artifact **out_artifact);

/* The same, which neither the log nor hooks hear of. */
teeny_status teeny_compile_untold(const teeny_kernel *kernel, const char *target,
    const teeny_options *options, const char *specialise, teeny_artifact **out_artifact);

#endif
