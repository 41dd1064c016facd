/* Sizes for people, in the units that TEENYC_CACHE_SIZE takes; see command.h. */
#include "command/command.h"

#include <inttypes.h>
#include <stdio.h>

const char *command_size(uint64_t bytes, char text[COMMAND_SIZE_TEXT])
{
    static const char units[] = "BKMGT";
    int unit = 0;
    while (bytes >> (10 * unit) >= 1024 && units[unit + 1])
        unit++;
    uint64_t whole = bytes >> (10 * unit), one = UINT64_C(1) << (10 * unit);
    if (whole << (10 * unit) == bytes)
        snprintf(text, COMMAND_SIZE_TEXT, "%" PRIu64 "%c", whole, units[unit]);
    else
        snprintf(text, COMMAND_SIZE_TEXT, "%.1f%c", (double)bytes / (double)one, units[unit]);
    return text;
}
