/* Which captured pieces of a program or shared library provide which names. */
#ifndef TEENY_RUNTIME_TEXT_INDEX_H
#define TEENY_RUNTIME_TEXT_INDEX_H

#include "base/c_lexer.h"

#include <stdbool.h>
#include <stddef.h>
#include <teeny/descriptor.h>

/* A name, not zero-terminated: a slice of a captured text. */
typedef struct teeny_name {
    const char *begin;
    size_t length;
} teeny_name;

/* `piece` declares `name`, or may do so. */
typedef struct teeny_provision {
    teeny_name name;
    const teeny_text *piece;
} teeny_provision;

/* Sorted by name, then in the module's own order. */
typedef struct teeny_text_index {
    teeny_provision *provisions;
    size_t count, capacity;
    bool failed; /* out of memory */
} teeny_text_index;

/* Indexes the module that holds `kernel`: helpers and types by their names, and TEENY_DECL, which
 * has none, by every identifier in it that C and the kernel environment do not know themselves. */
void teeny_text_index_build(const teeny_text *kernel, teeny_text_index *out_index);
void teeny_text_index_free(teeny_text_index *index);

/* The provisions of a name; returns how many follow `*out_first`. */
size_t teeny_text_index_find(
    const teeny_text_index *index, teeny_name name, const teeny_provision **out_first);

/* The name that an identifier token is. */
teeny_name teeny_token_name(const c_lexer *lexer, c_token token);

#endif
