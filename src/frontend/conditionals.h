/* The `#if` nesting of a file that is read without its macros.
 *
 * A condition is known where it is a plain number, or asks for TEENYC or __cplusplus; what a known
 * condition excludes is dead. Under an unknown condition every branch is alive.
 */
#ifndef TEENY_FRONTEND_CONDITIONALS_H
#define TEENY_FRONTEND_CONDITIONALS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/c_lexer.h"

enum { DEEPEST_CONDITIONAL = 64 };

typedef struct conditional {
    bool was_alive;  /* around the #if */
    bool is_settled; /* a branch was certain: the ones behind it are dead */
} conditional;

/* All zero but `is_alive`, which is true, at the start of a file. */
typedef struct conditionals {
    conditional open[DEEPEST_CONDITIONAL]; /* deeper ones are taken for unknown */
    size_t depth;
    bool is_alive;
} conditionals;

/* Takes in a directive token of `text`; other directives than `#if` and its like change nothing. */
void conditionals_read(conditionals *conditionals, const char *text, c_token directive);

#endif
