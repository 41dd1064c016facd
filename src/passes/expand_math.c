/* expand-math: puts the math functions of src/math/ in place of math operations.
 *
 *     %y = math.exp %x : tensor<64xf32, #a>     ->     the body of exp_f32, each of its operations
 *                                                      on tensor<64x.., #a>
 *
 * for scalars and tiles of any rank and layout, since the functions are elementwise throughout. f16
 * and bf16 are computed in f32. Operations that every code generator knows stay; one that has
 * neither code nor a function is an error at its place. So no later pass meets a math operation
 * that a target cannot do.
 *
 * Inside of the functions math.exp and math.exp2 mean the function on its reduced range, and are
 * expanded likewise. Where the target has an instruction for an operation in f32, the function by
 * that instruction goes in, and the operation in it stays: it means the instruction alone.
 */
#include "analysis/op_words.h"
#include "base/arena.h"
#include "dialect/dialect.h"
#include "math/functions.h"
#include "passes/pass_support.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <string.h>

/* ---- What becomes of each operation ---------------------------------------------------------- */

static const char *const function_stems[OP_ID_COUNT] = {
#define FUNCTION(operation, stem, f32_bound, f64_bound, summary) [OP_##operation] = #stem,
#include "math/functions.def"
};

static const char *const reduced_stems[OP_ID_COUNT] = {
#define REDUCED(operation, stem) [OP_##operation] = #stem,
#include "math/functions.def"
};

static const bool may_be_instruction[OP_ID_COUNT] = {
#define INSTRUCTION(operation, stem, f32_bound) [OP_##operation] = true,
#include "math/functions.def"
};

/* What codegen/scalar_ops.c has. */
static const bool is_kept[OP_ID_COUNT] = {
    [OP_MATH_ABSF] = true,
    [OP_MATH_ABSI] = true,
    [OP_MATH_CEIL] = true,
    [OP_MATH_COPYSIGN] = true,
    [OP_MATH_CTLZ] = true,
    [OP_MATH_CTPOP] = true,
    [OP_MATH_CTTZ] = true,
    [OP_MATH_FLOOR] = true,
    [OP_MATH_FMA] = true,
    [OP_MATH_ISFINITE] = true,
    [OP_MATH_ISINF] = true,
    [OP_MATH_ISNAN] = true,
    [OP_MATH_ROUNDEVEN] = true,
    [OP_MATH_SQRT] = true,
    [OP_MATH_TRUNC] = true,
};

static MlirStringRef name_of(MlirOperation op)
{
    return mlirIdentifierStr(mlirOperationGetName(op));
}

static bool is_math(MlirOperation op)
{
    static const char dialect[] = "math.";
    MlirStringRef name = name_of(op);
    return name.length >= sizeof dialect - 1 && memcmp(name.data, dialect, sizeof dialect - 1) == 0;
}

/* ---- The functions, parsed when they are first needed ---------------------------------------- */

struct library {
    MlirContext context;
    bool has_instructions;
    MlirOperation *modules; /* one an entry of math_functions; null: not parsed */
};

/* The body of the function; null where there is none of that name. */
static MlirBlock find_body(struct library *library, const char *name)
{
    for (size_t i = 0; i < math_function_count; i++) {
        if (strcmp(math_functions[i].name, name) != 0)
            continue;
        MlirOperation *module = &library->modules[i];
        if (mlirOperationIsNull(*module))
            *module = ir_parse_module(library->context, math_functions[i].text, name);
        MlirBlock outer = mlirRegionGetFirstBlock(mlirOperationGetRegion(*module, 0));
        MlirOperation function = mlirBlockGetFirstOperation(outer);
        return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
    }
    return (MlirBlock){NULL};
}

static void destroy_modules(struct library *library)
{
    for (size_t i = 0; i < math_function_count; i++)
        if (!mlirOperationIsNull(library->modules[i]))
            mlirOperationDestroy(library->modules[i]);
}

/* ---- Types ----------------------------------------------------------------------------------- */

static MlirType element_of(MlirType type)
{
    return mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
}

