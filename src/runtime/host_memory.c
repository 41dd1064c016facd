/* See host_memory.h. */
#include "runtime/host_memory.h"

#include "runtime/report.h"

#include <stdlib.h>
#include <string.h>

enum { MEMORY_ALIGNMENT = 256 };

teeny_status teeny_host_memory_allocate(teeny_device *device, size_t size, void **out_pointer)
{
    void *pointer;
    if (posix_memalign(&pointer, MEMORY_ALIGNMENT, size) != 0)
        return teeny_fail(
            TEENY_OUT_OF_MEMORY, "device %s has no %zu bytes left", device->name, size);
    *out_pointer = pointer;
    return TEENY_OK;
}

void teeny_host_memory_free(teeny_device *device, void *pointer)
{
    (void)device;
    free(pointer);
}

/* Patterns are aligned: their bytes are those of one unit in memory order. */
void teeny_fill_host(const teeny_fill *fill)
{
    char *to = fill->pointer;
    uint16_t half = (uint16_t)fill->pattern;
    if (fill->unit == 1) {
        memset(to, (int)fill->pattern, fill->size);
        return;
    }
    for (size_t at = 0; at < fill->size; at += fill->unit)
        memcpy(to + at, fill->unit == 2 ? (const void *)&half : &fill->pattern, fill->unit);
}
