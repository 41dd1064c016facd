/*
 * The dialects tt and ttg for C, and what MLIR's own C API (mlir-c/) lacks. Plain C: the C++ behind
 * it stays in src/dialect/.
 *
 * Types, attributes, operations and values are MLIR's C handles; types and attributes live as long
 * as their context. Nothing here is safe to call from two threads on one context.
 */
#ifndef TEENY_DIALECT_DIALECT_H
#define TEENY_DIALECT_DIALECT_H

#include "dialect/op_table.h"

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Contexts -------------------------------------------------------------------------------- */

/*
 * A context without threads, with tt, ttg, arith, math, scf, cf and ub loaded.
 * The caller destroys it with mlirContextDestroy().
 */
MlirContext dialect_context_create(void);

/* ---- Operations by number -------------------------------------------------------------------- */

/* OP_TT_LOAD, OP_ARITH_ADDI, ...: for `switch`. OP_UNKNOWN is an operation outside the table. */
enum op_id {
    OP_UNKNOWN,
#define OP(suffix, name) OP_##suffix,
    TEENY_OP_TABLE(OP)
#undef OP
        OP_ID_COUNT
};

/* The number of an operation in a context of dialect_context_create(). Constant time. */
enum op_id op_id_of(MlirOperation op);

/* "tt.load" and so on; "unknown" for OP_UNKNOWN. A string literal. */
const char *op_id_name(enum op_id id);

/* ---- Values of tt's enumerations: i32 integer attributes ------------------------------------- */

enum tt_program_dim { /* `axis` of tt.get_program_id, tt.get_num_programs */
    TT_PROGRAM_DIM_X = 0,
    TT_PROGRAM_DIM_Y = 1,
    TT_PROGRAM_DIM_Z = 2,
};

enum tt_cache_modifier { /* `cache` of tt.load, tt.store */
    TT_CACHE_NONE = 1,
    TT_CACHE_CA = 2,
    TT_CACHE_CG = 3,
    TT_CACHE_WB = 4,
    TT_CACHE_CS = 5,
    TT_CACHE_WT = 6,
    TT_CACHE_CV = 7,
};

enum tt_eviction_policy { /* `evict` of tt.load, tt.store */
    TT_EVICT_NORMAL = 1,
    TT_EVICT_FIRST = 2,
    TT_EVICT_LAST = 3,
};

enum tt_rounding_mode { /* `rounding` of tt.fp_to_fp */
    TT_ROUNDING_TOWARD_ZERO = 0,
    TT_ROUNDING_NEAREST_EVEN = 1,
};

enum tt_input_precision { /* `inputPrecision` of tt.dot */
    TT_PRECISION_TF32 = 0,
    TT_PRECISION_TF32X3 = 1,
    TT_PRECISION_IEEE = 2,
};

/* ---- !tt.ptr --------------------------------------------------------------------------------- */

enum { TT_GLOBAL_ADDRESS_SPACE = 1 };

/* A pointer to a scalar. The pointee is no tensor, vector or memref; address_space >= 0. */
MlirType tt_pointer_type(MlirType pointee, int address_space);

bool tt_type_is_pointer(MlirType type);

/* Both want a type for which tt_type_is_pointer() holds. */
MlirType tt_pointer_pointee(MlirType pointer);
int tt_pointer_address_space(MlirType pointer);

/* ---- Layouts --------------------------------------------------------------------------------- */

/* #ttg.blocked: `rank` numbers in each array; `order` lists the fastest-varying dimension first. */
struct ttg_blocked {
    unsigned rank;
    const unsigned *size_per_thread;
    const unsigned *threads_per_warp;
    const unsigned *warps_per_cta;
    const unsigned *order;
};

/* Null, with a diagnostic, where the numbers make no layout. The arrays are copied. */
MlirAttribute ttg_blocked_attr(MlirContext context, const struct ttg_blocked *layout);

/* False for another attribute. The arrays in *out belong to the context. */
bool ttg_blocked_read(MlirAttribute attribute, struct ttg_blocked *out);

/* #ttg.slice: `parent` without its dimension `dim`. */
struct ttg_slice {
    unsigned dim;
    MlirAttribute parent;
};

/* Null, with a diagnostic, where parent is no layout of rank above dim and 1. */
MlirAttribute ttg_slice_attr(struct ttg_slice layout);

/* False for another attribute. */
bool ttg_slice_read(MlirAttribute attribute, struct ttg_slice *out);

/* #ttg.nvidia_mma, version 2: mma.sync m16n8. */
struct ttg_mma {
    unsigned warps_per_cta[2];
};

/* Null, with a diagnostic, where the numbers make no layout. */
MlirAttribute ttg_mma_attr(MlirContext context, struct ttg_mma layout);

/* False for another attribute. */
bool ttg_mma_read(MlirAttribute attribute, struct ttg_mma *out);

/* #ttg.dot_op: factor `index`, 0 or 1, of a product whose result lies as `parent` says. */
struct ttg_dot_operand {
    unsigned index;
    MlirAttribute parent;
};

/* Null, with a diagnostic, where the parent is neither blocked nor an mma. */
MlirAttribute ttg_dot_operand_attr(struct ttg_dot_operand layout);

/* False for another attribute. */
bool ttg_dot_operand_read(MlirAttribute attribute, struct ttg_dot_operand *out);

/* #ttg.swizzled_shared: where a tile's elements lie in shared memory. */
struct ttg_swizzled_shared {
    unsigned vec, per_phase, max_phase, rank;
    const unsigned *order; /* the fastest-varying dimension first */
};

/* Null, with a diagnostic, where the numbers make no layout. The array is copied. */
MlirAttribute ttg_swizzled_shared_attr(
    MlirContext context, const struct ttg_swizzled_shared *layout);

