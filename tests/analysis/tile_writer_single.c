/* See tile_writer.h: operations without regions, on anything in the pool. */
#include "tile_writer.h"

#include <inttypes.h>

static void write_constant(struct writer *writer, enum element element, enum shape shape)
{
    int64_t number = writer_random_number(writer, element);
    struct value result = writer_new_value(writer, element, shape);
    if (shape == SCALAR)
        teeny_string_format(&writer->text, "%s = arith.constant %" PRId64 " : %s\n", result.name,
            number, writer_type_of(result));
    else
        teeny_string_format(&writer->text, "%s = arith.constant dense<%" PRId64 "> : %s\n",
            result.name, number, writer_type_of(result));
    writer_add(writer, result);
}

static void write_binary(struct writer *writer)
{
    static const char *const names[] = {"addi", "addi", "addi", "subi", "muli", "muli", "divsi",
        "divui", "floordivsi", "ceildivsi", "remsi", "remui", "andi", "ori", "xori", "shli",
        "shrsi", "shrui", "maxsi", "maxui", "minsi", "minui"};
    enum element element = writer_random_integer(writer);
    enum shape shape = writer_random_shape(writer);
    struct value a, b;
    if (random_below(writer->random, 3) == 0)
        write_constant(writer, element, shape);
    if (!writer_pick(writer, element, shape, &a) || !writer_pick(writer, element, shape, &b))
        return;
    struct value result = writer_new_value(writer, element, shape);
    teeny_string_format(&writer->text, "%s = arith.%s %s, %s : %s\n", result.name,
        names[random_below(writer->random, sizeof names / sizeof *names)], a.name, b.name,
        writer_type_of(result));
    writer_add(writer, result);
}

