/* See host_memory.h. */
#include "runtime/host_memory.h"

#include <string.h>

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
