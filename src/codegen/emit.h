/* Emitting LLVM IR: what the GPU path and the CPU path share.
 *
 * An emitter belongs to one LLVM module. Its helpers build instructions at the builder's place;
 * they do not fail. What differs between devices beyond the data layout stands in `device`.
 */
#ifndef TEENY_CODEGEN_EMIT_H
#define TEENY_CODEGEN_EMIT_H

#include "base/arena.h"
#include "codegen/ir_read.h"

#include <llvm-c/Core.h>

#include <stdbool.h>

struct emitter;
struct debug_info;
struct debug_variable;

/* Instructions on f32 that come near the exact result: the quotient within 2 ulp, for arith.divf;
 * 2^x and 1 / sqrt(x), for the functions of src/math/ that are by instruction. */
enum approximation { APPROXIMATE_QUOTIENT, APPROXIMATE_EXP2, APPROXIMATE_RSQRT };

struct device {
    unsigned global_space, shared_space; /* LLVM's address spaces of these memories */
    /* Whether f16 and bf16 are computed and converted as they are, or through f32. */
    bool has_half, has_bfloat;
    /* What is made of simpler operations (scalar_soft.h), since LLVM would call a library. */
    bool soft_half, soft_rounding, soft_fma;
    /* NULL: it has none of these instructions. */
    LLVMValueRef (*approximate)(
        struct emitter *emitter, enum approximation operation, LLVMValueRef *operands);
};

struct emitter {
    arena *arena;
    const struct device *device;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMValueRef function;    /* the one being built */
    bool contract;            /* products and sums may fuse */
    MlirLocation location;    /* of the operation that is being lowered */
    struct debug_info *debug; /* NULL: none */
    LLVMValueRef stop;        /* see emit_debug_stop(); NULL: none */
    LLVMValueRef emu_words;   /* gpu/nv_ops.c: where calls of the emu device pass operands */
};

/* Every instruction from here on is of this place: called where an operation's lowering begins.
 * Gives the place before, to go back to where the lowering ends. An operation of no place in the
 * user's text, such as a constant that was folded, is shown at the place before: a debugger would
 * stop on the way out of a line and back. */
MlirLocation emit_at_location(struct emitter *emitter, MlirLocation location);

/* Where a debugger is to see variables: gives the parameter of the kernel, or the variable that an
 * operation's result is the value of, a place in memory that keeps `value`. */
void emit_debug_parameter(
    struct emitter *emitter, MlirValue argument, unsigned number, LLVMValueRef value);

/* An instruction for a debugger to stop at, at this place in front of a loop, where there is debug
 * information for one. make_stops goes before, at the start of the function. */
void emit_debug_make_stops(struct emitter *emitter);
void emit_debug_stop(struct emitter *emitter);

/* ---- Types ----------------------------------------------------------------------------------- */

LLVMTypeRef emit_integer_type(const struct emitter *emitter, unsigned width);
LLVMTypeRef emit_float_type(const struct emitter *emitter);

/* A scalar in a register: an integer, index, float, pointer, or a token, which nobody reads. NULL
 * for types that have none yet.
 * bf16 is an i16 on devices that do not compute with it: where LLVM has no instruction for bfloat
 * it calls a library to move one, and x86's take subnormal numbers for 0. */
LLVMTypeRef emit_type(const struct emitter *emitter, MlirType element);

/* f8: it can be loaded, stored, passed and chosen, and is an i8 in a register. Nothing computes
 * with it yet. */
bool emit_is_opaque(MlirType element);

/* The same in memory, where i1 takes a byte; and its size. */
LLVMTypeRef emit_memory_type(const struct emitter *emitter, MlirType element);
unsigned emit_memory_size(MlirType element);

/* Between the two: what a load gives, and what a store writes. */
LLVMValueRef emit_from_memory(struct emitter *emitter, MlirType element, LLVMValueRef loaded);
LLVMValueRef emit_to_memory(struct emitter *emitter, MlirType element, LLVMValueRef value);

/* ---- Instructions ---------------------------------------------------------------------------- */

LLVMValueRef emit_i32(const struct emitter *emitter, uint32_t value);
LLVMValueRef emit_i64(const struct emitter *emitter, uint64_t value);
LLVMValueRef emit_bool(const struct emitter *emitter, bool value);

/* The constant i1 false. */
bool emit_is_false(LLVMValueRef value);

/* A call of an LLVM intrinsic; `overload` is the type it is overloaded by, or NULL. */
LLVMValueRef emit_intrinsic(struct emitter *emitter, const char *name, LLVMTypeRef overload,
    LLVMValueRef *arguments, unsigned count);
/* For those with two overloaded types: the result's and the operand's. */
LLVMValueRef emit_intrinsic2(struct emitter *emitter, const char *name, LLVMTypeRef *overloads,
    LLVMValueRef *arguments, unsigned count);

/* pointer + offset * size bytes. The offset is an integer, taken as signed. */
LLVMValueRef emit_address(
    struct emitter *emitter, LLVMValueRef pointer, LLVMValueRef offset, unsigned size);

LLVMBasicBlockRef emit_new_block(struct emitter *emitter, const char *name);
LLVMBasicBlockRef emit_current_block(const struct emitter *emitter);
void emit_at_end_of(struct emitter *emitter, LLVMBasicBlockRef block);

/* ---- Constants ------------------------------------------------------------------------------- */

/* A number that the float type `type` of emit_type holds exactly. */
LLVMValueRef emit_float_constant(LLVMTypeRef type, double number);

/* A scalar attribute (integer, float) as a constant of that type. */
LLVMValueRef emit_scalar_attribute(
    const struct emitter *emitter, MlirAttribute attribute, MlirType type);

/* Element `index`, in row-major order, of a dense attribute. */
LLVMValueRef emit_dense_element(
    const struct emitter *emitter, MlirAttribute attribute, MlirType element, uint64_t index);

/* Where the user wrote the operation that is being lowered, "FILE:LINE:COLUMN" or "", as a pointer
 * to a constant string. */
LLVMValueRef emit_place(struct emitter *emitter);

/* ---- Attributes ------------------------------------------------------------------------------ */

void emit_function_attribute(
    const struct emitter *emitter, LLVMValueRef function, const char *name, const char *value);
/* One without a value that LLVM knows by number, such as "nounwind". */
void emit_enum_attribute(
    const struct emitter *emitter, LLVMValueRef function, unsigned index, const char *name);
/* The same of one call. */
void emit_call_attribute(const struct emitter *emitter, LLVMValueRef call, const char *name);

#endif
