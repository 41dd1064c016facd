/* The records that the capture macros leave: their texts, their order in each unit, the range of
 * the module's section, and the size of the packed arguments. */
#include "describe.h"

#include <stdlib.h>
#include <string.h>

static int mistakes;

static void expect(int condition, const char *what, const char *found)
{
    if (condition)
        return;
    fprintf(stderr, "%s: %s\n", what, found);
    mistakes = 1;
}

static void expect_text(const char *what, const char *found, const char *expected)
{
    expect(strcmp(found, expected) == 0, what, found);
}

static const char *file_name(const teeny_text *text)
{
    const char *slash = strrchr(text->file, '/');
    return slash ? slash + 1 : text->file;
}

static int is_before(const void *one, const void *other)
{
    const teeny_text *a = *(const teeny_text *const *)one, *b = *(const teeny_text *const *)other;
    int by_unit = strcmp(file_name(a), file_name(b));
    return by_unit ? by_unit : a->order < b->order ? -1 : a->order > b->order;
}

typedef struct expected_text {
    const char *file;
    teeny_text_kind kind;
    const char *name, *result, *parameters, *meta, *body;
    unsigned first_line, last_line;
} expected_text;

/* Sorted by file and order. */
static const expected_text expected[] = {
    {"helpers.h", TEENY_TEXT_DECL, "", "", "", "", "enum { SHIFT = 3 };", 7, 7},
    {"helpers.h", TEENY_TEXT_DEVICE, "scaled", "f32", "(f32 x, f32 factor)", "",
        "{ return x * factor + SHIFT; }", 8, 8},
    {"kernels.c", TEENY_TEXT_KERNEL, "scale", "", "(f32 *out, const f32 *x, f32 factor, i32 n)",
        "BLOCK = 256, BIAS = 0",
        "{ tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK); "
        "tl_store(out, i, tl_load(x, i, i < n) * factor + scaled(BIAS, 1), i < n); }",
        12, 16},
    {"kernels.c", TEENY_TEXT_KERNEL, "mix", "",
        "(u8 *first, f64 second, i16 third, i64 *fourth, bool fifth)", "",
        "{ first[0] = fifth + 1; fourth[0] = (i64)second + third; }", 18, 21},
    {"more_kernels.c", TEENY_TEXT_DECL, "", "", "", "", "enum { SHIFT = 40 };", 6, 6},
    {"more_kernels.c", TEENY_TEXT_DEVICE, "scaled", "i32", "(i32 x)", "", "{ return x + SHIFT; }",
        7, 7},
    {"more_kernels.c", TEENY_TEXT_KERNEL, "own", "", "(i32 *out)", "", "{ out[0] = scaled(2); }", 8,
        8},
    {"more_kernels.c", TEENY_TEXT_KERNEL, "one_u16", "", "(u16 *out)", "BITS = 8 * sizeof(u16)",
        "{ out[0] = BITS; }", 12, 12},
    {"more_kernels.c", TEENY_TEXT_KERNEL, "nothing", "", "(void)", "", "{}", 15, 15},
};

enum { NUM_EXPECTED = sizeof expected / sizeof *expected };

static void check_text(const teeny_text *text, const expected_text *wanted)
{
    expect(text->version == TEENY_DESCRIPTOR_VERSION, "the version is wrong", text->name);
    expect(text->kind == wanted->kind, "the kind is wrong", text->name);
    expect(text->line >= wanted->first_line && text->line <= wanted->last_line, "the line is wrong",
        text->name);
    expect_text("file", file_name(text), wanted->file);
    expect_text("name", text->name, wanted->name);
    expect_text("result", text->result, wanted->result);
    expect_text("parameters", text->parameters, wanted->parameters);
    expect_text("meta", text->meta, wanted->meta);
    expect_text("body", text->body, wanted->body);
}

/* The offsets of C's own struct of the same members. */
static void check_arguments(void)
{
    typedef struct {
        u8 *first;
        f64 second;
        i16 third;
        i64 *fourth;
        bool fifth;
    } mixed;
    expect(
        TEENY_KERNEL_OF(mix)->arguments_size == sizeof(mixed), "the packed size is wrong", "mix");
    expect(
        TEENY_KERNEL_OF(own)->arguments_size == sizeof(i32 *), "the packed size is wrong", "own");
}

int describe_program(void)
{
    const teeny_text *kernel = &TEENY_KERNEL_OF(scale)->text;
    size_t count = (size_t)(kernel->module_end - kernel->module_begin);
    if (count != NUM_EXPECTED) {
        fprintf(stderr, "%zu records instead of %d\n", count, NUM_EXPECTED);
        return 1;
    }
    const teeny_text *sorted[NUM_EXPECTED];
    memcpy(sorted, kernel->module_begin, sizeof sorted);
    qsort(sorted, NUM_EXPECTED, sizeof *sorted, is_before);
    for (int i = 0; i < NUM_EXPECTED; i++) {
        check_text(sorted[i], &expected[i]);
        expect(sorted[i]->module_begin == kernel->module_begin, "another module", sorted[i]->name);
        expect(sorted[i]->module_end == kernel->module_end, "another module", sorted[i]->name);
    }
    const void *unit = sorted[0]->unit, *other = sorted[NUM_EXPECTED - 1]->unit;
    for (int i = 0; i < NUM_EXPECTED; i++)
        expect(sorted[i]->unit == (i < 4 ? unit : other), "another unit", sorted[i]->name);
    expect(unit != other, "two files are one unit", "more_kernels.c");
    check_arguments();
    return mistakes;
}
