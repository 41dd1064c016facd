/* What the command line gives for a kernel's parameters: NAME=VALUE words.
 *
 *     n=1000                         a scalar
 *     x=f32[1000]:random             a buffer of 1000 floats, and what is in it
 *     t=f16[64,128;256,1]:arange     64 x 128 elements, their strides behind the `;`
 */
#ifndef TEENY_COMMAND_RUN_ARGUMENTS_H
#define TEENY_COMMAND_RUN_ARGUMENTS_H

#include "command/run/elements.h"

enum { MOST_DIMENSIONS = 5, MOST_ARGUMENTS = 128 };

typedef enum fill_kind {
    FILL_CONSTANT, /* numbers[0] */
    FILL_ARANGE,   /* from numbers[0], by numbers[1] */
    FILL_RANDOM,   /* from numbers[0] to numbers[1]; integers have both ends */
    FILL_FILE,     /* the bytes of `path` */
} fill_kind;

typedef struct fill {
    fill_kind kind;
    long double numbers[2];
    const char *path;
} fill;

/* One word. Strings are parts of the command line, but for `name`, which the list owns. */
typedef struct argument {
    fill fill;
    const char *word;
    char *name;
    const char *scalar; /* the text of its value; NULL: it is a buffer */
    const element *element;
    size_t count; /* elements, from the first that a stride reaches to the last */
    int64_t shape[MOST_DIMENSIONS], stride[MOST_DIMENSIONS]; /* in elements */
    int rank;
    bool is_used; /* a parameter has taken it */
} argument;

typedef struct arguments {
    argument *list;
    int count;
} arguments;

/* Reads the words. False after a message on standard error that quotes the wrong one. Free it in
 * either case. */
bool arguments_read(char **words, int count, arguments *out_arguments);
void arguments_free(arguments *arguments);

static inline bool argument_is_buffer(const argument *argument)
{
    return !argument->scalar;
}

/* NULL where no word has this name. */
argument *arguments_find(const arguments *arguments, const char *name);

/* An integer or float from a whole text; false where it is none. */
bool number_read(const char *text, long double *out_number);

/* Says what is wrong with a word, as command_usage does; is false. */
bool argument_refuse(const char *word, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
