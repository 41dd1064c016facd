/* See tile_program.h: the writer of whole programs. What a region makes leaves the pool with it. */
#include "tile_writer.h"

#include <stdio.h>

/* ---- Control flow ---------------------------------------------------------------------------- */

static void write_some(struct writer *writer, unsigned count, unsigned depth);

static bool pick_any(struct writer *writer, struct value *out_value)
{
    for (int attempt = 0; attempt < 20; attempt++)
        if (writer_pick(writer, (enum element)random_below(writer->random, ELEMENT_COUNT),
                writer_random_shape(writer), out_value))
            return true;
    return false;
}

static void write_if(struct writer *writer, unsigned depth)
{
    struct value condition, like, side;
    if (!writer_pick(writer, I1, SCALAR, &condition) || !pick_any(writer, &like))
        return;
    struct value result = writer_new_value(writer, like.element, like.shape);
    teeny_string_format(&writer->text, "%s = scf.if %s -> (%s) {\n", result.name, condition.name,
        writer_type_of(like));
    for (int i = 0; i < 2; i++) {
        unsigned outside = writer->pool_count;
        write_some(writer, 3, depth);
        writer_pick(writer, like.element, like.shape, &side);
        teeny_string_format(&writer->text, "scf.yield %s : %s\n%s", side.name, writer_type_of(like),
            i == 0 ? "} else {\n" : "}\n");
        writer->pool_count = outside;
    }
    writer_add(writer, result);
}

/* At most four rounds: the bound is the begin plus a few steps, or any numbers that are far apart.
 */
static void write_for(struct writer *writer, unsigned depth)
{
    static const char *const bounds[] = {"0 4 1", "0 64 16", "8 40 8", "-32 33 32", "5 20 5",
        "2147483600 2147483647 16", "-2147483648 -2147483600 16"};
    struct value carried[2];
    if (!pick_any(writer, &carried[0]) || !pick_any(writer, &carried[1]))
        return;
    int begin, end, step;
    sscanf(bounds[random_below(writer->random, 7)], "%d %d %d", &begin, &end, &step);
    teeny_string *text = &writer->text;
    struct value counter = writer_new_value(writer, I32, SCALAR), inside[2];
    unsigned loop = writer->next_number++;
    teeny_string_format(text,
        "%%b%u = arith.constant %d : i32\n%%e%u = arith.constant %d : i32\n"
        "%%s%u = arith.constant %d : i32\n",
        loop, begin, loop, end, loop, step);
    struct value offset;
    char first = 'b', last = 'e';
    if (begin > -64 && begin < 64 && writer_pick(writer, I32, SCALAR, &offset)) {
        /* Begin and end move by an argument, cut so that nothing wraps. */
        teeny_string_format(text,
            "%%n%u = arith.constant 1048575 : i32\n%%m%u = arith.andi %s, %%n%u : i32\n"
            "%%f%u = arith.addi %%b%u, %%m%u : i32\n%%l%u = arith.addi %%e%u, %%m%u : i32\n",
            loop, loop, offset.name, loop, loop, loop, loop, loop, loop, loop);
        first = 'f';
        last = 'l';
    }
    for (unsigned i = 0; i < 2; i++)
        inside[i] = writer_new_value(writer, carried[i].element, carried[i].shape);
    teeny_string_format(text,
        "%%r%u:2 = scf.for %s = %%%c%u to %%%c%u step %%s%u iter_args(%s = %s, %s = %s) -> (%s, "
        "%s) "
        ": i32 {\n",
        loop, counter.name, first, loop, last, loop, loop, inside[0].name, carried[0].name,
        inside[1].name, carried[1].name, writer_type_of(carried[0]), writer_type_of(carried[1]));
    unsigned outside = writer->pool_count;
    writer_add(writer, counter);
    for (unsigned i = 0; i < 2; i++)
        writer_add(writer, inside[i]);
    write_some(writer, 6, depth);
    struct value yields[2];
    for (unsigned i = 0; i < 2; i++)
        writer_pick(writer, carried[i].element, carried[i].shape, &yields[i]);
    teeny_string_format(text, "scf.yield %s, %s : %s, %s\n}\n", yields[0].name, yields[1].name,
        writer_type_of(carried[0]), writer_type_of(carried[1]));
    writer->pool_count = outside;
    for (unsigned i = 0; i < 2; i++) {
        struct value result = {.element = carried[i].element, .shape = carried[i].shape};
        snprintf(result.name, sizeof result.name, "%%r%u#%u", loop, i);
        writer_add(writer, result);
    }
}

/* Counts a scalar up to a bound of its own while it carries another value. */
static void write_while(struct writer *writer, unsigned depth)
{
    struct value carried, next;
    if (!pick_any(writer, &carried))
        return;
    teeny_string *text = &writer->text;
    unsigned loop = writer->next_number++;
    struct value tested = writer_new_value(writer, carried.element, carried.shape);
    struct value inside = writer_new_value(writer, carried.element, carried.shape);
    teeny_string_format(text,
        "%%b%u = arith.constant 0 : i32\n%%e%u = arith.constant 3 : i32\n"
        "%%s%u = arith.constant 1 : i32\n"
        "%%r%u:2 = scf.while (%%i%u = %%b%u, %s = %s) : (i32, %s) -> (i32, %s) {\n"
        "%%g%u = arith.cmpi slt, %%i%u, %%e%u : i32\n"
        "scf.condition(%%g%u) %%i%u, %s : i32, %s\n} do {\n"
        "^bb0(%%j%u: i32, %s: %s):\n%%k%u = arith.addi %%j%u, %%s%u : i32\n",
        loop, loop, loop, loop, loop, loop, tested.name, carried.name, writer_type_of(carried),
        writer_type_of(carried), loop, loop, loop, loop, loop, tested.name, writer_type_of(carried),
        loop, inside.name, writer_type_of(carried), loop, loop, loop);
    unsigned outside = writer->pool_count;
    writer_add(writer, inside);
    write_some(writer, 5, depth);
    writer_pick(writer, carried.element, carried.shape, &next);
    teeny_string_format(
        text, "scf.yield %%k%u, %s : i32, %s\n}\n", loop, next.name, writer_type_of(carried));
    writer->pool_count = outside;
    struct value result = {.element = carried.element, .shape = carried.shape};
    snprintf(result.name, sizeof result.name, "%%r%u#1", loop);
    writer_add(writer, result);
}

