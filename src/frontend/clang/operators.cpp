// See operators.hpp.
#include "frontend/clang/operators.hpp"

using namespace clang;

// A table would be keyed by enumerations of clang's that promise no values: a switch it is.
ast_operator operatorOf(BinaryOperatorKind kind)
{
    switch (kind) {
    case BO_Add:
    case BO_AddAssign:
        return AST_OP_ADD;
    case BO_Sub:
    case BO_SubAssign:
        return AST_OP_SUB;
    case BO_Mul:
    case BO_MulAssign:
        return AST_OP_MUL;
    case BO_Div:
    case BO_DivAssign:
        return AST_OP_DIV;
    case BO_Rem:
    case BO_RemAssign:
        return AST_OP_REM;
    case BO_And:
    case BO_AndAssign:
        return AST_OP_AND;
    case BO_Or:
    case BO_OrAssign:
        return AST_OP_OR;
    case BO_Xor:
    case BO_XorAssign:
        return AST_OP_XOR;
    case BO_Shl:
    case BO_ShlAssign:
        return AST_OP_SHL;
    case BO_Shr:
    case BO_ShrAssign:
        return AST_OP_SHR;
    case BO_LT:
        return AST_OP_LT;
    case BO_LE:
        return AST_OP_LE;
    case BO_GT:
        return AST_OP_GT;
    case BO_GE:
        return AST_OP_GE;
    case BO_EQ:
        return AST_OP_EQ;
    case BO_NE:
        return AST_OP_NE;
    case BO_LAnd:
        return AST_OP_LOGICAL_AND;
    case BO_LOr:
        return AST_OP_LOGICAL_OR;
    case BO_Assign:
        return AST_OP_ASSIGN;
    case BO_Comma:
        return AST_OP_COMMA;
    default:
        return AST_OP_NONE;
    }
}

ast_operator operatorOf(UnaryOperatorKind kind)
{
    switch (kind) {
    case UO_Plus:
        return AST_OP_PLUS;
    case UO_Minus:
        return AST_OP_MINUS;
    case UO_Not:
        return AST_OP_NOT;
    case UO_LNot:
        return AST_OP_LOGICAL_NOT;
    case UO_Deref:
        return AST_OP_DEREFERENCE;
    case UO_AddrOf:
        return AST_OP_ADDRESS;
    case UO_PreInc:
        return AST_OP_PRE_INCREMENT;
    case UO_PreDec:
        return AST_OP_PRE_DECREMENT;
    case UO_PostInc:
        return AST_OP_POST_INCREMENT;
    case UO_PostDec:
        return AST_OP_POST_DECREMENT;
    default:
        return AST_OP_NONE;
    }
}

ast_cast castOf(CastKind kind)
{
    switch (kind) {
    case CK_NoOp:
    case CK_LValueToRValue:
    case CK_ArrayToPointerDecay:
    case CK_FunctionToPointerDecay:
        return AST_CAST_NONE;
    case CK_IntegralCast:
    case CK_IntegralToBoolean:
    case CK_IntegralToFloating:
    case CK_FloatingToIntegral:
    case CK_FloatingToBoolean:
    case CK_FloatingCast:
    case CK_BooleanToSignedIntegral:
        return AST_CAST_ARITHMETIC;
    case CK_VectorSplat:
        return AST_CAST_SPLAT;
    case CK_BitCast:
        return AST_CAST_BITS;
    case CK_ToVoid:
        return AST_CAST_TO_VOID;
    default:
        return AST_CAST_OTHER;
    }
}
