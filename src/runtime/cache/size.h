/* Sizes as people write them. */
#ifndef TEENY_RUNTIME_CACHE_SIZE_H
#define TEENY_RUNTIME_CACHE_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#define TEENY_CACHE_DEFAULT_SIZE ((uint64_t)1 << 30)

/* What a file or directory of so many bytes takes, in blocks of 4096. */
uint64_t teeny_size_on_disk(uint64_t bytes);

/* Reads a number of bytes, or of KiB, MiB, GiB or TiB with K, M, G or T behind it, or "unlimited",
 * which is UINT64_MAX. False: it is none, and `out_bytes` is as it was. */
bool teeny_size_parse(const char *text, uint64_t *out_bytes);

#endif
