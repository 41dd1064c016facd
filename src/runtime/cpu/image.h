/* Compiled code for the cpu device: checked, and mapped from the very bytes that were checked. */
#ifndef TEENY_RUNTIME_CPU_IMAGE_H
#define TEENY_RUNTIME_CPU_IMAGE_H

#include "base/files.h"

#include <stdint.h>

#include "base/cpu_image.h"

typedef struct teeny_image {
    void *mapping;
    size_t size;
    cpu_entry *entry;
    uint64_t scratch_bytes;
} teeny_image;

/* A phrase that says why the bytes are no image for this machine; NULL if they are one. */
const char *teeny_image_problem(const teeny_bytes *bytes);

/* Maps an image that has no problem. Returns 0 or an errno value. */
int teeny_image_map(const teeny_bytes *bytes, teeny_image *out_image);
void teeny_image_unmap(teeny_image *image);

#endif
