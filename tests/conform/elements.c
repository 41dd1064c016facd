/* See elements.h. */
#include "elements.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "narrow.h"

const struct element elements[ELEMENTS] = {
    [BOOL] = {"bool", 1, TRUTH, 0, 0, 0},
    [I8] = {"i8", 1, SIGNED, 0, 0, 0},
    [I16] = {"i16", 2, SIGNED, 0, 0, 0},
    [I32] = {"i32", 4, SIGNED, 0, 0, 0},
    [I64] = {"i64", 8, SIGNED, 0, 0, 0},
    [U8] = {"u8", 1, UNSIGNED, 0, 0, 0},
    [U16] = {"u16", 2, UNSIGNED, 0, 0, 0},
    [U32] = {"u32", 4, UNSIGNED, 0, 0, 0},
    [U64] = {"u64", 8, UNSIGNED, 0, 0, 0},
    [F16] = {"f16", 2, FLOATING, 11, -13, 17},
    [BF16] = {"bf16", 2, FLOATING, 8, -125, 129},
    [F32] = {"f32", 4, FLOATING, 24, -125, 129},
    [F64] = {"f64", 8, FLOATING, 53, -1021, 1025},
    [F8E4M3] = {"f8e4m3", 1, FLOATING, 4, -5, 9},
    [F8E5M2] = {"f8e5m2", 1, FLOATING, 3, -13, 17},
};

struct number number_signed(int64_t value)
{
    return (struct number){.i = value};
}

struct number number_unsigned(uint64_t value)
{
    return (struct number){.u = value};
}

struct number number_float(long double value)
{
    return (struct number){.f = value};
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static uint64_t load_bits(const void *memory, size_t size)
{
    uint64_t bits = 0;
    memcpy(&bits, memory, size); /* little endian, as all devices are */
    return bits;
}

/* Of the floats that C does not have. */
static const struct narrow *const narrow_formats[ELEMENTS] = {
    [F16] = &narrow_f16,
    [BF16] = &narrow_bf16,
    [F8E4M3] = &narrow_f8e4m3,
    [F8E5M2] = &narrow_f8e5m2,
};

static struct number load_float(enum element_id element, uint64_t bits)
{
    float single;
    double wide;
    const uint32_t low = (uint32_t)bits;
    if (narrow_formats[element])
        return number_float(narrow_decode(narrow_formats[element], low));
    memcpy(&single, &low, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    return number_float(element == F32 ? (long double)single : (long double)wide);
}

struct number element_load(enum element_id element, const void *memory)
{
    const size_t size = elements[element].size;
    const uint64_t bits = load_bits(memory, size);
    const unsigned unused = (unsigned)(64 - 8 * size);
    switch (elements[element].class) {
    case SIGNED:
        return number_signed((int64_t)(bits << unused) >> unused);
    case FLOATING:
        return load_float(element, bits);
    case TRUTH:
        return number_unsigned(bits != 0);
    default:
        return number_unsigned(bits);
    }
}

static uint64_t float_bits(enum element_id element, long double value)
{
    float single = (float)value;
    double wide = (double)value;
    uint32_t bits = 0;
    uint64_t wide_bits = 0;
    if (narrow_formats[element])
        return narrow_encode(narrow_formats[element], value);
    memcpy(&bits, &single, sizeof bits);
    memcpy(&wide_bits, &wide, sizeof wide_bits);
    return element == F32 ? bits : wide_bits;
}

void element_store(enum element_id element, void *memory, struct number number)
{
    uint64_t bits = number.u;
    if (elements[element].class == FLOATING)
        bits = float_bits(element, number.f);
    if (elements[element].class == TRUTH)
        bits = number.u != 0;
    memcpy(memory, &bits, elements[element].size);
}

struct number element_round(enum element_id element, struct number number)
{
    unsigned char memory[8];
    element_store(element, memory, number);
    return element_load(element, memory);
}

/* ---- Conversions ----------------------------------------------------------------------------- */

/* The bounds are powers of two, exact; between them C's own conversion is defined. */
static struct number float_to_integer(enum element_id to, long double value)
{
    const bool is_signed = elements[to].class == SIGNED;
    const int bits = 8 * (int)elements[to].size - is_signed;
    const long double above = ldexpl(1.0L, bits), below = is_signed ? -above : 0.0L;
    if (isnan(value))
        return number_unsigned(0);
    if (value >= above)
        return number_unsigned(UINT64_MAX >> (64 - bits));
    if (value <= below)
        return number_signed(is_signed ? -(int64_t)(UINT64_MAX >> (64 - bits)) - 1 : 0);
    return is_signed ? number_signed((int64_t)value) : number_unsigned((uint64_t)value);
}

struct number element_convert(enum element_id from, enum element_id to, struct number number)
{
    const bool from_float = elements[from].class == FLOATING;
    if (elements[to].class == TRUTH)
        return number_unsigned(from_float ? number.f != 0 : number.u != 0);
    if (elements[to].class != FLOATING)
        return element_round(to, from_float ? float_to_integer(to, number.f) : number);
    if (from_float)
        return element_round(to, number);
    const bool is_signed = elements[from].class == SIGNED;
    const long double exact = is_signed ? (long double)number.i : (long double)number.u;
    return element_round(to, number_float(exact));
}

long double element_unit(enum element_id element, long double value)
{
    const struct element *type = &elements[element];
    int exponent = 0;
    if (isfinite(value))
        frexpl(value, &exponent);
    if (exponent < type->least || value == 0)
        exponent = type->least;
    if (exponent >= type->end)
        exponent = type->end - 1;
    return ldexpl(1.0L, exponent - type->digits);
}

const char *element_text(enum element_id element, struct number number)
{
    enum { RING = 8, WIDTH = 64 };
    static _Thread_local char ring[RING][WIDTH];
    static _Thread_local unsigned next;
    char *text = ring[next++ % RING];
    switch (elements[element].class) {
    case SIGNED:
        snprintf(text, WIDTH, "%lld", (long long)number.i);
        break;
    case FLOATING:
        snprintf(text, WIDTH, "%a", (double)number.f);
        break;
    default:
        snprintf(text, WIDTH, "%llu", (unsigned long long)number.u);
    }
    return text;
}

/* ---- Related types --------------------------------------------------------------------------- */

enum element_id element_promoted(enum element_id element)
{
    const bool is_float = elements[element].class == FLOATING;
    return !is_float && elements[element].size < 4 ? I32 : element;
}

enum element_id element_lanes(enum element_id element)
{
    static const enum element_id of_size[] = {[1] = I8, [2] = I16, [4] = I32, [8] = I64};
    return element == BOOL ? I32 : of_size[elements[element].size];
}

enum element_id element_widened(enum element_id element)
{
    if (elements[element].class == FLOATING || elements[element].size >= 4)
        return element;
    return elements[element].class == UNSIGNED ? U32 : I32;
}