static void write_compare(struct writer *writer)
{
    static const char *const predicates[] = {
        "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
    struct value a, b;
    enum element element = writer_random_integer(writer);
    enum shape shape = writer_random_shape(writer);
    if (!writer_pick(writer, element, shape, &a) || !writer_pick(writer, element, shape, &b))
        return;
    struct value result = writer_new_value(writer, I1, shape);
    teeny_string_format(&writer->text, "%s = arith.cmpi %s, %s, %s : %s\n", result.name,
        predicates[random_below(writer->random, 10)], a.name, b.name, writer_type_of(a));
    writer_add(writer, result);
}

static void write_select(struct writer *writer)
{
    struct value condition, a, b;
    enum element element = (enum element)random_below(writer->random, ELEMENT_COUNT);
    enum shape shape = writer_random_shape(writer);
    enum shape of_condition = random_below(writer->random, 4) ? shape : SCALAR;
    if (!writer_pick(writer, element, shape, &a) || !writer_pick(writer, element, shape, &b) ||
        !writer_pick(writer, I1, of_condition, &condition))
        return;
    struct value result = writer_new_value(writer, element, shape);
    teeny_string_format(&writer->text, "%s = arith.select %s, %s, %s : %s%s%s\n", result.name,
        condition.name, a.name, b.name, of_condition == SCALAR ? "" : writer_type_of(condition),
        of_condition == SCALAR ? "" : ", ", writer_type_of(result));
    writer_add(writer, result);
}

static void write_cast(struct writer *writer)
{
    struct value from;
    enum element of_from = (enum element)random_below(writer->random, 5),
                 to = writer_random_integer(writer);
    if (of_from == to || !writer_pick(writer, of_from, writer_random_shape(writer), &from))
        return;
    const char *name = "trunci";
    if (to > of_from)
        name = random_below(writer->random, 2) ? "extsi" : "extui";
    struct value result = writer_new_value(writer, to, from.shape);
    teeny_string_format(&writer->text, "%s = arith.%s %s : %s to %s\n", result.name, name,
        from.name, writer_type_of(from), writer_type_of(result));
    writer_add(writer, result);
}

static void write_range(struct writer *writer)
{
    static const int starts[] = {0, 0, 0, 1, 4, 8, 16, 48, 100};
    int start = starts[random_below(writer->random, sizeof starts / sizeof *starts)];
    struct value result = writer_new_value(writer, I32, LINE);
    teeny_string_format(&writer->text,
        "%s = tt.make_range {end = %d : i32, start = %d : i32} : %s\n", result.name,
        start + COLUMNS, start, writer_type_of(result));
    writer_add(writer, result);
}

static void write_splat(struct writer *writer)
{
    struct value from;
    enum element element = (enum element)random_below(writer->random, ELEMENT_COUNT);
    if (!writer_pick(writer, element, SCALAR, &from))
        return;
    enum shape shape = (enum shape)(LINE + random_below(writer->random, SHAPE_COUNT - LINE));
    struct value result = writer_new_value(writer, element, shape);
    teeny_string_format(&writer->text, "%s = tt.splat %s : %s -> %s\n", result.name, from.name,
        writer_type_of(from), writer_type_of(result));
    writer_add(writer, result);
}

/* From one shape to another, where there is a way. */
static void write_shape(struct writer *writer)
{
    static const struct {
        enum shape from, to;
        const char *name, *attributes;
    } ways[] = {
        {LINE, ROW, "expand_dims", " {axis = 0 : i32}"},
        {ROW, PLANE, "broadcast", ""},
        {ROW, PLANE, "broadcast", ""},
        {COLUMN, PLANE, "broadcast", ""},
        {ROW, LINE, "reshape", ""},
        {LINE, ROW, "reshape", ""},
    };
    unsigned way = random_below(writer->random, sizeof ways / sizeof *ways);
    struct value from;
    enum element element = (enum element)random_below(writer->random, ELEMENT_COUNT);
    if (!writer_pick(writer, element, ways[way].from, &from))
        return;
    struct value result = writer_new_value(writer, element, ways[way].to);
    teeny_string_format(&writer->text, "%s = tt.%s %s%s : %s -> %s\n", result.name, ways[way].name,
        from.name, ways[way].attributes, writer_type_of(from), writer_type_of(result));
    writer_add(writer, result);
}

/* A column: half of a line, turned; or a plane turned, cut to its own shape again. */
static void write_column(struct writer *writer)
{
    teeny_string *text = &writer->text;
    struct value result = writer_new_value(writer, I32, COLUMN);
    if (random_below(writer->random, 2)) {
        teeny_string_format(text,
            "%s_line = tt.make_range {end = %d : i32, start = 0 : i32} : tensor<8xi32>\n"
            "%s = tt.expand_dims %s_line {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>\n",
            result.name, ROWS, result.name, result.name);
        writer_add(writer, result);
        return;
    }
    struct value plane;
    enum element element = (enum element)random_below(writer->random, ELEMENT_COUNT);
    if (!writer_pick(writer, element, PLANE, &plane))
        return;
    result = writer_new_value(writer, element, PLANE);
    const char *name = writer_element_names[element];
    teeny_string_format(text,
        "%s_turned = tt.trans %s {order = array<i32: 1, 0>} : tensor<8x16x%s> -> tensor<16x8x%s>\n"
        "%s = tt.reshape %s_turned : tensor<16x8x%s> -> tensor<8x16x%s>\n",
        result.name, plane.name, name, name, result.name, result.name, name, name);
    writer_add(writer, result);
}

static void write_pointers(struct writer *writer)
{
    struct value pointer, offset;
    enum element element = random_below(writer->random, 2) ? POINTER_8 : POINTER_32;
    enum shape shape = writer_random_shape(writer);
    if (!writer_pick(writer, element, shape, &pointer) ||
        !writer_pick(writer, random_below(writer->random, 3) ? I32 : writer_random_integer(writer),
            shape, &offset))
        return;
    struct value result = writer_new_value(writer, element, shape);
    teeny_string_format(&writer->text, "%s = tt.addptr %s, %s : %s, %s\n", result.name,
        pointer.name, offset.name, writer_type_of(result), writer_type_of(offset));
    writer_add(writer, result);
}

static void write_pointer_cast(struct writer *writer)
{
    struct value from;
    enum element element = random_below(writer->random, 2) ? POINTER_8 : POINTER_32, to = element;
    enum shape shape = writer_random_shape(writer);
    const char *name;
    switch (random_below(writer->random, 3)) {
    case 0:
        to = element == POINTER_8 ? POINTER_32 : POINTER_8;
        name = "bitcast";
        break;
    case 1:
        to = I64;
        name = "ptr_to_int";
        break;
    default:
        element = I64;
        name = "int_to_ptr";
        break;
    }
    if (!writer_pick(writer, element, shape, &from))
        return;
    struct value result = writer_new_value(writer, to, shape);
    teeny_string_format(&writer->text, "%s = tt.%s %s : %s -> %s\n", result.name, name, from.name,
        writer_type_of(from), writer_type_of(result));
    writer_add(writer, result);
}

void writer_write_single(struct writer *writer)
{
    static void (*const kinds[])(struct writer *) = {write_binary, write_binary, write_binary,
        write_binary, write_binary, write_binary, write_compare, write_select, write_cast,
        write_range, write_splat, write_splat, write_shape, write_shape, write_column,
        write_pointers, write_pointers, write_pointer_cast};
    kinds[random_below(writer->random, sizeof kinds / sizeof *kinds)](writer);
}
