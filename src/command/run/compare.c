/* See compare.h. */
#include "command/run/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 5, PRINTED_ROW = 8, TEXT_SIZE = 64 };

/* The differences of one buffer. */
struct differences {
    uint64_t largest; /* in units in the last place */
    size_t wrong;
};

static bool is_row_major(const argument *argument)
{
    int64_t stride = 1;
    for (int i = argument->rank; i-- > 0; stride *= argument->shape[i])
        if (argument->stride[i] != stride)
            return false;
    return true;
}

/* "x[2,5]", or the place in memory where strides are the user's own. */
static void print_place(const argument *argument, size_t index)
{
    printf("%s[", argument->name);
    if (argument->rank < 2 || !is_row_major(argument))
        printf("%zu", index);
    else
        for (int i = 0; i < argument->rank; i++)
            printf("%s%lld", i ? "," : "",
                (long long)((int64_t)index / argument->stride[i] % argument->shape[i]));
    printf("]");
}

static long double largest_magnitude(const argument *argument, const char *elements)
{
    long double largest = 0;
    for (size_t i = 0; i < argument->count; i++) {
        long double value =
            fabsl(element_decode(argument->element, elements + i * argument->element->bytes));
        if (isfinite(value) && value > largest)
            largest = value;
    }
    return largest;
}

/* How far apart two elements are. */
static uint64_t distance(const element *element, const char *a, const char *b)
{
    bool is_nan[2] = {element_is_nan(element, a), element_is_nan(element, b)};
    if (is_nan[0] || is_nan[1])
        return is_nan[0] && is_nan[1] ? 0 : UINT64_MAX;
    uint64_t left = (uint64_t)element_rank(element, a), right = (uint64_t)element_rank(element, b);
    return element_rank(element, a) > element_rank(element, b) ? left - right : right - left;
}

static bool is_right(const element *element, const char *a, const char *b, uint64_t apart, long ulp,
    long double near)
{
    if (element->class != ELEMENT_FLOATING)
        return memcmp(a, b, element->bytes) == 0;
    if (apart <= (uint64_t)ulp)
        return true;
    return fabsl(element_decode(element, a) - element_decode(element, b)) <= near;
}

static void show(const argument *argument, size_t index, const char *found, const char *expected,
    const char *other)
{
    char texts[2][TEXT_SIZE];
    printf("    ");
    print_place(argument, index);
    printf(" is %s, on %s %s\n", element_print(argument->element, found, texts[0]), other,
        element_print(argument->element, expected, texts[1]));
}

static struct differences find_differences(
    const argument *argument, const char *found, const char *expected, long ulp, const char *other)
{
    struct differences all = {0};
    const element *element = argument->element;
    bool is_shown = other != NULL;
    long double near = element->class == ELEMENT_FLOATING
                           ? element_ulp(element, largest_magnitude(argument, expected))
                           : 0;
    for (size_t i = 0; i < argument->count; i++) {
        const char *a = found + i * element->bytes, *b = expected + i * element->bytes;
        uint64_t apart = distance(element, a, b);
        all.largest = apart > all.largest ? apart : all.largest;
        if (is_right(element, a, b, apart, ulp, near))
            continue;
        if (is_shown && all.wrong < MOST_SHOWN)
            show(argument, i, a, b, other);
        all.wrong++;
    }
    return all;
}

static bool compare(const argument *argument, const char *found, const char *expected,
    const char *content, long ulp, const char *other)
{
    size_t size = argument->count * argument->element->bytes;
    bool is_same = memcmp(found, expected, size) == 0;
    printf("  %s: ", argument->name);
    if (is_same && memcmp(found, content, size) == 0) {
        printf("unchanged, as on %s\n", other);
        return true;
    }
    struct differences all = find_differences(argument, found, expected, ulp, NULL);
    if (all.wrong) {
        printf("WRONG: %zu of %zu elements differ from %s\n", all.wrong, argument->count, other);
        find_differences(argument, found, expected, ulp, other);
    } else if (argument->element->class == ELEMENT_FLOATING) {
        printf("right: %zu elements, at most %llu ulp from %s\n", argument->count,
            (unsigned long long)all.largest, other);
    } else {
        printf("right: %zu elements, equal to %s\n", argument->count, other);
    }
    return all.wrong == 0;
}

bool compare_trials(const trial *found, const trial *expected, char *const *contents, long ulp)
{
    bool is_right = true;
    const arguments *arguments = found->arguments;
    for (int i = 0; i < arguments->count; i++)
        if (argument_is_buffer(&arguments->list[i]))
            is_right &= compare(&arguments->list[i], trial_result(found, i),
                trial_result(expected, i), contents[i], ulp, teeny_device_name(expected->device));
    return is_right;
}

void print_buffer(const trial *trial, int argument, size_t most)
{
    const struct argument *printed = &trial->arguments->list[argument];
    const char *elements = trial_result(trial, argument);
    char text[TEXT_SIZE];
    size_t count = most < printed->count ? most : printed->count;
    for (size_t i = 0; i < count; i++) {
        if (i % PRINTED_ROW == 0) {
            print_place(printed, i);
            printf(":");
        }
        printf(
            " %s", element_print(printed->element, elements + i * printed->element->bytes, text));
        if (i % PRINTED_ROW == PRINTED_ROW - 1 || i == count - 1)
            printf("\n");
    }
}
