// See elements.hpp.
#include "frontend/clang/elements.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/STLExtras.h>

using namespace clang;

// The element type of a scalar. The 8-bit floats are records of their own names.
element_type scalarElement(QualType of)
{
    QualType plain = of.getCanonicalType().getUnqualifiedType();
    if (const auto *enumeration = plain->getAsEnumDecl())
        return enumeration->isComplete() ? scalarElement(enumeration->getIntegerType())
                                         : ELEMENT_NONE;
    if (const auto *record = plain->getAsRecordDecl()) {
        const TypedefNameDecl *name = record->getTypedefNameForAnonDecl();
        return name ? element_find(name->getName().str().c_str()) : ELEMENT_NONE;
    }
    const auto *builtin = plain->getAs<BuiltinType>();
    if (!builtin)
        return ELEMENT_NONE;
    switch (builtin->getKind()) {
    case BuiltinType::Bool:
        return ELEMENT_bool;
    case BuiltinType::Char_S:
    case BuiltinType::SChar:
        return ELEMENT_i8;
    case BuiltinType::Short:
        return ELEMENT_i16;
    case BuiltinType::Int:
        return ELEMENT_i32;
    case BuiltinType::Long:
    case BuiltinType::LongLong:
        return ELEMENT_i64;
    case BuiltinType::UChar:
        return ELEMENT_u8;
    case BuiltinType::UShort:
        return ELEMENT_u16;
    case BuiltinType::UInt:
        return ELEMENT_u32;
    case BuiltinType::ULong:
    case BuiltinType::ULongLong:
        return ELEMENT_u64;
    case BuiltinType::Half:
    case BuiltinType::Float16:
        return ELEMENT_f16;
    case BuiltinType::BFloat16:
        return ELEMENT_bf16;
    case BuiltinType::Float:
        return ELEMENT_f32;
    case BuiltinType::Double:
        return ELEMENT_f64;
    default:
        return ELEMENT_NONE;
    }
}

// The element type of a vector's lanes: the stand-ins of ops.h stand for the 8-bit floats.
element_type laneElement(QualType of)
{
    const auto *builtin = of.getCanonicalType()->getAs<BuiltinType>();
    if (builtin && builtin->getKind() == BuiltinType::LongDouble)
        return ELEMENT_f8e4m3;
    if (builtin && builtin->getKind() == BuiltinType::Int128)
        return ELEMENT_f8e5m2;
    return scalarElement(of);
}

static const CallExpr *callIn(const Expr *e)
{
    e = e->IgnoreParenCasts();
    if (const auto *unary = llvm::dyn_cast<UnaryOperator>(e))
        return callIn(unary->getSubExpr());
    return llvm::dyn_cast<CallExpr>(e);
}

// Under TEENYC tl_tile(T, d0, ...) is the type of an expression that holds T and the dimensions:
// typeof(*(vector *)teeny_op_tile(0, (T *)0, d0, ...)). It may stand behind the names of typedefs,
// and behind the typeof of a variable; what __auto_type deduces has the shape of its value alone.
static const CallExpr *tileCall(const ASTContext &context, QualType of)
{
    for (;;) {
        QualType next = of.getSingleStepDesugaredType(context);
        if (const auto *typeOf = llvm::dyn_cast<TypeOfExprType>(of.getTypePtr())) {
            const CallExpr *call = callIn(typeOf->getUnderlyingExpr());
            const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
            if (callee && callee->getName() == "teeny_op_tile")
                return call;
            next = typeOf->getUnderlyingExpr()->getType();
        }
        if (next == of || llvm::isa<AutoType>(of.getTypePtr()))
            return nullptr;
        of = next;
    }
}

DeclaredTile declaredTile(const ASTContext &context, QualType of)
{
    const CallExpr *call = tileCall(context, of);
    if (!call || call->getNumArgs() > 2 + AST_MAX_RANK)
        return {};
    DeclaredTile tile;
    tile.element = scalarElement(call->getArg(1)->getType()->getPointeeType());
    for (const Expr *each : llvm::drop_begin(call->arguments(), 2)) {
        Expr::EvalResult dimension;
        if (!each->EvaluateAsInt(dimension, context))
            return {};
        tile.dimensions.push_back(dimension.Val.getInt().getExtValue());
    }
    return tile;
}