/* A block with a counter and a tile as its arguments; what it makes leaves the pool with it, but is
 * what `next` are picked from. */
static struct value write_block(
    struct writer *writer, const char *label, struct value like, struct value next[2])
{
    unsigned outside = writer->pool_count;
    struct value counter = writer_new_value(writer, I32, SCALAR);
    struct value tile = writer_new_value(writer, like.element, like.shape);
    teeny_string_format(&writer->text, "%s(%s: i32, %s: %s):\n", label, counter.name, tile.name,
        writer_type_of(tile));
    writer_add(writer, counter);
    writer_add(writer, tile);
    write_some(writer, 4, 1);
    for (int i = 0; i < 2; i++)
        writer_pick(writer, like.element, like.shape, &next[i]);
    writer->pool_count = outside;
    return counter;
}

/* Blocks that no structured form has: a loop that is entered at two places, the head and the
 * middle, and left from both. It goes around three times at most. */
static void write_blocks(struct writer *writer)
{
    struct value condition, like, next[2];
    if (!writer_pick(writer, I1, SCALAR, &condition) || !pick_any(writer, &like))
        return;
    teeny_string *text = &writer->text;
    char type[48]; /* writer_type_of's text does not last */
    snprintf(type, sizeof type, "%s", writer_type_of(like));
    teeny_string_format(text,
        "%%zero = arith.constant 0 : i32\n%%one = arith.constant 1 : i32\n"
        "%%most = arith.constant 3 : i32\n"
        "cf.cond_br %s, ^head(%%zero, %s : i32, %s), ^middle(%%zero, %s : i32, %s)\n",
        condition.name, like.name, type, like.name, type);
    struct value counter = write_block(writer, "^head", like, next);
    writer_pick(writer, I1, SCALAR, &condition);
    teeny_string_format(text, "cf.cond_br %s, ^middle(%s, %s : i32, %s), ^out(%s : %s)\n",
        condition.name, counter.name, next[0].name, type, next[1].name, type);
    counter = write_block(writer, "^middle", like, next);
    teeny_string_format(text,
        "%%next = arith.addi %s, %%one : i32\n%%again = arith.cmpi slt, %%next, %%most : i32\n"
        "cf.cond_br %%again, ^head(%%next, %s : i32, %s), ^out(%s : %s)\n",
        counter.name, next[0].name, type, next[1].name, type);
    struct value left = writer_new_value(writer, like.element, like.shape);
    teeny_string_format(text, "^out(%s: %s):\n", left.name, type);
    writer_add(writer, left);
}

/* ---- The function ---------------------------------------------------------------------------- */

static void write_one(struct writer *writer, unsigned depth)
{
    unsigned kind = random_below(writer->random, 25);
    if (kind < 18)
        writer_write_single(writer);
    else if (kind < 24)
        writer_write_counting(writer);
    if (kind < 24)
        return;
    static void (*const flows[])(struct writer *, unsigned) = {write_if, write_for, write_while};
    if (depth > 0)
        flows[random_below(writer->random, 3)](writer, depth - 1);
}

static void write_some(struct writer *writer, unsigned count, unsigned depth)
{
    for (unsigned i = 0; i < count; i++)
        write_one(writer, depth);
}

static void write_parameters(struct writer *writer)
{
    static const unsigned divisors[] = {1, 1, 2, 4, 8, 16, 16, 48, 64};
    teeny_string *text = &writer->text;
    teeny_string_add(text, "tt.func public @program(");
    for (enum element element = I8; element < ELEMENT_COUNT; element++)
        for (unsigned i = 0; i < 2; i++) {
            struct value value = writer_new_value(writer, element, SCALAR);
            writer->pool[writer->pool_count++] = value;
            teeny_string_format(text, "%s: %s {tt.divisibility = %u : i32}, ", value.name,
                writer_type_of(value), divisors[random_below(writer->random, 9)]);
        }
    teeny_string_add(text, "%watch_i1: !tt.ptr<i1>, %watch_i8: !tt.ptr<i8>, %watch_i16: "
                           "!tt.ptr<i16>, %watch_i32: !tt.ptr<i32>, %watch_i64: !tt.ptr<i64>) {\n");
}

const char *tile_program_write(struct random_source *random, arena *arena)
{
    struct writer writer = {.random = random};
    write_parameters(&writer);
    writer_write_counting(&writer);
    write_some(&writer, 20 + random_below(random, 30), 2);
    if (random_below(random, 2))
        write_blocks(&writer);
    write_some(&writer, 10 + random_below(random, 10), 2);
    teeny_string_add(&writer.text, "tt.return\n}\n");
    const char *text = arena_copy(arena, teeny_string_text(&writer.text), writer.text.length);
    teeny_string_free(&writer.text);
    return text;
}
