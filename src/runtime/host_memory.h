/* What devices whose memory is the host's have in common. */
#ifndef TEENY_RUNTIME_HOST_MEMORY_H
#define TEENY_RUNTIME_HOST_MEMORY_H

#include "runtime/driver.h"

/* The driver table's functions for memory of the host: aligned to 256 bytes. */
teeny_status teeny_host_memory_allocate(teeny_device *device, size_t size, void **out_pointer);
void teeny_host_memory_free(teeny_device *device, void *pointer);

/* Does a fill of the host's memory. */
void teeny_fill_host(const teeny_fill *fill);

#endif
