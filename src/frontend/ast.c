/* The names of ast.h's enumerations. */
#include "frontend/ast.h"

static const char *const kind_descriptions[] = {
#define AST_KIND(name, description) [AST_##name] = description,
#include "frontend/ast_kinds.def"
#undef AST_KIND
};

static const char *const operator_spellings[] = {
#define AST_OPERATOR(name, spelling) [AST_OP_##name] = spelling,
#include "frontend/ast_operators.def"
#undef AST_OPERATOR
};

const char *ast_kind_description(ast_kind kind)
{
    return kind_descriptions[kind];
}

const char *ast_operator_spelling(ast_operator op)
{
    return operator_spellings[op];
}
