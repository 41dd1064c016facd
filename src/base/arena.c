/* The arena of arena.h: a list of blocks, the newest first; large requests get a block of their
 * own. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 64 * 1024, OUT_OF_MEMORY_EXIT = 70 };

typedef struct block {
    struct block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char bytes[];
} block;

struct arena {
    block *newest;
};

static _Noreturn void out_of_memory(size_t size)
{
    fprintf(stderr, "teenyc: out of memory (%zu bytes)\n", size);
    exit(OUT_OF_MEMORY_EXIT);
}

static block *add_block(arena *arena, size_t least)
{
    size_t size = least > BLOCK_SIZE ? least : BLOCK_SIZE;
    block *added = size > SIZE_MAX - sizeof(block) ? NULL : calloc(1, sizeof(block) + size);
    if (!added)
        out_of_memory(size);
    added->size = size;
    added->next = arena->newest;
    arena->newest = added;
    return added;
}

arena *arena_create(void)
{
    arena *created = calloc(1, sizeof *created);
    if (!created)
        out_of_memory(sizeof *created);
    return created;
}

void arena_destroy(arena *arena)
{
    if (!arena)
        return;
    for (block *next, *each = arena->newest; each; each = next) {
        next = each->next;
        free(each);
    }
    free(arena);
}

void *arena_allocate(arena *arena, size_t size)
{
    const size_t alignment = alignof(max_align_t);
    if (size > SIZE_MAX - alignment)
        out_of_memory(size);
    size = (size + alignment - 1) / alignment * alignment;
    block *from = arena->newest;
    if (!from || from->size - from->used < size)
        from = add_block(arena, size);
    void *memory = from->bytes + from->used;
    from->used += size;
    return memory;
}

char *arena_copy(arena *arena, const char *text, size_t length)
{
    char *copy = arena_allocate(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_format_list(arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return arena_copy(arena, "", 0);
    char *text = arena_allocate(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

char *arena_format(arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_format_list(arena, format, arguments);
    va_end(arguments);
    return text;
}
