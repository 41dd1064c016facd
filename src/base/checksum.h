/* XXH3-128 as text: it guards against accidents, not against people. */
#ifndef TEENY_BASE_CHECKSUM_H
#define TEENY_BASE_CHECKSUM_H

#include <stddef.h>

/* 32 hexadecimal digits and a zero byte. */
typedef struct teeny_checksum {
    char text[33];
} teeny_checksum;

teeny_checksum teeny_checksum_of(const void *data, size_t size);

#endif
