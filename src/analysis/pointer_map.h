/* A map from pointers to pointers, for values and blocks of MLIR. Lives in an arena. */
#ifndef TEENY_ANALYSIS_POINTER_MAP_H
#define TEENY_ANALYSIS_POINTER_MAP_H

#include "base/arena.h"

#include <stddef.h>

struct pointer_map_entry {
    const void *key; /* NULL: free */
    void *value;
};

struct pointer_map {
    arena *arena;
    struct pointer_map_entry *entries;
    size_t count, capacity; /* a power of two */
};

void pointer_map_init(struct pointer_map *map, arena *arena);

/* NULL where the key is not in the map. */
void *pointer_map_get(const struct pointer_map *map, const void *key);

/* Adds or replaces. The key is not NULL. */
void pointer_map_set(struct pointer_map *map, const void *key, void *value);

/* Forgets everything. */
void pointer_map_clear(struct pointer_map *map);

#endif
