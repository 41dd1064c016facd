/* Making operations at a place. Private to src/passes/. */
#ifndef TEENY_PASSES_OP_BUILDER_H
#define TEENY_PASSES_OP_BUILDER_H

#include "mlir-c/IR.h"

/* Where operations go: before one, or, where that is null, to the block's end. */
struct op_builder {
    MlirBlock block;
    MlirOperation before;
    MlirLocation location;
};

/* Before an operation, with its location. */
struct op_builder op_builder_before(MlirOperation op);

/* What an operation is made of; what is not set is absent. */
struct op_parts {
    const char *name;
    intptr_t operand_count, result_count, attribute_count;
    const MlirValue *operands;
    const MlirType *results;
    const MlirNamedAttribute *attributes;
    MlirRegion region; /* becomes the operation's */
};

void op_insert(const struct op_builder *builder, MlirOperation op);
MlirOperation op_build(const struct op_builder *builder, const struct op_parts *parts);

/* The result of one that has one. */
MlirValue op_build_value(const struct op_builder *builder, const struct op_parts *parts);

MlirNamedAttribute op_attribute(MlirContext context, const char *name, MlirAttribute value);

/* The result of one with a result of type `type`. */
MlirValue op_build_unary(
    const struct op_builder *builder, const char *name, MlirValue operand, MlirType type);
MlirValue op_build_binary(const struct op_builder *builder, const char *name, MlirValue left,
    MlirValue right, MlirType type);

/* arith.constant of an integer type or index. */
MlirValue op_build_integer(const struct op_builder *builder, MlirType type, int64_t value);

/* Values of arith.cmpi's predicate, as MLIR numbers them. */
enum op_compare { OP_COMPARE_SLT = 2, OP_COMPARE_SGE = 5, OP_COMPARE_UGT = 8 };

/* An i1. */
MlirValue op_build_compare(
    const struct op_builder *builder, enum op_compare predicate, MlirValue left, MlirValue right);

/* arith.select; a scalar condition chooses whole tiles. */
MlirValue op_build_select(
    const struct op_builder *builder, MlirValue condition, MlirValue yes, MlirValue no);

#endif
