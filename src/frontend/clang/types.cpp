// See types.hpp.
#include "frontend/clang/types.hpp"
#include "frontend/clang/elements.hpp"

#include <clang/AST/Decl.h>

using namespace clang;

std::string describeTile(const ASTContext &context, QualType type)
{
    const auto *vector = type->getAs<VectorType>();
    if (!vector)
        return {};
    DeclaredTile tile = declaredTile(context, type);
    if (tile.dimensions.empty()) {
        tile.element = laneElement(vector->getElementType());
        tile.dimensions.push_back(vector->getNumElements());
    }
    std::string dimensions;
    for (int64_t each : tile.dimensions)
        dimensions += (dimensions.empty() ? "" : ",") + std::to_string(each);
    return std::string(element_describe(tile.element)->name) + "[" + dimensions + "]";
}

// As the user wrote it; tiles, also inside of arrays and pointers, in the language's words.
std::string TypeTable::spell(QualType type)
{
    if (const auto *array = context.getAsConstantArrayType(type))
        return spell(array->getElementType()) + "[" +
               std::to_string(array->getSize().getZExtValue()) + "]";
    if (type->isPointerType() && type->getPointeeType()->isVectorType())
        return spell(type->getPointeeType()) + " *";
    std::string tile = describeTile(context, type);
    return tile.empty() ? type.getAsString() : tile;
}

// The record behind tl_tensor(T, rank), of tensor.h; null for others.
static const RecordDecl *tensorRecord(QualType type)
{
    const RecordDecl *record = type->getAsRecordDecl();
    bool isTensor =
        record && record->isCompleteDefinition() && record->getName().starts_with("teeny_tensor_");
    return isTensor ? record : nullptr;
}

const ast_type *TypeTable::of(QualType type)
{
    auto [found, isNew] = types.try_emplace(type, nullptr);
    if (!isNew)
        return found->second;
    ast_type *made = arena_new(arena_, ast_type);
    std::string spelling = spell(type);
    made->spelling = arena_copy(arena_, spelling.data(), spelling.size());
    made->is_const = type.isConstQualified();
    made->kind = AST_TYPE_OTHER;
    if (type.isVolatileQualified()) {
        // Nothing would keep the promise of volatile: such a type is none of the language's.
    } else if (type->isVoidType()) {
        made->kind = AST_TYPE_VOID;
    } else if (type->isPointerType()) {
        made->kind = AST_TYPE_POINTER;
        made->target = of(type->getPointeeType());
    } else if (const auto *vector = type->getAs<VectorType>()) {
        made->kind = AST_TYPE_VECTOR;
        made->element = laneElement(vector->getElementType());
        made->lanes = vector->getNumElements();
    } else if (element_type element = scalarElement(type)) {
        made->kind = AST_TYPE_ELEMENT;
        made->element = element;
    } else if (const RecordDecl *tensor = tensorRecord(type)) {
        auto field = tensor->field_begin();
        made->kind = AST_TYPE_TENSOR;
        made->element = scalarElement(field->getType()->getPointeeType());
        const auto *shape = context.getAsConstantArrayType(std::next(field)->getType());
        made->lanes = shape->getSize().getZExtValue();
    }
    types[type] = made;
    return made;
}
