/* Kernels that were compiled ahead, as functions load them; the public side is in
 * teeny/embedded.h. */
#ifndef TEENY_RUNTIME_EMBEDDED_H
#define TEENY_RUNTIME_EMBEDDED_H

#include "runtime/variants.h"

#include <teeny/embedded.h>

/* How well an image suits a device with this target: the higher the better, 0 where it does not run
 * there. No two images of one stage and different targets are equal. */
unsigned teeny_image_rank(const teeny_embedded_image *image, const char *device_target);

/* The best image for any arguments whose rank is below `limit`; NULL: there is none. `wanted` is
 * the only target to be considered, or NULL. */
const teeny_embedded_image *teeny_image_best(
    const teeny_embedded *embedded, const char *device_target, const char *wanted, unsigned limit);

/* As teeny_compile (compile.h), of the image that suits the target best. */
teeny_status teeny_embedded_compile(const teeny_kernel *kernel, const char *target,
    const teeny_options *options, const char *specialise, teeny_artifact **out_artifact);

/* Loads the image for any arguments that suits the device best, of those that its driver takes. */
teeny_status teeny_embedded_load(teeny_device *device, const teeny_kernel *kernel,
    const teeny_options *options, teeny_variant *out_variant);

/* Leaves of a function's specialisation what images of `target` were made for. */
void teeny_embedded_specialise(
    const teeny_kernel *kernel, const char *target, teeny_specialisation *specialisation);

/* Loads the image of `target` that was made for most of what is known. TEENY_NOT_COMPILED, with no
 * message: there is none that the driver takes. */
teeny_status teeny_embedded_load_known(teeny_device *device, const teeny_kernel *kernel,
    const char *target, const teeny_specialisation *specialisation, teeny_signature signature,
    teeny_variant *out_variant);

#endif
