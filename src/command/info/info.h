/* The parts of `teeny info`, each as a JSON value that the caller owns. Member names are words with
 * underscores; what is printed as text is made from the same values (render.c). */
#ifndef TEENY_COMMAND_INFO_INFO_H
#define TEENY_COMMAND_INFO_INFO_H

#include <jansson.h>

/* Whether a kernel can run on the device that `auto` opens: tried with a small one. */
json_t *info_trial(void);

/* The device that `auto` opens, and why; every device, with its target or why it cannot be used. */
json_t *info_auto(void);
json_t *info_devices(void);

/* The CUDA driver: which library, which version, or why there is none. Opens no device. */
json_t *info_driver(void);

/* Every place where a teenyc is looked for, and the one that is used, with what it says of itself.
 */
json_t *info_compiler(void);

json_t *info_cache(void);

/* The processor as it is, and as kernels are compiled for it. */
json_t *info_cpu(void);

json_t *info_ptxas(void);
json_t *info_variables(void);

/* Prints an object, a line for each member. */
void info_render(const json_t *report);

#endif
