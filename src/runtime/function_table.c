/* From a kernel's address to its loaded function; see function_table.h.
 *
 * An open-addressed table, at most half full, whose entries never change. A larger one takes its
 * place when it fills up; the smaller one is kept until the end, since a reader may still be in it.
 * Together they are no larger than the last one twice.
 */
#include "runtime/function_table.h"

#include <stdint.h>
#include <stdlib.h>

struct slot {
    _Atomic(const teeny_kernel *) kernel; /* NULL: free; set after `function` */
    teeny_function *function;
};

struct teeny_function_slots {
    struct teeny_function_slots *smaller;
    size_t mask; /* one less than their number, a power of two */
    size_t used;
    struct slot slots[];
};

enum { FIRST_SIZE = 64 };

static size_t hash(const teeny_kernel *kernel)
{
    uint64_t address = (uintptr_t)kernel;
    return (size_t)((address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

void teeny_function_table_init(teeny_function_table *table)
{
    atomic_init(&table->slots, NULL);
    pthread_mutex_init(&table->mutex, NULL);
}

void teeny_function_table_free(
    teeny_function_table *table, void (*release)(teeny_function *function))
{
    struct teeny_function_slots *slots = atomic_load(&table->slots);
    for (size_t i = 0; slots && i <= slots->mask; i++)
        if (atomic_load(&slots->slots[i].kernel))
            release(slots->slots[i].function);
    while (slots) {
        struct teeny_function_slots *smaller = slots->smaller;
        free(slots);
        slots = smaller;
    }
    pthread_mutex_destroy(&table->mutex);
}

/* The kernel's slot, or the free one where it belongs. */
static struct slot *find_slot(struct teeny_function_slots *slots, const teeny_kernel *kernel)
{
    for (size_t at = hash(kernel);; at++) {
        struct slot *slot = &slots->slots[at & slots->mask];
        const teeny_kernel *found = atomic_load_explicit(&slot->kernel, memory_order_acquire);
        if (found == kernel || !found)
            return slot;
    }
}

teeny_function *teeny_function_table_find(teeny_function_table *table, const teeny_kernel *kernel)
{
    struct teeny_function_slots *slots = atomic_load_explicit(&table->slots, memory_order_acquire);
    if (!slots)
        return NULL;
    struct slot *slot = find_slot(slots, kernel);
    return atomic_load_explicit(&slot->kernel, memory_order_acquire) ? slot->function : NULL;
}

static void put(
    struct teeny_function_slots *slots, const teeny_kernel *kernel, teeny_function *function)
{
    struct slot *slot = find_slot(slots, kernel);
    slot->function = function;
    atomic_store_explicit(&slot->kernel, kernel, memory_order_release);
    slots->used++;
}

/* Slots with room for one more. NULL where memory is out. */
static struct teeny_function_slots *make_room(teeny_function_table *table)
{
    struct teeny_function_slots *old = atomic_load(&table->slots);
    if (old && 2 * (old->used + 1) <= old->mask + 1)
        return old;
    size_t size = old ? 2 * (old->mask + 1) : FIRST_SIZE;
    struct teeny_function_slots *grown = calloc(1, sizeof *grown + size * sizeof(struct slot));
    if (!grown)
        return NULL;
    grown->mask = size - 1;
    grown->smaller = old;
    for (size_t i = 0; old && i <= old->mask; i++) {
        const teeny_kernel *kernel = atomic_load(&old->slots[i].kernel);
        if (kernel)
            put(grown, kernel, old->slots[i].function);
    }
    atomic_store_explicit(&table->slots, grown, memory_order_release);
    return grown;
}

teeny_function *teeny_function_table_add(
    teeny_function_table *table, const teeny_kernel *kernel, teeny_function *function)
{
    pthread_mutex_lock(&table->mutex);
    teeny_function *present = teeny_function_table_find(table, kernel);
    struct teeny_function_slots *slots = present ? NULL : make_room(table);
    if (slots)
        put(slots, kernel, function);
    pthread_mutex_unlock(&table->mutex);
    if (present)
        return present;
    return slots ? function : NULL;
}
