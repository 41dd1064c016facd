/* The table of element.h. */
#include "frontend/element.h"

#include <stddef.h>
#include <string.h>

static const element_info elements[] = {
    [ELEMENT_NONE] = {"?", 0, ELEMENT_INTEGER, false, false},
#define ELEMENT(name, bits, category, is_signed, is_arithmetic)                                    \
    [ELEMENT_##name] = {#name, bits, ELEMENT_##category, is_signed, is_arithmetic},
#include "frontend/elements.def"
#undef ELEMENT
};

enum { NUM_ELEMENTS = sizeof elements / sizeof *elements };

const element_info *element_describe(element_type type)
{
    return &elements[type];
}

bool element_is_f8(element_type type)
{
    return elements[type].category == ELEMENT_FLOATING && elements[type].bits == 8;
}

element_type element_find(const char *name)
{
    for (size_t i = ELEMENT_NONE + 1; i < NUM_ELEMENTS; i++)
        if (strcmp(elements[i].name, name) == 0)
            return (element_type)i;
    return ELEMENT_NONE;
}
