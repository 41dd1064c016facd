/* What devices whose memory is the host's have in common. */
#ifndef TEENY_RUNTIME_HOST_MEMORY_H
#define TEENY_RUNTIME_HOST_MEMORY_H

#include "runtime/driver.h"

/* Does a fill of the host's memory. */
void teeny_fill_host(const teeny_fill *fill);

#endif
