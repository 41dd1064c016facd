/* The tree that the frontend lowers: C as clang understood it, in plain C.
 *
 * The bridge (clang/) builds it in the caller's arena; nothing in it points into clang. Promotions,
 * conversions and constants are clang's: every implicit conversion is a node, and an expression of
 * arithmetic type whose value is a constant is folded to AST_INTEGER or AST_FLOATING.
 */
#ifndef TEENY_FRONTEND_AST_H
#define TEENY_FRONTEND_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frontend/diagnostics.h"
#include "frontend/element.h"

enum { AST_MAX_RANK = 5 };

/* Where a node stands: an offset into the source text that clang was given (source.h resolves it).
 */
typedef uint32_t ast_place;

typedef enum ast_type_kind {
    AST_TYPE_VOID,
    AST_TYPE_ELEMENT, /* a scalar of an element type */
    AST_TYPE_POINTER, /* to `target` */
    AST_TYPE_VECTOR,  /* a GNU vector: `lanes` lanes of `element`; a tile, seen by C */
    AST_TYPE_TENSOR,  /* a tl_tensor of `element`, with `lanes` dimensions */
    AST_TYPE_OTHER,   /* other records, arrays, functions: `spelling` tells a person which */
} ast_type_kind;

typedef struct ast_type {
    ast_type_kind kind;
    element_type element; /* of ELEMENT and VECTOR */
    bool is_const;
    int64_t lanes;                 /* of VECTOR; of TENSOR, its rank */
    const struct ast_type *target; /* of POINTER */
    const char *spelling;          /* as the user wrote it */
} ast_type;

typedef enum ast_kind {
#define AST_KIND(name, description) AST_##name,
#include "frontend/ast_kinds.def"
#undef AST_KIND
} ast_kind;

typedef enum ast_operator {
#define AST_OPERATOR(name, spelling) AST_OP_##name,
#include "frontend/ast_operators.def"
#undef AST_OPERATOR
} ast_operator;

/* What a conversion does; the tile cases are told apart by the types. */
typedef enum ast_cast {
    AST_CAST_NONE,       /* same value, same representation: qualifiers, lvalue to rvalue */
    AST_CAST_ARITHMETIC, /* between arithmetic element types, bool included */
    AST_CAST_SPLAT,      /* a scalar over the lanes of a vector */
    AST_CAST_BITS,       /* reinterprets: pointer to pointer, vector to vector of one size */
    AST_CAST_TO_VOID,
    AST_CAST_OTHER,
} ast_cast;

typedef struct ast_variable {
    const char *name;
    unsigned index; /* from 0, one a variable of the whole text */
    const ast_type *type;
    ast_place place;
    /* What `tl_tile(T, d0, ...)` declared, or rank 0. */
    element_type declared_element;
    unsigned rank;
    int64_t dimensions[AST_MAX_RANK];
    const struct ast_node *initializer; /* NULL: none */
} ast_variable;

typedef struct ast_node {
    ast_kind kind;
    ast_place place;
    const ast_type *type; /* NULL for statements */
    ast_operator op;
    ast_cast cast;
    bool declares;                /* of a COMPOUND: it is one statement that opens no scope */
    bool is_explicit;             /* of a CAST: the user wrote it */
    const ast_type *computation;  /* of a compound ASSIGN: what it is computed in */
    const ast_variable *variable; /* VARIABLE, DECLARATION */
    const char *name;             /* CALL: the function; UNSUPPORTED: what it is; MEMBER; STRING */
    diagnostic_id refusal;        /* of UNSUPPORTED */
    uint64_t integer;             /* INTEGER: the value's bits, extended to 64 as its type says */
    double floating;              /* FLOATING */
    const struct ast_node **children;
    size_t num_children;
} ast_node;

typedef struct ast_constant {
    const char *name;
    int64_t value;
} ast_constant;

typedef struct ast_function {
    const char *name;
    ast_place place;
    const ast_variable *result_variable; /* nameless: the type of what is returned, and its tile */
    const ast_variable **parameters;
    size_t num_parameters;
    bool is_variadic;
    unsigned variables_end;    /* above the index of every variable up to here */
    const ast_node *body;      /* a COMPOUND */
    const ast_constant *metas; /* the META of a kernel, in order */
    size_t num_metas;
    const struct ast_function *next;
} ast_function;

const char *ast_kind_description(ast_kind kind);
const char *ast_operator_spelling(ast_operator op);

#endif
