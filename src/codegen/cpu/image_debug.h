/* The object that an image keeps for debuggers (base/cpu_image.h): the linked one, told where its
 * sections went. */
#ifndef TEENY_CODEGEN_CPU_IMAGE_DEBUG_H
#define TEENY_CODEGEN_CPU_IMAGE_DEBUG_H

#include <stddef.h>
#include <stdint.h>

/* Writes the address of the first section of this name that has none yet into its header. An object
 * of another form than LLVM writes stays as it is. */
void image_debug_place(uint8_t *object, size_t size, const char *section, uint64_t address);

#endif
