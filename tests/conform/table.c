/* See table.h. */
#include "table.h"

#include <string.h>

#include "families.h"

const struct table *const tables[] = {
    &operator_table,
    &function_table,
    &cast_table,
    &reduce_table,
};
const size_t table_count = sizeof tables / sizeof *tables;

#define NO_BF16_SCALARS "bf16 scalars are only loaded, stored, passed and cast"

const struct absence table_absences[] = {
    {"tiles", "", ONE(BOOL), "a tile of bool is a mask: & | ^ ~ alone"},
    {"tiles", "", FLOATS, "C has this operator on integers alone"},
    {"tile and scalar", "", ONE(BOOL), "a mask combines with masks alone"},
    {"tile and scalar", "", ONE(BF16), NO_BF16_SCALARS},
    {"tile and scalar", "", FLOATS, "C has this operator on integers alone"},
    {"scalars", "", ONE(BF16), NO_BF16_SCALARS},
    {"scalars", "", FLOATS, "C has this operator on integers alone"},
    {"assignment", "", ONE(BF16), NO_BF16_SCALARS},
    {"assignment", "", FLOATS, "C has this operator on integers alone"},
    {"functions of tiles", "", ONE(BOOL), "a tile of bool is a mask, no number"},
    {"functions of tiles", "tl_cdiv(a, b)", FLOATS, "it divides integers"},
    {"functions of tiles", "", INTEGERS, "it is a function of floats"},
    {"functions of tile and scalar", "", ONE(BOOL), "a tile of bool is a mask, no number"},
    {"functions of tile and scalar", "", ONE(BF16), NO_BF16_SCALARS},
    {"functions of tile and scalar", "tl_cdiv(a, s)", FLOATS, "it divides integers"},
    {"functions of tile and scalar", "", INTEGERS, "it is a function of floats"},
    {"functions of scalars", "", ONE(BF16), NO_BF16_SCALARS},
    {"functions of scalars", "", ONE(BOOL), "a bool is an int where C computes"},
    {"functions of scalars", "tl_cdiv(s, t)", FLOATS, "it divides integers"},
    {"functions of scalars", "", INTEGERS, "it is a function of floats"},
    {"C's conversions", "", ONE(BF16), NO_BF16_SCALARS},
    {"bitcasts", "", ONE(BOOL), "a bool is a truth value, not bits"},
    {"bitcasts", "", NUMBERS, "the sizes differ"},
    {"reductions", "", ONE(BOOL), "the sum or extreme of a mask is refused: tl_count counts it"},
    {"reductions", "", ONE(BF16), "a function of bf16 scalars cannot compute"},
    {"reductions", "", FLOATS, "floats have no ^"},
};
const size_t table_absence_count = sizeof table_absences / sizeof *table_absences;

static bool matches(const char *pattern, const char *text)
{
    return pattern[0] == 0 || strcmp(pattern, text) == 0;
}

const char *table_absence(const struct row *row, enum element_id element)
{
    for (size_t i = 0; i < table_absence_count; i++) {
        const struct absence *absence = &table_absences[i];
        if ((absence->elements & ONE(element)) && matches(absence->family, row->family) &&
            matches(absence->row, row->name))
            return absence->reason;
    }
    return NULL;
}

enum element_id table_result(const struct row *row, enum element_id element)
{
    switch (row->result) {
    case LANES:
        return element_lanes(element);
    case WIDENED:
        return element_widened(element);
    case FIXED:
        return row->fixed;
    default:
        return element;
    }
}