/* False for another attribute. The array in *out belongs to the context. */
bool ttg_swizzled_shared_read(MlirAttribute attribute, struct ttg_swizzled_shared *out);

/* !ttg.memdesc: a tile in shared memory, or several of them along a first dimension. */
struct ttg_memory {
    unsigned rank;
    const int64_t *shape;
    const int64_t *whole; /* the shape of what it is a part of */
    MlirType element;
    MlirAttribute encoding; /* #ttg.swizzled_shared */
    bool is_mutable;
};

/* Null, with a diagnostic, where it makes no sense. The arrays are copied. */
MlirType ttg_memory_type(const struct ttg_memory *memory);

/* False for another type. The arrays in *out belong to the context. */
bool ttg_memory_read(MlirType type, struct ttg_memory *out);

/* !ttg.async.token */
MlirType ttg_token_type(MlirContext context);
bool ttg_type_is_token(MlirType type);

/* How many dimensions a layout speaks about; 0 for an attribute that is no layout. */
unsigned ttg_layout_rank(MlirAttribute attribute);

/* ---- What an operation is and does ----------------------------------------------------------- */

enum ir_effect {
    IR_EFFECT_READ = 1,
    IR_EFFECT_WRITE = 2,
    IR_EFFECT_ALLOCATE = 4,
    IR_EFFECT_FREE = 8,
    IR_EFFECT_UNKNOWN = 16, /* the operation does not say: assume anything */
};

/* A set of ir_effect bits, those of nested operations included. */
unsigned ir_effects(MlirOperation op);

/* No effects, and safe to run where it did not run before: may be moved, merged, repeated. */
bool ir_is_pure(MlirOperation op);

/* Element i of each result needs only element i of each operand. */
bool ir_is_elementwise(MlirOperation op);

bool ir_is_terminator(MlirOperation op);

/* Unused, and free of effects that anybody could see. */
bool ir_is_dead(MlirOperation op);

/*
 * The operands of a branch that become the arguments of its successor `index`: *count operands from
 * *first on. False where op is no branch, has no such successor, or makes the arguments itself.
 */
bool ir_successor_operands(MlirOperation op, intptr_t index, intptr_t *first, intptr_t *count);

/* A unit attribute on arith.addf, subf and mulf: it rounds by itself, and is never fused. */
#define IR_NO_CONTRACT "tt.no_contract"

/* ---- Dominance ------------------------------------------------------------------------------- */

/* Built lazily; stale once blocks or branches change, then destroy it and make another. */
struct ir_dominance;

struct ir_dominance *ir_dominance_create(void);
void ir_dominance_destroy(struct ir_dominance *dominance);

/* Whether `value` is available at `op`, as an operand would have to be. */
bool ir_value_dominates(struct ir_dominance *dominance, MlirValue value, MlirOperation op);

/* Whether `first` always runs before `second`; an operation does not dominate itself. */
bool ir_operation_dominates(
    struct ir_dominance *dominance, MlirOperation first, MlirOperation second);

/* ---- Clones with a map ----------------------------------------------------------------------- */

/* What stands for what in a clone: values here, and blocks that a clone itself adds. */
struct ir_mapping;

struct ir_mapping *ir_mapping_create(void);
void ir_mapping_destroy(struct ir_mapping *mapping);

/* From now on `to` stands for `from`. */
void ir_mapping_set(struct ir_mapping *mapping, MlirValue from, MlirValue to);

/* What stands for `value`; `value` itself where nothing was set. */
MlirValue ir_mapping_get(const struct ir_mapping *mapping, MlirValue value);

/*
 * A detached clone of op and its regions, its operands taken through the map, which then also
 * leads from each value that op defines to its copy. The caller inserts or destroys it.
 */
MlirOperation ir_clone(MlirOperation op, struct ir_mapping *mapping);

/* Appends clones of the region's blocks to `to`, through the map likewise. */
void ir_clone_region(MlirRegion from, MlirRegion to, struct ir_mapping *mapping);

/* ---- Passes ---------------------------------------------------------------------------------- */

/*
 * scf-to-cf: structured control flow to blocks and branches. MLIR's own C function for it lies in
 * an object that needs every conversion there is.
 */
MlirPass ir_create_scf_to_cf_pass(void);

/*
 * Folds and rewrites alone. MLIR's C function for it also simplifies regions, which takes time that
 * grows with the square of how deep they nest, and finds nothing here: until scf-to-cf a region is
 * one block.
 */
MlirPass ir_create_canonicalize_pass(void);

/* The inliner alone: MLIR's C function for it canonicalizes as well, once an iteration. */
MlirPass ir_create_inline_pass(void);

/* Makes canonicalize, cse, inline, ... and convert-scf-to-cf known to mlirParsePassPipeline(). */
void ir_register_passes(void);

/* ---- Text ------------------------------------------------------------------------------------ */

enum ir_print_flag {
    IR_PRINT_LOCATIONS = 1, /* loc(...) after each operation, as Triton prints */
    IR_PRINT_NAMES = 2,     /* %name_0 where the location carries a name */
    IR_PRINT_GENERIC = 4,   /* MLIR's generic form */
};

/*
 * The module that `text` holds; operations outside of a module get one around them. Null, with
 * diagnostics at lines of `file_name`, where it cannot be read or does not verify. The caller
 * destroys it.
 */
MlirOperation ir_parse_module(MlirContext context, const char *text, const char *file_name);

/*
 * Prints op through `write`, piece by piece. Names that the text defines at its ends (#blocked,
 * #loc) are defined only where op is outermost.
 */
void ir_print(MlirOperation op, unsigned flags, MlirStringCallback write, void *user_data);

#ifdef __cplusplus
}
#endif

#endif
