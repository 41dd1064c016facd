/* XXH3-128 as text; see checksum.h. */
#include "base/checksum.h"

#define XXH_INLINE_ALL
#include <stdio.h>
#include <xxhash.h>

teeny_checksum teeny_checksum_of(const void *data, size_t size)
{
    teeny_checksum result;
    XXH128_hash_t hash = XXH3_128bits(data, size);
    snprintf(result.text, sizeof result.text, "%016llx%016llx", (unsigned long long)hash.high64,
        (unsigned long long)hash.low64);
    return result;
}
