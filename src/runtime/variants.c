/* See variants.h. */
#include "runtime/variants.h"

#include <stdlib.h>

teeny_status teeny_variant_load(teeny_device *device, teeny_variant *variant)
{
    teeny_status status = device->driver->code_load(device, variant->artifact, &variant->code);
    if (status == TEENY_OK)
        teeny_artifact_forget(variant->artifact);
    return status;
}

void teeny_variants_init(teeny_variants *variants)
{
    for (size_t i = 0; i < TEENY_VARIANT_SLOTS; i++)
        atomic_init(&variants->slots[i], NULL);
    pthread_mutex_init(&variants->mutex, NULL);
    variants->count = 0;
}

void teeny_variants_free(teeny_variants *variants, const teeny_driver *driver,
    void (*unload)(const teeny_driver *driver, teeny_variant *variant))
{
    for (size_t i = 0; i < TEENY_VARIANT_SLOTS; i++) {
        teeny_variant *variant = atomic_load(&variants->slots[i]);
        if (!variant)
            continue;
        unload(driver, variant);
        free(variant);
    }
    pthread_mutex_destroy(&variants->mutex);
}

/* The variant's slot, or the free one where it belongs: half of them always are. */
static _Atomic(teeny_variant *) *slot_of(teeny_variants *variants, teeny_signature signature)
{
    for (size_t at = (size_t)(signature * UINT64_C(0x9e3779b97f4a7c15) >> 40);; at++) {
        _Atomic(teeny_variant *) *slot = &variants->slots[at % TEENY_VARIANT_SLOTS];
        const teeny_variant *found = atomic_load_explicit(slot, memory_order_acquire);
        if (!found || found->signature == signature)
            return slot;
    }
}

teeny_variant *teeny_variants_find(teeny_variants *variants, teeny_signature signature)
{
    return atomic_load_explicit(slot_of(variants, signature), memory_order_acquire);
}

void teeny_variants_add(teeny_variants *variants, teeny_variant *variant)
{
    atomic_store_explicit(slot_of(variants, variant->signature), variant, memory_order_release);
    variants->count++;
}
