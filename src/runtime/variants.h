/* The compilations of one function: one that fits any arguments, and those that know more. */
#ifndef TEENY_RUNTIME_VARIANTS_H
#define TEENY_RUNTIME_VARIANTS_H

#include "runtime/driver.h"
#include "runtime/specialisation.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct teeny_variant {
    teeny_signature signature;
    teeny_artifact *artifact; /* NULL where the code is borrowed from another */
    teeny_code *code;
} teeny_variant;

/* Loads the variant's artifact on the device: its code; the bytes are not needed any more then. */
teeny_status teeny_variant_load(teeny_device *device, teeny_variant *variant);

enum { TEENY_VARIANT_LIMIT = 64, TEENY_VARIANT_SLOTS = 2 * TEENY_VARIANT_LIMIT };

/* An open-addressed table whose entries never change: found without a lock, added under one. */
typedef struct teeny_variants {
    _Atomic(teeny_variant *) slots[TEENY_VARIANT_SLOTS];
    pthread_mutex_t mutex;
    unsigned count;
} teeny_variants;

void teeny_variants_init(teeny_variants *variants);

/* Frees the table, having handed each variant to `unload`; the variants themselves are freed too.
 */
void teeny_variants_free(teeny_variants *variants, const teeny_driver *driver,
    void (*unload)(const teeny_driver *driver, teeny_variant *variant));

/* NULL where there is none yet. Any thread, at any time. */
teeny_variant *teeny_variants_find(teeny_variants *variants, teeny_signature signature);

/* Adds one whose signature is not there yet. The caller holds the mutex. There is room: fewer than
 * TEENY_VARIANT_LIMIT are in it. */
void teeny_variants_add(teeny_variants *variants, teeny_variant *variant);

#endif
