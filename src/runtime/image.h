/* Compiled code that runs on the host, for the devices cpu and emu: checked, and mapped from the
 * very bytes that were checked. */
#ifndef TEENY_RUNTIME_IMAGE_H
#define TEENY_RUNTIME_IMAGE_H

#include "base/files.h"
#include "runtime/debugger.h"

#include <stdint.h>
#include <teeny/status.h>

#include "base/cpu_image.h"
#include "base/emu_image.h"

typedef struct teeny_image {
    void *mapping;
    size_t size;
    cpu_entry *entry; /* of a CPU_IMAGE_MAGIC; else it is to be cast */
    uint64_t scratch_bytes;
    teeny_debugged *debugged; /* NULL: no debugger is to know of it */
} teeny_image;

/* A phrase that says why the bytes are no image of the kind (CPU_IMAGE_MAGIC or EMU_IMAGE_MAGIC)
 * for this machine; NULL if they are one. */
const char *teeny_image_problem(const teeny_bytes *bytes, const char *magic);

/* Maps an image that has no problem, and tells debuggers of it if it was compiled for them. Returns
 * 0 or an errno value. */
int teeny_image_map(const teeny_bytes *bytes, teeny_image *out_image);
/* Reports that it could not be mapped, with the errno value. */
teeny_status teeny_image_fail(int error, const char *kernel);

void teeny_image_unmap(teeny_image *image);

#endif
