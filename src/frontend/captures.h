/* The captured pieces of a C file: what stands in its TEENY_KERNEL, TEENY_DEVICE, TEENY_DECL and
 * TEENY_TYPE macros.
 *
 * The file is a user's own, with anything else in it, or the text that libteeny gathered, where
 * each piece is one line behind a #line. Such a piece is realigned: where the file that #line names
 * can still be read and holds the same tokens, the piece is taken from there, with its lines,
 * columns and comments.
 */
#ifndef TEENY_FRONTEND_CAPTURES_H
#define TEENY_FRONTEND_CAPTURES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "frontend/diagnostics.h"

typedef enum capture_kind {
    CAPTURE_KERNEL,
    CAPTURE_DEVICE,
    CAPTURE_DECL,
    CAPTURE_TYPE,
} capture_kind;

/* A file's text, and the name that diagnostics call it by. */
typedef struct source_file {
    const char *name;
    const char *text;
    size_t length;
    const size_t *line_starts; /* offsets, the first 0 */
    size_t num_lines;
} source_file;

/* The line that an offset is in, from 0. */
size_t source_file_line(const source_file *file, size_t offset);

/* A part of a file. A place in it is shown as `line` plus the newlines since `begin`. */
typedef struct source_slice {
    const source_file *file;
    size_t begin, end;
    const char *shown_file; /* differs from file->name behind a #line */
    unsigned line;          /* of `begin`, as shown */
} source_slice;

typedef struct capture {
    capture_kind kind;
    const char *name;        /* "" for a DECL */
    source_slice whole;      /* from the macro's name to its closing parenthesis */
    source_slice result;     /* of a DEVICE */
    source_slice parameters; /* with parentheses; of KERNEL and DEVICE */
    source_slice meta;       /* what stands between META's parentheses; of a KERNEL */
    source_slice body;       /* of a TYPE: the default */
    const struct capture *next;
} capture;

/* All captures of a file and of the files it includes by `#include "..."`, in order. False after a
 * diagnostic. */
bool captures_read(
    arena *arena, const source_file *file, diagnostics *diagnostics, const capture **out_captures);

/* The same, and all files that were read, the first of them `file`. In the arena. */
bool captures_read_files(arena *arena, const source_file *file, diagnostics *diagnostics,
    const capture **out_captures, const source_file *const **out_files, size_t *out_num_files);

/* The captures of one file alone, as far as they are whole: no includes, no diagnostics. */
const capture *captures_scan(arena *arena, const source_file *file);

/* Reads a file, or "-" for standard input. NULL, with the reason in *out_error, if it cannot be. */
const source_file *source_file_read(arena *arena, const char *path, const char **out_error);

/* A file that a text names, where it is there to be read: NULL for any other reason. Only regular
 * files are: a pipe might never end. */
const source_file *source_file_find(arena *arena, const char *path);

#endif
