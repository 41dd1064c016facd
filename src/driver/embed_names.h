/* The names that the C text of `--emit c` gives to what kernels have. */
#ifndef TEENY_DRIVER_EMBED_NAMES_H
#define TEENY_DRIVER_EMBED_NAMES_H

#include "driver/embed.h"

/* Whether the header can have each name that it gets: KERNEL_launch, KERNEL_META and parameters,
 * once each, none of libteeny's own. False after a message on standard error. */
bool embed_check_names(arena *arena, const embedded_kernel *kernels);

/* What each parameter is called there: its name, or that with underscores where C++ or the launch
 * function has it for something else. Calls do not see it. In the arena. */
const char **embed_parameter_names(arena *arena, const ast_function *tree);

#endif
