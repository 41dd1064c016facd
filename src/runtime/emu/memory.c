/* See memory.h. */
#include "runtime/emu/memory.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 256, PATTERN = 0xa5 };

void teeny_emu_memory_init(teeny_emu_memory *memory)
{
    *memory = (teeny_emu_memory){0};
    pthread_rwlock_init(&memory->lock, NULL);
}

static void free_buffer(teeny_emu_buffer *buffer)
{
    teeny_shadow_free(&buffer->shadow);
    free(buffer->block);
    free(buffer);
}

void teeny_emu_memory_destroy(teeny_emu_memory *memory)
{
    for (size_t i = 0; i < memory->count; i++)
        free_buffer(memory->buffers[i]);
    free(memory->buffers);
    pthread_rwlock_destroy(&memory->lock);
}

/* ---- The table ------------------------------------------------------------------------------- */

/* How many buffers begin at or before the address. */
static size_t count_up_to(const teeny_emu_memory *memory, uintptr_t address)
{
    size_t low = 0, high = memory->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (memory->buffers[middle]->base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

teeny_emu_buffer *teeny_emu_memory_find(const teeny_emu_memory *memory, uintptr_t address)
{
    size_t count = count_up_to(memory, address);
    return count ? memory->buffers[count - 1] : NULL;
}

teeny_emu_buffer *teeny_emu_memory_find_next(const teeny_emu_memory *memory, uintptr_t address)
{
    size_t count = count_up_to(memory, address);
    return count < memory->count ? memory->buffers[count] : NULL;
}

static bool insert(teeny_emu_memory *memory, teeny_emu_buffer *buffer)
{
    if (memory->count == memory->capacity) {
        size_t capacity = memory->capacity ? 2 * memory->capacity : 64;
        teeny_emu_buffer **grown = realloc(memory->buffers, capacity * sizeof(*grown));
        if (!grown)
            return false;
        memory->buffers = grown;
        memory->capacity = capacity;
    }
    size_t at = count_up_to(memory, buffer->base);
    memmove(&memory->buffers[at + 1], &memory->buffers[at],
        (memory->count - at) * sizeof(*memory->buffers));
    memory->buffers[at] = buffer;
    memory->count++;
    return true;
}

/* ---- Buffers --------------------------------------------------------------------------------- */

static teeny_emu_buffer *make_buffer(size_t size)
{
    teeny_emu_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return NULL;
    buffer->size = size;
    if (size > SIZE_MAX - 2 * TEENY_EMU_GUARD ||
        posix_memalign(&buffer->block, ALIGNMENT, size + 2 * TEENY_EMU_GUARD) != 0 ||
        !teeny_shadow_make(&buffer->shadow, size)) {
        free_buffer(buffer);
        return NULL;
    }
    buffer->base = (uintptr_t)buffer->block + TEENY_EMU_GUARD;
    memset((void *)buffer->base, PATTERN, size);
    return buffer;
}

void *teeny_emu_memory_allocate(teeny_emu_memory *memory, size_t size)
{
    teeny_emu_buffer *buffer = make_buffer(size);
    if (!buffer)
        return NULL;
    pthread_rwlock_wrlock(&memory->lock);
    bool is_in = insert(memory, buffer);
    pthread_rwlock_unlock(&memory->lock);
    if (is_in)
        return (char *)buffer->block + TEENY_EMU_GUARD;
    free_buffer(buffer);
    return NULL;
}

void teeny_emu_memory_free(teeny_emu_memory *memory, void *pointer)
{
    pthread_rwlock_wrlock(&memory->lock);
    size_t at = count_up_to(memory, (uintptr_t)pointer) - 1;
    free_buffer(memory->buffers[at]);
    memory->count--;
    memmove(&memory->buffers[at], &memory->buffers[at + 1],
        (memory->count - at) * sizeof(*memory->buffers));
    pthread_rwlock_unlock(&memory->lock);
}
