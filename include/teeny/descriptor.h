/* What a captured kernel leaves in the host program: plain constant data, no code.
 *
 * The capture macros (capture.h) write these records; libteeny reads them, gathers what a kernel
 * reaches, and hands the text to teenyc. Every record of a program or shared library is listed in
 * its ELF section `teeny_text`, so that helpers are found by name. Valid in C and in C++.
 */
#ifndef TEENY_DESCRIPTOR_H
#define TEENY_DESCRIPTOR_H

#include <stddef.h>
#include <stdint.h>

/* The layout of the records below; a program built with another value is refused, not misread. */
#define TEENY_DESCRIPTOR_VERSION 2

typedef enum teeny_text_kind {
    TEENY_TEXT_KERNEL = 1, /* TEENY_KERNEL(name, parameters, META(meta), body) */
    TEENY_TEXT_DEVICE = 2, /* TEENY_DEVICE(result, name, parameters, body)     */
    TEENY_TEXT_DECL = 3,   /* TEENY_DECL(body); no name                        */
    TEENY_TEXT_TYPE = 4,   /* TEENY_TYPE(name, body): the body is the default  */
} teeny_text_kind;

/* One captured piece of source text. Strings are static and owned by the program. */
typedef struct teeny_text {
    uint32_t version;       /* TEENY_DESCRIPTOR_VERSION */
    uint32_t kind;          /* a teeny_text_kind */
    uint32_t order;         /* source order within the unit: section order is not source order */
    uint32_t line;          /* of `file`: the macro's first line with gcc, its last with clang */
    const char *file;       /* __FILE__, for places in diagnostics; may be unreadable later */
    const char *name;       /* "" for TEENY_DECL */
    const char *result;     /* the result type of a TEENY_DEVICE, else "" */
    const char *parameters; /* with their parentheses: "(f32 *out, i32 n)", else "" */
    const char *meta;       /* "BLOCK = 1024, HALF = BLOCK / 2", macros expanded; else "" */
    const char *body;       /* newlines and comments are gone: the preprocessor dropped them */
    const void *unit;       /* an address that is one per translation unit */
    /* The section `teeny_text` of the program or shared library that holds this record. */
    const struct teeny_text *const *module_begin;
    const struct teeny_text *const *module_end;
} teeny_text;

/* A kernel: its text, and how the host packs its arguments. */
typedef struct teeny_kernel {
    teeny_text text;
    size_t arguments_size;                 /* sizeof the packed struct of parameters, in bytes */
    const struct teeny_embedded *embedded; /* code compiled ahead (embedded.h); NULL: the text's */
} teeny_kernel;

#endif
