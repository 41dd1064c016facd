// What clang's types are in the language: elements, lanes, declared tiles.
#ifndef TEENY_FRONTEND_CLANG_ELEMENTS_HPP
#define TEENY_FRONTEND_CLANG_ELEMENTS_HPP

#include <clang/AST/ASTContext.h>
#include <llvm/ADT/SmallVector.h>

extern "C" {
#include "frontend/ast.h"
}

// The element type of a scalar; ELEMENT_NONE for what is none.
element_type scalarElement(clang::QualType of);

// The element type of a vector's lanes.
element_type laneElement(clang::QualType of);

// What `tl_tile(T, d0, ...)` says.
struct DeclaredTile {
    element_type element = ELEMENT_NONE;
    llvm::SmallVector<int64_t, AST_MAX_RANK> dimensions; // empty: the type is no tl_tile
};

DeclaredTile declaredTile(const clang::ASTContext &context, clang::QualType of);

#endif
