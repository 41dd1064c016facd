/* See memory.h. */
#include "runtime/emu/memory.h"

#include "runtime/report.h"

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

/* With the lock for writing. */
static void remove_buffer(teeny_emu_memory *memory, teeny_emu_buffer *buffer)
{
    size_t at = count_up_to(memory, buffer->base) - 1;
    free_buffer(buffer);
    memory->count--;
    memmove(&memory->buffers[at], &memory->buffers[at + 1],
        (memory->count - at) * sizeof(*memory->buffers));
}

void teeny_emu_memory_free(teeny_emu_memory *memory, void *pointer)
{
    pthread_rwlock_wrlock(&memory->lock);
    remove_buffer(memory, teeny_emu_memory_find(memory, (uintptr_t)pointer));
    pthread_rwlock_unlock(&memory->lock);
}

/* ---- Memory of others ------------------------------------------------------------------------ */

/* With the lock. */
static teeny_emu_buffer *find_owner(const teeny_emu_memory *memory, uintptr_t begin, size_t size)
{
    teeny_emu_buffer *buffer = teeny_emu_memory_find(memory, begin);
    bool is_inside = buffer && begin - buffer->base <= buffer->size &&
                     size <= buffer->size - (begin - buffer->base);
    return is_inside ? buffer : NULL;
}

/* With the lock. */
static bool overlaps(const teeny_emu_memory *memory, uintptr_t begin, size_t size)
{
    const teeny_emu_buffer *before = teeny_emu_memory_find(memory, begin);
    const teeny_emu_buffer *after = teeny_emu_memory_find_next(memory, begin);
    return (before && begin - before->base < before->size) || (after && after->base - begin < size);
}

/* With the lock for writing. */
static teeny_status adopt(teeny_emu_memory *memory, uintptr_t begin, size_t size)
{
    teeny_emu_buffer *owner = find_owner(memory, begin, size);
    if (owner) {
        owner->adoptions += owner->base == begin;
        return TEENY_OK;
    }
    if (overlaps(memory, begin, size))
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "the %zu bytes lie partly in another buffer, and partly outside of it", size);
    teeny_emu_buffer *buffer = calloc(1, sizeof *buffer);
    if (buffer && teeny_shadow_make(&buffer->shadow, size)) {
        buffer->base = begin;
        buffer->size = size;
        buffer->adoptions = 1;
        if (insert(memory, buffer))
            return TEENY_OK;
    }
    if (buffer)
        free_buffer(buffer);
    return teeny_fail_memory();
}

teeny_status teeny_emu_memory_adopt(teeny_emu_memory *memory, void *pointer, size_t size)
{
    pthread_rwlock_wrlock(&memory->lock);
    teeny_status status = adopt(memory, (uintptr_t)pointer, size);
    pthread_rwlock_unlock(&memory->lock);
    return status;
}

void teeny_emu_memory_disown(teeny_emu_memory *memory, void *pointer)
{
    pthread_rwlock_wrlock(&memory->lock);
    teeny_emu_buffer *buffer = teeny_emu_memory_find(memory, (uintptr_t)pointer);
    if (buffer && buffer->base == (uintptr_t)pointer && --buffer->adoptions == 0 && !buffer->block)
        remove_buffer(memory, buffer);
    pthread_rwlock_unlock(&memory->lock);
}
