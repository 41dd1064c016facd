/* The emu device's global memory: which addresses are whose, with a shadow for each buffer.
 *
 * Between two of its own buffers lie at least TEENY_EMU_GUARD bytes that belong to none. Memory of
 * others can be adopted: then it is a buffer until it is disowned.
 */
#ifndef TEENY_RUNTIME_EMU_MEMORY_H
#define TEENY_RUNTIME_EMU_MEMORY_H

#include "runtime/emu/shadow.h"

#include <pthread.h>
#include <teeny/status.h>

#define TEENY_EMU_GUARD ((size_t)4096)

typedef struct teeny_emu_buffer {
    uintptr_t base; /* aligned to 256 bytes, unless it is others' */
    size_t size;
    void *block;        /* what free() takes; NULL: the memory is others' */
    unsigned adoptions; /* of memory that begins where this does */
    teeny_shadow shadow;
} teeny_emu_buffer;

/* Buffers sorted by address. Programs hold the lock for reading while they run. */
typedef struct teeny_emu_memory {
    pthread_rwlock_t lock;
    teeny_emu_buffer **buffers;
    size_t count, capacity;
} teeny_emu_memory;

void teeny_emu_memory_init(teeny_emu_memory *memory);
void teeny_emu_memory_destroy(teeny_emu_memory *memory);

/* `size` bytes whose contents are some pattern; NULL where memory is out. */
void *teeny_emu_memory_allocate(teeny_emu_memory *memory, size_t size);
void teeny_emu_memory_free(teeny_emu_memory *memory, void *pointer);

/* Memory of others: TEENY_INVALID_ARGUMENT where it lies across the end of a buffer. Inside of one
 * it is that one's. */
teeny_status teeny_emu_memory_adopt(teeny_emu_memory *memory, void *pointer, size_t size);
void teeny_emu_memory_disown(teeny_emu_memory *memory, void *pointer);

/* With the lock: the last buffer that begins at or before the address; NULL: none does. */
teeny_emu_buffer *teeny_emu_memory_find(const teeny_emu_memory *memory, uintptr_t address);
/* The first that begins behind it. */
teeny_emu_buffer *teeny_emu_memory_find_next(const teeny_emu_memory *memory, uintptr_t address);

#endif
