/* See pointer_map.h: open addressing, at most half full. */
#include "analysis/pointer_map.h"

#include <stdint.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

void pointer_map_init(struct pointer_map *map, arena *arena)
{
    *map = (struct pointer_map){.arena = arena, .capacity = FIRST_CAPACITY};
    map->entries = arena_array(arena, struct pointer_map_entry, map->capacity);
}

/* Where the key is, or would be. */
static struct pointer_map_entry *find(const struct pointer_map *map, const void *key)
{
    uint64_t hash = (uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15u;
    size_t i = (size_t)(hash >> 32) & (map->capacity - 1);
    while (map->entries[i].key && map->entries[i].key != key)
        i = (i + 1) & (map->capacity - 1);
    return &map->entries[i];
}

void *pointer_map_get(const struct pointer_map *map, const void *key)
{
    return find(map, key)->value;
}

static void grow(struct pointer_map *map)
{
    struct pointer_map old = *map;
    map->capacity *= 2;
    map->entries = arena_array(map->arena, struct pointer_map_entry, map->capacity);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.entries[i].key)
            *find(map, old.entries[i].key) = old.entries[i];
}

void pointer_map_set(struct pointer_map *map, const void *key, void *value)
{
    struct pointer_map_entry *entry = find(map, key);
    if (!entry->key) {
        if (2 * (map->count + 1) > map->capacity) {
            grow(map);
            entry = find(map, key);
        }
        map->count++;
    }
    *entry = (struct pointer_map_entry){key, value};
}

void pointer_map_clear(struct pointer_map *map)
{
    memset(map->entries, 0, map->capacity * sizeof *map->entries);
    map->count = 0;
}
