/* The C text that clang reads: one kernel with its helpers, put together from captures.
 *
 * The text is plain C, each piece behind a #line of its own, and is what `--emit source` prints.
 * Every character that came from a file can be traced back to its place there.
 */
#ifndef TEENY_FRONTEND_SOURCE_H
#define TEENY_FRONTEND_SOURCE_H

#include "base/arena.h"
#include "frontend/captures.h"
#include "frontend/diagnostics.h"

/* -D NAME=VALUE or --type NAME=VALUE. */
typedef struct source_setting {
    const char *name;
    const char *value;
    bool is_used;
    bool is_refused; /* a diagnostic said so: it is none of the kernel's, or its value is none */
} source_setting;

typedef struct source_settings {
    source_setting *metas;
    size_t num_metas;
    source_setting *types;
    size_t num_types;
} source_settings;

bool source_settings_are_refused(const source_settings *settings);

typedef struct source {
    const char *text;
    const struct source_segment *segments; /* in order of `begin` */
    size_t num_segments;
} source;

/* The text of `kernel` with all helpers, declarations and types among `captures`; of these alone
 * where `kernel` is NULL, which takes no settings. False after a diagnostic: a setting that names
 * no META or TEENY_TYPE of this kernel, a value that is none. */
bool source_assemble(arena *arena, const capture *captures, const capture *kernel,
    const source_settings *settings, diagnostics *diagnostics, source *out_source);

/* Where an offset into the text comes from. */
diagnostic_place source_place(const source *source, size_t offset);

/* The place of an offset into a slice's file. */
diagnostic_place source_slice_place(source_slice slice, size_t offset);

/* The characters of a string literal's inside, with the escapes \" and \\ resolved. */
const char *source_unquote(arena *arena, const char *text, size_t begin, size_t end);

#endif
