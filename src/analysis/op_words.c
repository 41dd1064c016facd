/* See op_words.h. */
#include "analysis/op_words.h"

#include "dialect/dialect.h"

#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static const char *const words[OP_ID_COUNT] = {
    [OP_TT_ADDPTR] = "an address",
    [OP_TT_BITCAST] = "tl_bitcast",
    [OP_TT_BROADCAST] = "tl_broadcast_to",
    [OP_TT_DOT] = "tl_dot",
    [OP_TT_EXPAND_DIMS] = "tl_expand_dims",
    [OP_TT_FP_TO_FP] = "tl_cast",
    [OP_TT_GET_NUM_PROGRAMS] = "tl_num_programs",
    [OP_TT_GET_PROGRAM_ID] = "tl_program_id",
    [OP_TT_LOAD] = "tl_load",
    [OP_TT_MAKE_RANGE] = "tl_arange",
    [OP_TT_PRECISE_DIVF] = "'/'",
    [OP_TT_PRECISE_SQRT] = "tl_sqrt",
    [OP_TT_REDUCE] = "a reduction",
    [OP_TT_RESHAPE] = "tl_reshape",
    [OP_TT_SPLAT] = "a scalar beside a tile",
    [OP_TT_STORE] = "tl_store",
    [OP_TT_TRANS] = "tl_trans",
    [OP_TTG_ASYNC_COPY] = "tl_load",
    [OP_ARITH_ADDF] = "'+'",
    [OP_ARITH_ADDI] = "'+'",
    [OP_ARITH_ANDI] = "'&'",
    [OP_ARITH_BITCAST] = "tl_bitcast",
    [OP_ARITH_CMPF] = "a comparison",
    [OP_ARITH_CMPI] = "a comparison",
    [OP_ARITH_CONSTANT] = "a constant",
    [OP_ARITH_DIVF] = "tl_fdiv",
    [OP_ARITH_DIVSI] = "'/'",
    [OP_ARITH_DIVUI] = "'/'",
    [OP_ARITH_EXTF] = "tl_cast",
    [OP_ARITH_EXTSI] = "tl_cast",
    [OP_ARITH_EXTUI] = "tl_cast",
    [OP_ARITH_FPTOSI] = "tl_cast",
    [OP_ARITH_FPTOUI] = "tl_cast",
    [OP_ARITH_MAXNUMF] = "tl_maximum",
    [OP_ARITH_MAXSI] = "tl_maximum",
    [OP_ARITH_MAXUI] = "tl_maximum",
    [OP_ARITH_MINNUMF] = "tl_minimum",
    [OP_ARITH_MINSI] = "tl_minimum",
    [OP_ARITH_MINUI] = "tl_minimum",
    [OP_ARITH_MULF] = "'*'",
    [OP_ARITH_MULI] = "'*'",
    [OP_ARITH_NEGF] = "'-'",
    [OP_ARITH_ORI] = "'|'",
    [OP_ARITH_REMSI] = "'%'",
    [OP_ARITH_REMUI] = "'%'",
    [OP_ARITH_SELECT] = "tl_where",
    [OP_ARITH_SHLI] = "'<<'",
    [OP_ARITH_SHRSI] = "'>>'",
    [OP_ARITH_SHRUI] = "'>>'",
    [OP_ARITH_SITOFP] = "tl_cast",
    [OP_ARITH_SUBF] = "'-'",
    [OP_ARITH_SUBI] = "'-'",
    [OP_ARITH_TRUNCF] = "tl_cast",
    [OP_ARITH_TRUNCI] = "tl_cast",
    [OP_ARITH_UITOFP] = "tl_cast",
    [OP_ARITH_XORI] = "'^'",
    [OP_MATH_ABSF] = "tl_abs",
    [OP_MATH_ABSI] = "tl_abs",
    [OP_MATH_CEIL] = "tl_ceil",
    [OP_MATH_COS] = "tl_cos",
    [OP_MATH_ERF] = "tl_erf",
    [OP_MATH_EXP] = "tl_exp",
    [OP_MATH_EXP2] = "tl_exp2",
    [OP_MATH_FLOOR] = "tl_floor",
    [OP_MATH_FMA] = "tl_fma",
    [OP_MATH_LOG] = "tl_log",
    [OP_MATH_LOG2] = "tl_log2",
    [OP_MATH_POWF] = "tl_pow",
    [OP_MATH_ROUND] = "tl_round",
    [OP_MATH_RSQRT] = "tl_rsqrt",
    [OP_MATH_SIN] = "tl_sin",
    [OP_MATH_SQRT] = "tl_sqrt",
    [OP_MATH_TANH] = "tl_tanh",
    [OP_MATH_TRUNC] = "tl_trunc",
    [OP_SCF_CONDITION] = "a loop",
    [OP_SCF_FOR] = "a loop",
    [OP_SCF_IF] = "an if",
    [OP_SCF_WHILE] = "a loop",
    [OP_SCF_YIELD] = "the end of a loop or branch",
    [OP_CF_BR] = "the end of a loop or branch",
    [OP_CF_COND_BR] = "a loop or branch",
};

const char *op_words(MlirOperation op)
{
    return words[op_id_of(op)];
}

/* ---- Types ----------------------------------------------------------------------------------- */

typedef struct text {
    arena *arena;
    const char *data;
} text;

static void append(MlirStringRef piece, void *opaque)
{
    text *text = opaque;
    text->data = arena_format(text->arena, "%s%.*s", text->data, (int)piece.length, piece.data);
}

static const char *element_words(arena *arena, MlirType type)
{
    static const char *const renamed[][2] = {
        {"i1", "bool"}, {"f8E4M3FN", "f8e4m3"}, {"f8E5M2", "f8e5m2"}};
    if (tt_type_is_pointer(type))
        return "address";
    text text = {arena, ""};
    mlirTypePrint(type, append, &text);
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (strcmp(text.data, renamed[i][0]) == 0)
            return renamed[i][1];
    return text.data;
}

const char *op_words_of_type(arena *arena, MlirType type)
{
    if (!mlirTypeIsARankedTensor(type))
        return element_words(arena, type);
    const char *dimensions = "";
    for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); i++)
        dimensions = arena_format(arena, "%s%s%lld", dimensions, i ? "," : "",
            (long long)mlirShapedTypeGetDimSize(type, i));
    const char *element = element_words(arena, mlirShapedTypeGetElementType(type));
    return arena_format(arena, "%s[%s]", element, dimensions);
}