/* `element` in the shape and layout of `like`, which may be a scalar. */
static MlirType lifted(MlirType element, MlirType like)
{
    if (!mlirTypeIsARankedTensor(like))
        return element;
    int64_t rank = mlirShapedTypeGetRank(like), shape[16];
    if (rank > (int64_t)(sizeof shape / sizeof *shape))
        return element;
    for (int64_t i = 0; i < rank; i++)
        shape[i] = mlirShapedTypeGetDimSize(like, i);
    return mlirRankedTensorTypeGet(rank, shape, element, mlirRankedTensorTypeGetEncoding(like));
}

enum { MOST_OPERANDS = 3 };

/* ---- Expansion ------------------------------------------------------------------------------- */

/* Where a body goes: right before `place`, in the shape of `like`. */
struct expansion {
    struct library *library;
    bool keeps_operation; /* the body is one by an instruction */
    MlirOperation place;
    MlirType like;
};

static void lift_constant(MlirOperation constant, MlirType type)
{
    MlirStringRef name = mlirStringRefCreateFromCString("value");
    MlirAttribute value = mlirOperationGetAttributeByName(constant, name);
    if (mlirTypeIsARankedTensor(type))
        mlirOperationSetAttributeByName(constant, name, mlirDenseElementsAttrSplatGet(type, value));
}

static bool may_contract(enum op_id id)
{
    return id == OP_ARITH_ADDF || id == OP_ARITH_SUBF || id == OP_ARITH_MULF;
}

/* A copy of an operation of a body. Every sum and product rounds by itself: the functions count on
 * it, and give the same bits on every device. */
static void copy_lifted(
    const struct expansion *expansion, MlirOperation op, struct ir_mapping *mapping)
{
    MlirOperation copy = ir_clone(op, mapping);
    MlirValue result = mlirOperationGetResult(copy, 0);
    MlirType type = lifted(mlirValueGetType(result), expansion->like);
    if (op_id_of(copy) == OP_ARITH_CONSTANT)
        lift_constant(copy, type);
    if (may_contract(op_id_of(copy)))
        mlirOperationSetDiscardableAttributeByName(copy,
            mlirStringRefCreateFromCString(IR_NO_CONTRACT),
            mlirUnitAttrGet(expansion->library->context));
    mlirValueSetType(result, type);
    mlirOperationSetLocation(copy, mlirOperationGetLocation(expansion->place));
    mlirBlockInsertOwnedOperationBefore(
        mlirOperationGetBlock(expansion->place), expansion->place, copy);
}

static MlirValue expand_body(
    const struct expansion *expansion, MlirBlock body, const MlirValue operands[MOST_OPERANDS]);

/* math.exp and math.exp2 inside of a body. */
static bool expand_reduced(
    const struct expansion *expansion, MlirOperation op, struct ir_mapping *mapping)
{
    const char *stem = reduced_stems[op_id_of(op)];
    if (!stem || expansion->keeps_operation)
        return false;
    char name[64];
    bool is_double = mlirTypeIsAF64(mlirValueGetType(mlirOperationGetResult(op, 0)));
    snprintf(name, sizeof name, "%s_%s", stem, is_double ? "f64" : "f32");
    MlirValue operands[MOST_OPERANDS] = {ir_mapping_get(mapping, mlirOperationGetOperand(op, 0))};
    MlirBlock body = find_body(expansion->library, name);
    ir_mapping_set(mapping, mlirOperationGetResult(op, 0), expand_body(expansion, body, operands));
    return true;
}

/* The value that the function returns for the operands. */
static MlirValue expand_body(
    const struct expansion *expansion, MlirBlock body, const MlirValue operands[MOST_OPERANDS])
{
    struct ir_mapping *mapping = ir_mapping_create();
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
        ir_mapping_set(mapping, mlirBlockGetArgument(body, i), operands[i]);
    MlirOperation op = mlirBlockGetFirstOperation(body);
    for (; op_id_of(op) != OP_TT_RETURN; op = mlirOperationGetNextInBlock(op))
        if (!expand_reduced(expansion, op, mapping))
            copy_lifted(expansion, op, mapping);
    MlirValue result = ir_mapping_get(mapping, mlirOperationGetOperand(op, 0));
    ir_mapping_destroy(mapping);
    return result;
}

