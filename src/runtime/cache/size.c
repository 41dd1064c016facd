/* Sizes as people write them; see size.h. */
#include "runtime/cache/size.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint64_t teeny_size_on_disk(uint64_t bytes)
{
    enum { BLOCK = 4096 };
    return (bytes + BLOCK - 1) / BLOCK * BLOCK;
}

/* How far a unit shifts the number, or -1. */
static int shift_of(const char *unit)
{
    static const char units[] = "KMGT";
    if (!*unit)
        return 0;
    const char *found = strchr(units, toupper((unsigned char)*unit));
    return found && !unit[1] ? 10 * (int)(found - units + 1) : -1;
}

bool teeny_size_parse(const char *text, uint64_t *out_bytes)
{
    if (strcmp(text, "unlimited") == 0) {
        *out_bytes = UINT64_MAX;
        return true;
    }
    if (!isdigit((unsigned char)text[0]))
        return false;
    char *unit;
    errno = 0;
    uint64_t number = strtoull(text, &unit, 10);
    int shift = shift_of(unit);
    if (errno || shift < 0 || number > UINT64_MAX >> shift)
        return false;
    *out_bytes = number << shift;
    return true;
}
