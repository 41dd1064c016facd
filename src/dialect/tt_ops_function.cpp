// tt.func, tt.return, tt.call: their text and their checks.

#include "tt.hpp"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

namespace teeny::tt
{

mlir::ParseResult FuncOp::parse(mlir::OpAsmParser &parser, mlir::OperationState &state)
{
    auto makeType = [](mlir::Builder &builder, llvm::ArrayRef<mlir::Type> arguments,
                        llvm::ArrayRef<mlir::Type> results,
                        mlir::function_interface_impl::VariadicFlag,
                        std::string &) { return builder.getFunctionType(arguments, results); };
    return mlir::function_interface_impl::parseFunctionOp(parser, state, /*allowVariadic=*/false,
        getFunctionTypeAttrName(state.name), makeType, getArgAttrsAttrName(state.name),
        getResAttrsAttrName(state.name));
}

void FuncOp::print(mlir::OpAsmPrinter &printer)
{
    mlir::function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
        getFunctionTypeAttrName(), getArgAttrsAttrName(), getResAttrsAttrName());
}

llvm::LogicalResult ReturnOp::verify()
{
    auto function = llvm::cast<FuncOp>((*this)->getParentOp());
    auto expected = function.getResultTypes();
    if (expected.size() != getNumOperands())
        return emitOpError() << "expected as many values as @" << function.getName()
                             << " has results, " << expected.size() << ", found "
                             << getNumOperands();
    for (auto [index, type] : llvm::enumerate(expected))
        if (getOperand(index).getType() != type)
            return emitOpError() << "operand #" << index << ": expected " << type
                                 << ", the result of @" << function.getName() << ", found "
                                 << getOperand(index).getType();
    return mlir::success();
}

// Operands or results of a call, against the signature of the callee.
static llvm::LogicalResult verifyCallTypes(
    CallOp call, const char *kind, mlir::TypeRange expected, mlir::TypeRange found)
{
    if (expected.size() != found.size())
        return call.emitOpError() << "expected as many " << kind << "s as @" << call.getCallee()
                                  << " declares, " << expected.size() << ", found " << found.size();
    for (unsigned i = 0; i < expected.size(); ++i)
        if (expected[i] != found[i])
            return call.emitOpError()
                   << kind << " #" << i << ": expected " << expected[i] << " as @"
                   << call.getCallee() << " declares, found " << found[i];
    return mlir::success();
}

llvm::LogicalResult CallOp::verifySymbolUses(mlir::SymbolTableCollection &symbols)
{
    auto function = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
    if (!function)
        return emitOpError() << "expected the name of a tt.func of this module, found @"
                             << getCallee();
    if (failed(verifyCallTypes(*this, "operand", function.getArgumentTypes(), getOperandTypes())))
        return mlir::failure();
    return verifyCallTypes(*this, "result", function.getResultTypes(), getResultTypes());
}

} // namespace teeny::tt
