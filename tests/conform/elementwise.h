/* How elementwise operations are tried, and how their meaning is written. */
#ifndef TEENY_TESTS_CONFORM_ELEMENTWISE_H
#define TEENY_TESTS_CONFORM_ELEMENTWISE_H

#include "table.h"
#include "values.h"

enum { ELEMENTWISE_SCALARS_A_PROGRAM = 32 };

/* How many elements a trial has: ragged and with all pairs of special values, or a few. */
size_t elementwise_size(const struct trial *trial);

/* How many programs of `block` elements each that is. */
teeny_grid elementwise_grid(size_t n, int block);

/* Expects in out[i] what the row's reference makes of operands that are numbers of `computed`. */
void elementwise_expect(struct trial *trial, enum element_id computed, struct array *out, size_t i,
    const struct number operands[3]);

/* out[i] of tiles; of scalars, 32 a program, computed in what C promotes them to. */
void elementwise_tiles(struct trial *trial);
void elementwise_scalars(struct trial *trial);

/* A reference `reference_NAME`: one expression of a, b and c for signed, unsigned and floating
 * operands each, where `defined`. `bits` is the width of the element. */
#define REFERENCE(name, type, member, make, expression, defined)                                   \
    static bool name(enum element_id element, const struct number operands[3], struct number *out) \
    {                                                                                              \
        const type a = (type)operands[0].member, b = (type)operands[1].member,                     \
                   c = (type)operands[2].member;                                                   \
        const unsigned bits = 8 * (unsigned)elements[element].size;                                \
        (void)a, (void)b, (void)c, (void)bits;                                                     \
        if (!(defined))                                                                            \
            return false;                                                                          \
        *out = make(expression);                                                                   \
        return true;                                                                               \
    }
#define INTEGER_REFERENCES(name, expression, defined)                                              \
    REFERENCE(signed_##name, int64_t, i, number_signed, expression, defined)                       \
    REFERENCE(unsigned_##name, uint64_t, u, number_unsigned, expression, defined)
#define FLOAT_REFERENCE(name, expression)                                                          \
    REFERENCE(floating_##name, double, f, number_float, expression, 1)
/* One function that picks by the element's class; a class without a reference is never asked. */
#define PICK(name, for_signed, for_unsigned, for_float)                                            \
    static bool reference_##name(                                                                  \
        enum element_id element, const struct number operands[3], struct number *out)              \
    {                                                                                              \
        elementwise_reference *const by_class[] = {[TRUTH] = for_unsigned,                         \
            [SIGNED] = for_signed,                                                                 \
            [UNSIGNED] = for_unsigned,                                                             \
            [FLOATING] = for_float};                                                               \
        return by_class[elements[element].class](element, operands, out);                          \
    }

#endif
