/* Kernels that were compiled ahead: what a C file that `teenyc --emit c` wrote holds.
 *
 * Such a file defines a kernel as TEENY_KERNEL does, with compiled code in place of the text, and a
 * header beside it declares it as TEENY_KERNEL_DECLARE does. All of libteeny takes it as any other
 * kernel: TEENY_LAUNCH, teeny_load, TEENY_LAUNCH_FUNCTION. No teenyc is needed, looked for, or
 * started.
 *
 * Which image runs: of those for the device's very chip (sm_90a on an H100), else of the newest
 * chip that is not above it, the cubin before the PTX. PTX runs on every later chip, a cubin on
 * later ones of the same major number, code for an `a` target on that chip alone; x86-64-v3 on each
 * processor that has the instructions of that level. Where the driver refuses an image the next
 * best is tried. Among images of one target a launch takes the one that is specialised for the most
 * of what holds for its arguments. The driver's own compilation of PTX is kept in the cache
 * (compile.h) where there can be one.
 *
 * Options given to teeny_load choose among what there is: `target`, as the image's is spelled;
 * META values, types and num_warps must be those of the compilation, or the status is
 * TEENY_NOT_COMPILED; do_not_specialise works as ever; the rest has no effect. Where no image runs
 * on the device the status is TEENY_NOT_COMPILED too, with a list of those that there are.
 */
#ifndef TEENY_EMBEDDED_H
#define TEENY_EMBEDDED_H

#include <stddef.h>
#include <teeny/status.h>

TEENY_BEGIN_C

struct teeny_kernel;

/* One compilation: for a target, and for what is known of the arguments. */
typedef struct teeny_embedded_image {
    const char *target; /* "sm_90a", "x86-64-v3" */
    const char
        *specialised;     /* as teenyc --specialise, by position: "0=16,3=1"; "": any arguments */
    const char *stage;    /* what the code is: "ptx", "cubin" or "image" */
    const char *metadata; /* teenyc's, of this image */
    const void *code;     /* PTX ends with a zero byte that `size` does not count */
    size_t size;          /* in bytes */
} teeny_embedded_image;

/* All of a kernel's, in any order. */
typedef struct teeny_embedded {
    const teeny_embedded_image *images;
    size_t count;
} teeny_embedded;

/* Which of the kernel's images suits a device best whose target is `target` (teeny_device_target:
 * "sm_90", "cpu"): its number. It is the first that teeny_load tries. The kernel, like all of its
 * images, is only read. Thread-safe. Errors: TEENY_INVALID_ARGUMENT where the kernel has no
 * compiled code, TEENY_NOT_COMPILED where none of it runs there. */
TEENY_API teeny_status teeny_embedded_choose(
    const struct teeny_kernel *kernel, const char *target, size_t *out_image);

TEENY_END_C

#endif