static MlirValue convert_before(
    MlirOperation place, const char *operation, MlirValue value, MlirType type)
{
    MlirOperationState state = mlirOperationStateGet(
        mlirStringRefCreateFromCString(operation), mlirOperationGetLocation(place));
    mlirOperationStateAddOperands(&state, 1, &value);
    mlirOperationStateAddResults(&state, 1, &type);
    MlirOperation convert = mlirOperationCreate(&state);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(place), place, convert);
    return mlirOperationGetResult(convert, 0);
}

/* ---- One operation --------------------------------------------------------------------------- */

static bool report_missing(MlirOperation op, MlirType element)
{
    arena *arena = arena_create();
    MlirStringRef name = name_of(op);
    const char *words = op_words(op);
    if (words)
        name = mlirStringRefCreateFromCString(words);
    const char *message = arena_format(arena, "%.*s on %s is not built yet", (int)name.length,
        name.data, op_words_of_type(arena, element));
    mlirEmitError(mlirOperationGetLocation(op), message);
    arena_destroy(arena);
    return false;
}

static bool is_narrow(MlirType element)
{
    return mlirTypeIsAF16(element) || mlirTypeIsABF16(element);
}

static bool expand(struct library *library, MlirOperation op)
{
    enum op_id id = op_id_of(op);
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0)), element = element_of(type);
    MlirType f32 = mlirF32TypeGet(library->context);
    bool narrow = is_narrow(element), is_double = mlirTypeIsAF64(element);
    if (!function_stems[id] || !(narrow || is_double || mlirTypeIsAF32(element)))
        return report_missing(op, element);

    MlirValue operands[MOST_OPERANDS] = {{NULL}};
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && i < MOST_OPERANDS; i++) {
        operands[i] = mlirOperationGetOperand(op, i);
        if (narrow)
            operands[i] = convert_before(op, "arith.extf", operands[i], lifted(f32, type));
    }
    bool by_instruction = library->has_instructions && may_be_instruction[id] && !is_double;
    char name[64];
    snprintf(name, sizeof name, "%s%s_%s", function_stems[id],
        by_instruction ? "_by_instruction" : "", is_double ? "f64" : "f32");
    struct expansion expansion = {library, by_instruction, op, type};
    MlirValue result = expand_body(&expansion, find_body(library, name), operands);
    if (narrow)
        result = convert_before(op, "arith.truncf", result, type);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), result);
    mlirOperationDestroy(op);
    return true;
}

/* ---- The module ------------------------------------------------------------------------------ */

struct found {
    arena *arena;
    MlirOperation *list;
    size_t count, capacity;
};

static MlirWalkResult collect(MlirOperation op, void *user)
{
    struct found *found = user;
    if (!is_math(op) || is_kept[op_id_of(op)])
        return MlirWalkResultAdvance;
    if (found->count == found->capacity) {
        found->capacity = found->capacity ? 2 * found->capacity : 16;
        MlirOperation *larger = arena_array(found->arena, MlirOperation, found->capacity);
        if (found->count)
            memcpy(larger, found->list, found->count * sizeof *larger);
        found->list = larger;
    }
    found->list[found->count++] = op;
    return MlirWalkResultAdvance;
}

static bool run(MlirOperation module, const struct pass_options *options)
{
    struct found found = {.arena = arena_create()};
    mlirOperationWalk(module, collect, &found, MlirWalkPreOrder);
    struct library library = {
        .context = mlirOperationGetContext(module),
        .has_instructions = options->has_math_instructions,
        .modules = arena_array(found.arena, MlirOperation, math_function_count),
    };
    bool is_right = true;
    for (size_t i = 0; i < found.count; i++)
        is_right &= expand(&library, found.list[i]);
    destroy_modules(&library);
    arena_destroy(found.arena);
    return is_right;
}

MlirPass pass_create_expand_math(const struct pass_options *options)
{
    static const _Alignas(8) char identity;
    return pass_create(&identity, "expand-math",
        "puts the math functions of teenyc in place of math operations", run, options);
}
