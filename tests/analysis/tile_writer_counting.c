/* See tile_writer.h: tiles that count up, and what is done with them. */
#include "tile_writer.h"

#include <inttypes.h>

/* A line or a plane that counts up from a multiple of something, in any width: what addresses are
 * made of, and what most facts speak about. */
static bool write_counting(struct writer *writer, struct value *out_value)
{
    enum element element = writer_random_integer(writer);
    struct value start;
    if (!writer_pick(writer, element, SCALAR, &start))
        return false;
    unsigned number = writer->next_number++;
    bool is_plane = random_below(writer->random, 3) == 0;
    const char *cast = element < I32 ? "trunci" : "extsi", *name = writer_element_names[element];
    struct value line = writer_new_value(writer, element, LINE);
    struct value counting = is_plane ? writer_new_value(writer, element, PLANE) : line;
    teeny_string *text = &writer->text;
    teeny_string_format(
        text, "%%a%u = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n", number);
    if (element != I32)
        teeny_string_format(text, "%%x%u = arith.%s %%a%u : tensor<16xi32> to tensor<16x%s>\n",
            number, cast, number, name);
    teeny_string_format(text,
        "%%y%u = tt.splat %s : %s -> tensor<16x%s>\n%s = arith.addi %%%c%u, %%y%u : "
        "tensor<16x%s>\n",
        number, start.name, name, name, line.name, element == I32 ? 'a' : 'x', number, number,
        name);
    if (is_plane)
        teeny_string_format(text,
            "%%d%u = tt.expand_dims %s {axis = 0 : i32} : tensor<16x%s> -> tensor<1x16x%s>\n"
            "%s = tt.broadcast %%d%u : tensor<1x16x%s> -> tensor<8x16x%s>\n",
            number, line.name, name, name, counting.name, number, name, name);
    writer_add(writer, counting);
    *out_value = counting;
    return true;
}

/* As an unsigned number at least half of what the type holds: the sign's power of two, what is near
 * it, what is near the largest, or any. */
static int64_t huge_number(struct writer *writer, enum element element)
{
    static const int64_t from_middle[] = {0, 1, 2, 16, 32}, from_end[] = {-1, -2, -8, -16, -48};
    unsigned width = 8U << (element - I8);
    int64_t middle = (int64_t)(UINT64_C(1) << 63) >> (64 - width);
    switch (random_below(writer->random, 3)) {
    case 0:
        return middle + from_middle[random_below(writer->random, 5)];
    case 1:
        return from_end[random_below(writer->random, 5)];
    default:
        return middle | (int64_t)(random_next(writer->random) >> (65 - width));
    }
}

/* One number for all elements: an argument, a power of two or one less, a huge one or any. */
static bool write_limit(struct writer *writer, struct value like, struct value *out_value)
{
    struct value scalar;
    teeny_string *text = &writer->text;
    if (random_below(writer->random, 2)) {
        if (!writer_pick(writer, like.element, SCALAR, &scalar))
            return false;
        *out_value = writer_new_value(writer, like.element, like.shape);
        teeny_string_format(text, "%s = tt.splat %s : %s -> %s\n", out_value->name, scalar.name,
            writer_type_of(scalar), writer_type_of(*out_value));
        return true;
    }
    int64_t number = INT64_C(1) << random_below(writer->random, 7);
    if (random_below(writer->random, 3) == 0)
        number -= 1;
    else if (random_below(writer->random, 4) == 0)
        number = writer_random_number(writer, like.element);
    else if (random_below(writer->random, 4) == 0)
        number = huge_number(writer, like.element);
    *out_value = writer_new_value(writer, like.element, like.shape);
    teeny_string_format(text, "%s = arith.constant dense<%" PRId64 "> : %s\n", out_value->name,
        number, writer_type_of(*out_value));
    return true;
}

static void write_counting_against_limit(struct writer *writer)
{
    static const char *const names[] = {"divsi", "divui", "divui", "floordivsi", "ceildivsi",
        "remsi", "remui", "remui", "andi", "ori", "xori", "shrsi", "shrui", "addi", "subi",
        "cmpi slt,", "cmpi sle,", "cmpi sgt,", "cmpi sge,", "cmpi ult,", "cmpi ule,", "cmpi ugt,",
        "cmpi uge,", "cmpi eq,"};
    struct value counting, limit;
    if (!write_counting(writer, &counting) || !write_limit(writer, counting, &limit))
        return;
    const char *name = names[random_below(writer->random, sizeof names / sizeof *names)];
    bool is_turned = random_below(writer->random, 4) == 0;
    struct value result = writer_new_value(
        writer, name[0] == 'c' && name[1] == 'm' ? I1 : counting.element, counting.shape);
    teeny_string_format(&writer->text, "%s = arith.%s %s, %s : %s\n", result.name, name,
        is_turned ? limit.name : counting.name, is_turned ? counting.name : limit.name,
        writer_type_of(counting));
    writer_add(writer, result);
}

/* A counting offset of any width, added to one pointer. */
static void write_counting_pointers(struct writer *writer)
{
    struct value counting, pointer;
    enum element element = random_below(writer->random, 2) ? POINTER_8 : POINTER_32;
    if (!write_counting(writer, &counting) || !writer_pick(writer, element, SCALAR, &pointer))
        return;
    struct value spread = writer_new_value(writer, element, counting.shape);
    struct value result = writer_new_value(writer, element, counting.shape);
    teeny_string_format(&writer->text,
        "%s = tt.splat %s : %s -> %s\n%s = tt.addptr %s, %s : %s, %s\n", spread.name, pointer.name,
        writer_type_of(pointer), writer_type_of(spread), result.name, spread.name, counting.name,
        writer_type_of(spread), writer_type_of(counting));
    writer_add(writer, result);
}

/* One of two counting values of a type, chosen element by element or all alike. */
static void write_counting_select(struct writer *writer)
{
    struct value a, b, limit;
    if (!write_counting(writer, &a) || !write_limit(writer, a, &limit))
        return;
    struct value moved = writer_new_value(writer, a.element, a.shape);
    struct value condition = writer_new_value(writer, I1, a.shape);
    struct value result = writer_new_value(writer, a.element, a.shape);
    if (!writer_pick(writer, a.element, a.shape, &b))
        return;
    teeny_string_format(&writer->text,
        "%s = arith.addi %s, %s : %s\n%s = arith.cmpi slt, %s, %s : %s\n"
        "%s = arith.select %s, %s, %s : %s, %s\n",
        moved.name, a.name, limit.name, writer_type_of(a), condition.name, b.name, limit.name,
        writer_type_of(a), result.name, condition.name, a.name, moved.name,
        writer_type_of(condition), writer_type_of(a));
    writer_add(writer, result);
}

void writer_write_counting(struct writer *writer)
{
    static void (*const kinds[])(struct writer *) = {write_counting_against_limit,
        write_counting_against_limit, write_counting_against_limit, write_counting_against_limit,
        write_counting_pointers, write_counting_select};
    kinds[random_below(writer->random, sizeof kinds / sizeof *kinds)](writer);
}
