/* The loadable image: an object file linked inside the process to one position-independent block.
 *
 * LLVM's runtime linker places the object's sections and resolves the references between them. It
 * does so twice, at two addresses: if the bytes differ, something in them is not relative to the
 * program counter, and that is an error. So is any symbol that the object does not define.
 */
#ifndef TEENY_CODEGEN_CPU_IMAGE_H
#define TEENY_CODEGEN_CPU_IMAGE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The attribute of the function that is the entry; its value is how much scratch memory it needs.
 */
#define IMAGE_SCRATCH_ATTRIBUTE "teeny-scratch-bytes"

struct image_request {
    const char *magic;  /* eight characters: what kind of image it is */
    const void *object; /* ELF, relocatable */
    size_t object_size;
    const char *entry; /* the symbol of a cpu_entry or emu_entry */
    uint64_t scratch_bytes;
    bool is_debugged; /* the image is to hold the object for debuggers */
};

/* The file of base/cpu_image.h, in the arena. NULL on failure, with the reason in *out_error. */
const void *image_link(
    arena *arena, const struct image_request *request, size_t *out_size, const char **out_error);

#endif
