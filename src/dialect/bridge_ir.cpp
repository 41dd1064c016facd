// dialect.h: queries on operations, dominance, clones with a map.

#include "dialect/dialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

struct ir_dominance {
    mlir::DominanceInfo info;
};

struct ir_mapping {
    mlir::IRMapping map;
};

static unsigned effectBit(mlir::MemoryEffects::Effect *effect)
{
    return llvm::TypeSwitch<mlir::MemoryEffects::Effect *, unsigned>(effect)
        .Case([](mlir::MemoryEffects::Read *) { return IR_EFFECT_READ; })
        .Case([](mlir::MemoryEffects::Write *) { return IR_EFFECT_WRITE; })
        .Case([](mlir::MemoryEffects::Allocate *) { return IR_EFFECT_ALLOCATE; })
        .Case([](mlir::MemoryEffects::Free *) { return IR_EFFECT_FREE; })
        .Default([](mlir::MemoryEffects::Effect *) { return IR_EFFECT_UNKNOWN; });
}

unsigned ir_effects(MlirOperation op)
{
    auto effects = mlir::getEffectsRecursively(unwrap(op));
    if (!effects)
        return IR_EFFECT_UNKNOWN;
    unsigned bits = 0;
    for (const auto &effect : *effects)
        bits |= effectBit(effect.getEffect());
    return bits;
}

bool ir_is_pure(MlirOperation op)
{
    return mlir::isPure(unwrap(op));
}

bool ir_is_elementwise(MlirOperation op)
{
    return unwrap(op)->hasTrait<mlir::OpTrait::Elementwise>();
}

bool ir_is_terminator(MlirOperation op)
{
    return unwrap(op)->hasTrait<mlir::OpTrait::IsTerminator>();
}

bool ir_is_dead(MlirOperation op)
{
    return mlir::isOpTriviallyDead(unwrap(op));
}

bool ir_successor_operands(MlirOperation op, intptr_t index, intptr_t *first, intptr_t *count)
{
    auto branch = llvm::dyn_cast<mlir::BranchOpInterface>(unwrap(op));
    if (!branch || index < 0 || index >= branch->getNumSuccessors())
        return false;
    mlir::SuccessorOperands operands = branch.getSuccessorOperands(index);
    if (operands.getProducedOperandCount() != 0)
        return false;
    mlir::OperandRange forwarded = operands.getForwardedOperands();
    *count = forwarded.size();
    *first = forwarded.empty() ? 0 : forwarded.getBeginOperandIndex();
    return true;
}

struct ir_dominance *ir_dominance_create(void)
{
    return new ir_dominance;
}

void ir_dominance_destroy(struct ir_dominance *dominance)
{
    delete dominance;
}

bool ir_value_dominates(struct ir_dominance *dominance, MlirValue value, MlirOperation op)
{
    return dominance->info.properlyDominates(unwrap(value), unwrap(op));
}

bool ir_operation_dominates(
    struct ir_dominance *dominance, MlirOperation first, MlirOperation second)
{
    return dominance->info.properlyDominates(unwrap(first), unwrap(second));
}

struct ir_mapping *ir_mapping_create(void)
{
    return new ir_mapping;
}

void ir_mapping_destroy(struct ir_mapping *mapping)
{
    delete mapping;
}

void ir_mapping_set(struct ir_mapping *mapping, MlirValue from, MlirValue to)
{
    mapping->map.map(unwrap(from), unwrap(to));
}

MlirValue ir_mapping_get(const struct ir_mapping *mapping, MlirValue value)
{
    return wrap(mapping->map.lookupOrDefault(unwrap(value)));
}

MlirOperation ir_clone(MlirOperation op, struct ir_mapping *mapping)
{
    return wrap(unwrap(op)->clone(mapping->map));
}

void ir_clone_region(MlirRegion from, MlirRegion to, struct ir_mapping *mapping)
{
    unwrap(from)->cloneInto(unwrap(to), mapping->map);
}
