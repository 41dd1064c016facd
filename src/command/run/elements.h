/* The element types of buffers and scalars: from numbers to their bytes and back. */
#ifndef TEENY_COMMAND_RUN_ELEMENTS_H
#define TEENY_COMMAND_RUN_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum element_class {
    ELEMENT_BOOLEAN,
    ELEMENT_SIGNED,
    ELEMENT_UNSIGNED,
    ELEMENT_FLOATING
} element_class;

typedef struct element {
    const char *name; /* "f32" */
    element_class class;
    unsigned bytes;
    unsigned mantissa_bits; /* of a float, without the leading one */
    bool is_finite;         /* its largest exponent has numbers, and one NaN: f8e4m3 */
    int digits;             /* that tell all values apart in decimal */
} element;

/* NULL where there is none of this name. */
const element *element_find(const char *name, size_t length);

/* "bool, i8, ..." for messages. */
const char *element_names(void);

/* A long double holds every value of every element type: numbers are handed around as such. */

/* Writes the element's bytes; floats round to nearest even. An integer's value fits. */
void element_encode(const element *element, long double value, void *out_bytes);
long double element_decode(const element *element, const void *bytes);

/* Whether an integer or bool has this value. */
bool element_fits(const element *element, long double value);

/* The values of an element in order, as integers: neighbours differ by 1, and both zeros are 0. For
 * floats other than NaN, and integers. */
int64_t element_rank(const element *element, const void *bytes);
bool element_is_nan(const element *element, const void *bytes);

/* The distance from a finite magnitude to the next larger one. */
long double element_ulp(const element *element, long double magnitude);

/* As text, into at least 64 bytes; returns the text. */
const char *element_print(const element *element, const void *bytes, char *text);

#endif
