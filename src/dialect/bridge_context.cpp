// dialect.h: contexts, and operations by number. The numbers lie in an interface of the tt dialect,
// one map a context, so there is no state outside contexts.

#include "dialect/dialect.h"

#include "ttg.hpp"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectInterface.h"

namespace
{

constexpr const char *opNames[] = {"unknown",
#define OP(suffix, name) name,
    TEENY_OP_TABLE(OP)
#undef OP
};

// The number of each operation of the table, by the address that MLIR keeps for its name.
struct OpNumbers : mlir::DialectInterface::Base<OpNumbers> {
    OpNumbers(mlir::Dialect *dialect) : Base(dialect)
    {
        for (unsigned id = OP_UNKNOWN + 1; id < OP_ID_COUNT; ++id) {
            mlir::OperationName name(opNames[id], dialect->getContext());
            numbers[name.getAsOpaquePointer()] = static_cast<op_id>(id);
        }
    }

    op_id find(mlir::OperationName name) const
    {
        return numbers.lookup_or(name.getAsOpaquePointer(), OP_UNKNOWN);
    }

    llvm::DenseMap<const void *, op_id> numbers;
};

} // namespace

MlirContext dialect_context_create(void)
{
    auto *context = new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED);
    context->loadDialect<teeny::tt::TTDialect, teeny::ttg::TTGDialect, mlir::arith::ArithDialect,
        mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::cf::ControlFlowDialect,
        mlir::ub::UBDialect>();
    // Last: the address of an operation's name changes when its dialect is loaded.
    context->getLoadedDialect<teeny::tt::TTDialect>()->addInterfaces<OpNumbers>();
    return wrap(context);
}

enum op_id op_id_of(MlirOperation handle)
{
    mlir::Operation *op = unwrap(handle);
    auto *dialect = op->getContext()->getLoadedDialect<teeny::tt::TTDialect>();
    auto *numbers = dialect ? dialect->getRegisteredInterface<OpNumbers>() : nullptr;
    return numbers ? numbers->find(op->getName()) : OP_UNKNOWN;
}

const char *op_id_name(enum op_id id)
{
    return opNames[id < OP_ID_COUNT ? id : OP_UNKNOWN];
}
