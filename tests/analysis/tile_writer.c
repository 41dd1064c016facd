/* See tile_writer.h: types, the pool, and random choices. */
#include "tile_writer.h"

#include <stdio.h>

uint64_t random_next(struct random_source *random)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return random->state * UINT64_C(0x2545f4914f6cdd1d);
}

unsigned random_below(struct random_source *random, unsigned limit)
{
    return (unsigned)((random_next(random) >> 33) % limit);
}

const char *const writer_element_names[] = {
    "i1", "i8", "i16", "i32", "i64", "!tt.ptr<i8>", "!tt.ptr<i32>"};
static const unsigned widths[] = {1, 8, 16, 32, 64, 64, 64};
const char *const writer_shape_names[] = {"", "16x", "1x16x", "8x1x", "8x16x"};

static const char *type_text(enum element element, enum shape shape)
{
    static char texts[4][48];
    static unsigned next;
    char *text = texts[next++ % 4];
    if (shape == SCALAR)
        snprintf(text, sizeof texts[0], "%s", writer_element_names[element]);
    else
        snprintf(text, sizeof texts[0], "tensor<%s%s>", writer_shape_names[shape],
            writer_element_names[element]);
    return text;
}

const char *writer_type_of(struct value value)
{
    return type_text(value.element, value.shape);
}

static bool is_pointer(enum element element)
{
    return element >= POINTER_8;
}

/* ---- The pool -------------------------------------------------------------------------------- */

static void watch_value(struct writer *writer, struct value value)
{
    teeny_string *text = &writer->text;
    unsigned watch = writer->next_watch++;
    const char *tile = writer_shape_names[value.shape], *close = value.shape == SCALAR ? "" : ">";
    const char *open = value.shape == SCALAR ? "" : "tensor<";
    if (is_pointer(value.element)) {
        const char *pointee = value.element == POINTER_8 ? "i8" : "i32";
        teeny_string_format(text, "%%c%u = arith.constant ", watch);
        if (value.shape == SCALAR)
            teeny_string_format(text, "0 : %s\n", pointee);
        else
            teeny_string_format(text, "dense<0> : tensor<%s%s>\n", tile, pointee);
        teeny_string_format(text, "tt.store %s, %%c%u {watch = %u : i32} : %s\n", value.name, watch,
            watch, writer_type_of(value));
        return;
    }
    const char *element = writer_element_names[value.element];
    char pointer[32];
    snprintf(pointer, sizeof pointer, "%%watch_%s", element);
    if (value.shape != SCALAR) {
        teeny_string_format(text,
            "%%w%u = tt.splat %%watch_%s : !tt.ptr<%s> -> tensor<%s!tt.ptr<%s>>\n", watch, element,
            element, tile, element);
        snprintf(pointer, sizeof pointer, "%%w%u", watch);
    }
    teeny_string_format(text, "tt.store %s, %s {watch = %u : i32} : %s%s!tt.ptr<%s>%s\n", pointer,
        value.name, watch, open, tile, element, close);
}

struct value writer_new_value(struct writer *writer, enum element element, enum shape shape)
{
    struct value value = {.element = element, .shape = shape};
    snprintf(value.name, sizeof value.name, "%%v%u", writer->next_number++);
    return value;
}

/* Puts a value that was just written into the pool. */
void writer_add(struct writer *writer, struct value value)
{
    if (writer->pool_count < POOL_SIZE)
        writer->pool[writer->pool_count++] = value;
    watch_value(writer, value);
}

/* A value of the type; newer ones more often. False: there is none. */
bool writer_pick(
    struct writer *writer, enum element element, enum shape shape, struct value *out_value)
{
    unsigned seen = 0;
    for (unsigned i = writer->pool_count; i-- > 0;) {
        if (writer->pool[i].element != element || writer->pool[i].shape != shape)
            continue;
        seen++;
        if (seen == 1 || random_below(writer->random, 3) == 0)
            *out_value = writer->pool[i];
        if (seen > 6)
            break;
    }
    return seen > 0;
}

/* ---- Choices -----------------------------------------------------------------------------------
 */

int64_t writer_random_number(struct writer *writer, enum element element)
{
    unsigned width = widths[element];
    static const int64_t some[] = {0, 1, -1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 31, 32, 48, 63, 64, 127,
        -2, -4, -8, -16, -32, -64, -128, 255, 256, 1023, 1024, 1185};
    int64_t number = some[random_below(writer->random, sizeof some / sizeof *some)];
    switch (random_below(writer->random, 6)) {
    case 0:
        number = (int64_t)(UINT64_C(1) << random_below(writer->random, width));
        break;
    case 1:
        number = (int64_t)random_next(writer->random);
        break;
    default:
        break;
    }
    return (int64_t)((uint64_t)number << (64 - width)) >> (64 - width);
}

enum element writer_random_integer(struct writer *writer)
{
    return (enum element)(I8 + random_below(writer->random, 4));
}

enum shape writer_random_shape(struct writer *writer)
{
    return (enum shape)random_below(writer->random, SHAPE_COUNT);
}
