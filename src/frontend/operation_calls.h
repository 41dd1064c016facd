/* The calls of the language's operations in a text, counted: what clang says about one with a wrong
 * number of arguments speaks of the macros behind it, so the frontend says it in its own words. */
#ifndef TEENY_FRONTEND_OPERATION_CALLS_H
#define TEENY_FRONTEND_OPERATION_CALLS_H

#include "base/arena.h"
#include "frontend/operations.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct operation_call {
    struct operation_call *next;
    const operation_info *operation;
    size_t place;           /* of the operation's name */
    unsigned num_arguments; /* as the preprocessor separates them */
    bool is_unsure;         /* a directive stands between them */
    size_t begin, end;      /* of the statement around it, or of a part of a for's parentheses */
} operation_call;

/* All of them, in the order in which they end. In the arena. */
const operation_call *operation_calls_read(arena *arena, const char *text);

/* The first call, in a statement around the offset, of another number of arguments than the
 * operation takes. NULL where there is none. */
const operation_call *operation_calls_find_miscounted(const operation_call *calls, size_t offset);

/* The first reduction there that has an axis and no dimensions behind it. */
const operation_call *operation_calls_find_scalar_reduction(
    const operation_call *calls, size_t offset);

/* The call whose operation's name stands there, or NULL. */
const operation_call *operation_calls_find_at(const operation_call *calls, size_t place);

/* Whether a statement that calls operations holds both offsets. */
bool operation_calls_share_statement(const operation_call *calls, size_t one, size_t other);

/* "1 argument", "2 to 5 arguments", "3 arguments or more". In the arena. */
const char *operation_call_wanted(arena *arena, const operation_info *operation);

#endif
