/* How large the cache is known to be: the file CACHE/usage.
 *
 *     teeny usage 1
 *     bytes 123456789       of entries, in whole blocks
 *     counted 1732960000    when they were last counted one by one
 *
 * A hint, so that publishing need not count every file. Where it is lost, unreadable or older than
 * a day it is counted anew, which puts right whatever was added or removed unnoticed.
 */
#ifndef TEENY_RUNTIME_CACHE_USAGE_H
#define TEENY_RUNTIME_CACHE_USAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Adds what was published to the cache whose directory it is; `out_bytes` gets the sum. False: how
 * large it is has to be counted. */
bool teeny_usage_add(int directory, uint64_t bytes, uint64_t *out_bytes);

/* Notes what was just counted. */
void teeny_usage_set(int directory, uint64_t bytes);

#endif
