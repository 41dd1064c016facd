/* One launch of one kernel over memory that is watched.
 *
 * All arrays of a trial lie in one image of device memory, with a band of poison around each. The
 * whole image is written, the kernel launched, the whole image read back: an element that was
 * expected must be there, every other byte must be as it was.
 */
#ifndef TEENY_TESTS_CONFORM_TRIAL_H
#define TEENY_TESTS_CONFORM_TRIAL_H

#include <teeny/teeny.h>

#include "elements.h"

struct row;

enum { TRIAL_ARRAYS = 6, TRIAL_SIZES = 2 };

/* What an element must be: exactly `number`, or no farther from it than `slack`. */
struct expectation {
    struct number number;
    long double slack;
    enum { UNCHANGED, EXPECTED, UNSPECIFIED } kind;
};

struct array {
    enum element_id element;
    size_t count;
    size_t offset; /* of the first element, in bytes of the image */
    struct expectation *expected;
};

/* Where a thread runs trials: reused from one to the next. */
struct bench {
    teeny_device *device;
    teeny_stream *stream;
    teeny_buffer *buffer;
    unsigned char *before, *after; /* the image as written and as read back */
};

struct trial {
    struct bench *bench;
    const struct row *row;
    enum element_id element; /* what T stands for */
    enum element_id result;  /* what U stands for */
    int block;               /* META(BLOCK), or 0 */
    unsigned size;           /* which of TRIAL_SIZES: a large ragged one, a small one */
    teeny_function *function;

    struct array arrays[TRIAL_ARRAYS];
    unsigned array_count;
    size_t used;            /* bytes of the image */
    uint64_t arguments[64]; /* packed */
    size_t arguments_size;
    bool failed;
    char message[512]; /* what went wrong first */
};

/* Make and free what a thread needs; `bench_open` says on stderr why it cannot. */
bool bench_open(struct bench *bench, teeny_device *device);
void bench_close(struct bench *bench);

/* The next argument: an array of poison, and a pointer to it. Aligned to 256 bytes, in the small
 * size shifted by one element. */
struct array *trial_array(struct trial *trial, enum element_id element, size_t count);

/* The next argument: an array for the kernel to read, filled by what `value` says of the operand's
 * number, which is how many arrays there were before, less the output. */
typedef struct number value_function(enum element_id element, unsigned operand, size_t i);
struct array *trial_input(
    struct trial *trial, enum element_id element, size_t count, value_function *value);

void trial_integer(struct trial *trial, int32_t value);

/* The next argument: a tl_tensor over an array that is not an argument itself. */
struct array *trial_tensor(struct trial *trial, enum element_id element, unsigned rank,
    const int64_t *shape, const int64_t *stride, size_t count);

struct number array_get(const struct trial *trial, const struct array *array, size_t i);
void array_set(struct trial *trial, const struct array *array, size_t i, struct number number);

/* What must be in element i after the launch; by default, what was there before. */
void array_expect(struct array *array, size_t i, struct number number);
void array_expect_near(struct array *array, size_t i, struct number number, long double slack);
void array_expect_anything(struct array *array, size_t i);

/* Launches and compares. */
void trial_run(struct trial *trial, teeny_grid grid);

/* Frees what the arrays hold. */
void trial_end(struct trial *trial);

/* Notes why the trial failed, unless it has before. */
void trial_fail(struct trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
