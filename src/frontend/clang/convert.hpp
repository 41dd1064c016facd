// clang's tree to ours.
#ifndef TEENY_FRONTEND_CLANG_CONVERT_HPP
#define TEENY_FRONTEND_CLANG_CONVERT_HPP

#include <clang/AST/ASTContext.h>

extern "C" {
#include "base/arena.h"
#include "frontend/ast.h"
}

// The functions that the source text defines, in order.
const ast_function *convertFunctions(arena *arena, clang::ASTContext &context);

// An offset into the source text: for what a macro expands to, the place of the macro's name.
ast_place placeOf(const clang::SourceManager &sources, clang::SourceLocation location);

#endif
