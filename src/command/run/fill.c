/* See fill.h. */
#include "command/run/fill.h"

#include "base/files.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The generator splitmix64: every state is a good start. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

static uint64_t first_state(unsigned long seed, const char *name)
{
    uint64_t state = seed;
    for (; *name; name++)
        state = next_random(&state) ^ (unsigned char)*name;
    return state;
}

static long double random_value(const argument *argument, uint64_t *state)
{
    const long double *range = argument->fill.numbers;
    long double share = ldexpl((long double)(next_random(state) >> 11), -53); /* below 1 */
    if (argument->element->class == ELEMENT_FLOATING)
        return range[0] + share * (range[1] - range[0]);
    return range[0] + floorl(share * (range[1] - range[0] + 1));
}

static bool read_file(const argument *argument, void *out_elements)
{
    teeny_bytes bytes;
    size_t size = argument->count * argument->element->bytes;
    int error = teeny_file_read_named(argument->fill.path, size, &bytes);
    if (error == EFBIG)
        return argument_refuse(argument->word, "%s has more bytes than the buffer, which has %zu",
            argument->fill.path, size);
    if (error)
        return argument_refuse(
            argument->word, "%s: %s", argument->fill.path, teeny_file_problem(error));
    bool is_right = bytes.size == size;
    if (is_right)
        memcpy(out_elements, bytes.data, size);
    else
        argument_refuse(argument->word, "%s has %zu bytes, and the buffer %zu", argument->fill.path,
            bytes.size, size);
    teeny_bytes_free(&bytes);
    return is_right;
}

bool argument_fill(const argument *argument, unsigned long seed, void *out_elements)
{
    const fill *fill = &argument->fill;
    uint64_t state = first_state(seed, argument->name);
    char *at = out_elements;
    if (fill->kind == FILL_FILE)
        return read_file(argument, out_elements);
    for (size_t i = 0; i < argument->count; i++, at += argument->element->bytes) {
        long double value = fill->numbers[0];
        if (fill->kind == FILL_RANDOM)
            value = random_value(argument, &state);
        else if (fill->kind == FILL_ARANGE)
            value += (long double)i * fill->numbers[1];
        element_encode(argument->element, value, at);
    }
    return true;
}
