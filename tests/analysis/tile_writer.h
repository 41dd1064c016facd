/* Private to the writer of random programs: values live in a pool by type; an operation takes its
 * operands from the pool and adds its result. */
#ifndef TEENY_TESTS_ANALYSIS_TILE_WRITER_H
#define TEENY_TESTS_ANALYSIS_TILE_WRITER_H

#include "tile_program.h"

#include "base/string_builder.h"

enum element { I1, I8, I16, I32, I64, POINTER_8, POINTER_32, ELEMENT_COUNT };
enum shape { SCALAR, LINE, ROW, COLUMN, PLANE, SHAPE_COUNT };
enum { POOL_SIZE = 256, ROWS = 8, COLUMNS = 16 };

struct value {
    enum element element;
    enum shape shape;
    char name[16]; /* "%v7", or "%v7#1" for one of several results */
};

struct writer {
    struct random_source *random;
    teeny_string text;
    struct value pool[POOL_SIZE];
    unsigned pool_count, next_number, next_watch;
};

/* "i32", and what stands before it in a tile's type: "8x16x". */
extern const char *const writer_element_names[ELEMENT_COUNT];
extern const char *const writer_shape_names[SHAPE_COUNT];

/* The type as text, in one of a few static buffers. */
const char *writer_type_of(struct value value);

struct value writer_new_value(struct writer *writer, enum element element, enum shape shape);

/* Puts a value that was just written into the pool, and watches it. */
void writer_add(struct writer *writer, struct value value);

/* A value of the type; newer ones more often. False: there is none. */
bool writer_pick(
    struct writer *writer, enum element element, enum shape shape, struct value *out_value);

enum element writer_random_integer(struct writer *writer);
enum shape writer_random_shape(struct writer *writer);
int64_t writer_random_number(struct writer *writer, enum element element);

/* One operation of any kind without regions. */
void writer_write_single(struct writer *writer);

/* An operation on a tile that counts up from a multiple of something: what addresses are made of.
 */
void writer_write_counting(struct writer *writer);

#endif
