/* See table.h. */
#include "table.h"

#include <string.h>

#include "families.h"

const struct table *const tables[] = {
    &operator_table,
    &function_table,
    &cast_table,
    &reduce_table,
    &shape_table,
    &memory_table,
    &control_table,
    &dot_table,
    &large_table,
    &case_table,
    &case_number_table,
};
const size_t table_count = sizeof tables / sizeof *tables;

#define NO_F8 "8-bit floats are loaded, stored, moved and cast: nothing is computed in them"
#define NO_BF16_SCALARS "bf16 scalars are only loaded, stored, passed and cast"

const struct absence table_absences[] = {
    {"tiles", "", F8, NO_F8},
    {"tile and scalar", "", F8, NO_F8},
    {"scalars", "", F8, NO_F8},
    {"assignment", "", F8, NO_F8},
    {"functions of tiles", "", F8, NO_F8},
    {"functions of tile and scalar", "", F8, NO_F8},
    {"functions of scalars", "", F8, NO_F8},
    {"casts of tiles", "", EVERY, "it is about floats that are wider"},
    {"C's conversions", "", F8, "C has no 8-bit floats: tl_cast alone converts"},
    {"reductions", "", F8, NO_F8},
    {"creation and shapes", "tl_full", F8, NO_F8},
    {"statements and helpers", "", F8, NO_F8},
    {"tiles", "", ONE(BOOL), "a mask is no number: masks have & | ^ ~ and comparisons"},
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
    {"bitcasts", "", NUMBERS | F8, "the sizes differ"},
    {"reductions", "", ONE(BOOL), "the sum or extreme of a mask is refused: tl_count counts it"},
    {"reductions", "", ONE(BF16), "a function of bf16 scalars cannot compute"},
    {"reductions", "", FLOATS, "floats have no ^"},
    {"creation and shapes", "tl_arange", EVERY, "its elements are i32"},
    {"memory", "blocks, TL_PAD_NAN", EVERY, "only floats have a NaN"},
    {"statements and helpers", "tl_program_id", EVERY, "it is an i32"},
    {"statements and helpers", "", ONE(BOOL), "these compute sums"},
    {"statements and helpers", "", ONE(BF16), NO_BF16_SCALARS},
    {"dot", "tl_dot, f16 sums", EVERY, "f16 alone may be added up in f16"},
    {"dot", "", EVERY, "f16, bf16, f32, f64 and i8 have a product"},
    {"large tiles", "", EVERY, "what is tried is where elements lie, not their type"},
    {"cases", "", EVERY, "the report is about other types"},
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
    case ACCUMULATED:
        return elements[element].class != FLOATING ? I32 : element == F64 ? F64 : F32;
    case FIXED:
        return row->fixed;
    default:
        return element;
    }
}
