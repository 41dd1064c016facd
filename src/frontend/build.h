/* Builds MLIR operations with little ceremony. */
#ifndef TEENY_FRONTEND_BUILD_H
#define TEENY_FRONTEND_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include <mlir-c/IR.h>

enum { BUILD_MOST_OPERANDS = 4, BUILD_MOST_ATTRIBUTES = 5 };

/* Where operations go: the end of `block`, with `location`. */
typedef struct builder {
    MlirContext context;
    MlirBlock block;
    MlirLocation location;
} builder;

typedef struct build_attribute {
    const char *name;
    MlirAttribute value;
} build_attribute;

/* What an operation is made of. Lists end at the first null entry. */
typedef struct build_parts {
    MlirType result; /* null: no result */
    MlirValue operands[BUILD_MOST_OPERANDS];
    build_attribute attributes[BUILD_MOST_ATTRIBUTES];
} build_parts;

MlirOperation build_operation(builder *builder, const char *name, const build_parts *parts);

/* An operation with one result: build_value(b, "arith.addi", type, x, y). */
#define build_value(builder, name, result_type, ...)                                               \
    build_single(                                                                                  \
        (builder), (name), &(build_parts){.result = (result_type), .operands = {__VA_ARGS__}})
MlirValue build_single(builder *builder, const char *name, const build_parts *parts);

/* The predicates of arith.cmpi and arith.cmpf, as the dialect numbers them. */
enum {
    CMPI_EQ = 0,
    CMPI_NE = 1,
    CMPI_SLT = 2,
    CMPI_SLE = 3,
    CMPI_SGT = 4,
    CMPI_SGE = 5,
    CMPI_ULT = 6,
    CMPI_ULE = 7,
    CMPI_UGT = 8,
    CMPI_UGE = 9,
    CMPF_OEQ = 1,
    CMPF_OGT = 2,
    CMPF_OGE = 3,
    CMPF_OLT = 4,
    CMPF_OLE = 5,
    CMPF_UNE = 13,
    CMPF_UNO = 14,
};

/* arith.cmpi or arith.cmpf: i1 of the operands' shape. */
MlirValue build_compare(
    builder *builder, const char *name, int predicate, MlirValue left, MlirValue right);

MlirAttribute build_i32_attribute(builder *builder, int32_t value);

/* `arith.constant` of a scalar type, or of a tensor that is filled with one value. */
MlirValue build_integer(builder *builder, MlirType type, int64_t value);
MlirValue build_float(builder *builder, MlirType type, double value);

/* `scalar` over a tensor type; `tt.splat`. */
MlirValue build_splat(builder *builder, MlirValue scalar, MlirType tensor);

bool build_is_tensor(MlirType type);
/* The element type of a tensor, or the type itself. */
MlirType build_element_of(MlirType type);
/* A type of the same shape, or a scalar, with another element. */
MlirType build_with_element(MlirType shaped, MlirType element);

#endif
