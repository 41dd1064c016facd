/* The element types of the language, and what each is. */
#ifndef TEENY_FRONTEND_ELEMENT_H
#define TEENY_FRONTEND_ELEMENT_H

#include <stdbool.h>

typedef enum element_type {
    ELEMENT_NONE,
#define ELEMENT(name, bits, category, is_signed, is_arithmetic) ELEMENT_##name,
#include "frontend/elements.def"
#undef ELEMENT
} element_type;

typedef enum element_class { ELEMENT_BOOLEAN, ELEMENT_INTEGER, ELEMENT_FLOATING } element_class;

typedef struct element_info {
    const char *name;
    unsigned bits; /* in memory */
    element_class category;
    bool is_signed;
    bool is_arithmetic; /* C computes with its scalars */
} element_info;

/* Never NULL: ELEMENT_NONE has an entry with the name "?". */
const element_info *element_describe(element_type type);

/* The 8-bit floats: nothing is computed in them. */
bool element_is_f8(element_type type);

/* ELEMENT_NONE when there is no element type of this name. */
element_type element_find(const char *name);

#endif
