// clang's types as ours.
#ifndef TEENY_FRONTEND_CLANG_TYPES_HPP
#define TEENY_FRONTEND_CLANG_TYPES_HPP

#include <clang/AST/ASTContext.h>
#include <llvm/ADT/DenseMap.h>
#include <string>

extern "C" {
#include "base/arena.h"
#include "frontend/ast.h"
}

// Each type once, made when it is first asked for, in the arena.
class TypeTable
{
  public:
    TypeTable(arena *arena, const clang::ASTContext &context) : arena_(arena), context(context) {}

    const ast_type *of(clang::QualType type);

  private:
    std::string spell(clang::QualType type);

    arena *arena_;
    const clang::ASTContext &context;
    llvm::DenseMap<clang::QualType, const ast_type *> types;
};

// A tile's type in the language's words: "f32[64,128]", or "f32[8192]" where only the number of
// lanes is known. Empty for other types.
std::string describeTile(const clang::ASTContext &context, clang::QualType type);

#endif
