// The tt dialect in C++: what mlir-tblgen makes of tt.td, and the helpers its rules are written
// with. For src/dialect/ alone; the rest of the compiler sees dialect.h.

#ifndef TEENY_DIALECT_TT_HPP
#define TEENY_DIALECT_TT_HPP

#include "tt_traits.hpp"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tt_dialect.h.inc"
#include "tt_enums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tt_types.h.inc"

namespace teeny::tt
{

// The element type of a tile; any other type is its own element.
mlir::Type elementTypeOf(mlir::Type type);

// `type` with its element replaced: a tile keeps shape and layout, a scalar becomes `element`.
mlir::Type withElementType(mlir::Type type, mlir::Type element);

// What a load through `pointer` yields: a scalar, or a tile of the same shape and layout. A type
// that holds no pointer is handed back as it is, for the verifier to refuse.
mlir::Type pointeeTypeOf(mlir::Type pointer);

// The type of a mask for accesses through `pointer`.
mlir::Type maskTypeOf(mlir::Type pointer);

} // namespace teeny::tt

#define GET_OP_CLASSES
#include "tt_ops.h.inc"

#endif // TEENY_DIALECT_TT_HPP
