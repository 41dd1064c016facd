/* See compare.h. */
#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_right(enum element_id element, struct number got, struct expectation expected)
{
    if (elements[element].class != FLOATING)
        return got.u == expected.number.u;
    const long double exact = expected.number.f;
    long double seen = got.f;
    if (isnan(exact) || isnan(seen))
        return isnan(exact) && isnan(seen);
    if (expected.slack == 0 || isinf(exact))
        return seen == exact && (seen != 0 || !signbit(seen) == !signbit(exact));
    if (isinf(seen) && element_round(element, expected.number).f == seen)
        return true;
    if (isinf(seen)) /* as far as the number that it was rounded from may be */
        seen = copysignl(ldexpl(1.0L, elements[element].end - 1), seen);
    return fabsl(seen - exact) <= expected.slack;
}

/* " of 3, -0x1p+0", the elements of the other arrays with the same index. */
static const char *describe_inputs(
    const struct trial *trial, unsigned output, size_t i, char *text, size_t size)
{
    size_t length = 0;
    text[0] = 0;
    for (unsigned k = 0; k < trial->array_count; k++) {
        const struct array *array = &trial->arrays[k];
        if (k == output || array->count == 0)
            continue;
        const char *number =
            element_text(array->element, array_get(trial, array, i % array->count));
        int added = snprintf(text + length, size - length, "%s%s", length ? ", " : " of ", number);
        if (added > 0 && (size_t)added < size - length)
            length += (size_t)added;
    }
    return text;
}

static void compare_element(struct trial *trial, unsigned k, size_t i)
{
    const struct array *array = &trial->arrays[k];
    const struct expectation expected = array->expected[i];
    const size_t size = elements[array->element].size, at = array->offset + i * size;
    const unsigned char *before = trial->bench->before + at, *after = trial->bench->after + at;
    char inputs[128];
    if (expected.kind == UNCHANGED && memcmp(before, after, size) != 0)
        trial_fail(trial, "element %zu of array %u was written: %s became %s", i, k,
            element_text(array->element, element_load(array->element, before)),
            element_text(array->element, element_load(array->element, after)));
    if (expected.kind != EXPECTED)
        return;
    const struct number got = element_load(array->element, after);
    const bool is_odd_bool = array->element == BOOL && *after > 1;
    if (is_odd_bool || !is_right(array->element, got, expected))
        trial_fail(trial, "element %zu of %zu%s is %s, not %s%s", i, array->count,
            describe_inputs(trial, k, i, inputs, sizeof inputs), element_text(array->element, got),
            element_text(array->element, expected.number),
            is_odd_bool ? ": a bool that is neither 0 nor 1" : "");
}

/* The bytes between the arrays. */
static void compare_band(struct trial *trial, size_t begin, size_t end)
{
    const struct bench *bench = trial->bench;
    for (size_t at = begin; at < end && !trial->failed; at++)
        if (bench->before[at] != bench->after[at])
            trial_fail(trial, "a byte outside of all arrays was written, %zu before the next one",
                end - at);
}

void compare(struct trial *trial)
{
    size_t end = 0;
    for (unsigned k = 0; k < trial->array_count; k++) {
        const struct array *array = &trial->arrays[k];
        for (size_t i = 0; i < array->count && !trial->failed; i++)
            compare_element(trial, k, i);
        compare_band(trial, end, array->offset);
        end = array->offset + array->count * elements[array->element].size;
    }
    compare_band(trial, end, trial->used);
}
