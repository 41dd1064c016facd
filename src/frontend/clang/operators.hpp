// clang's operators and casts as ours.
#ifndef TEENY_FRONTEND_CLANG_OPERATORS_HPP
#define TEENY_FRONTEND_CLANG_OPERATORS_HPP

#include <clang/AST/OperationKinds.h>

extern "C" {
#include "frontend/ast.h"
}

// AST_OP_NONE for those that the language has no use for; a compound assignment is its operator.
ast_operator operatorOf(clang::BinaryOperatorKind kind);
ast_operator operatorOf(clang::UnaryOperatorKind kind);

// AST_CAST_NONE for casts that change nothing.
ast_cast castOf(clang::CastKind kind);

#endif
