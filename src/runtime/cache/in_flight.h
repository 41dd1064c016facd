/* Keys that some thread of this process is compiling right now. */
#ifndef TEENY_RUNTIME_CACHE_IN_FLIGHT_H
#define TEENY_RUNTIME_CACHE_IN_FLIGHT_H

#include "base/checksum.h"

/* Lives in the compiling thread's frame. */
typedef struct teeny_in_flight {
    teeny_checksum key;
    struct teeny_in_flight *next;
} teeny_in_flight;

/* Waits until no other thread compiles `key`, then claims it. */
void teeny_in_flight_begin(teeny_in_flight *self, teeny_checksum key);
void teeny_in_flight_end(teeny_in_flight *self);

#endif
