/* What lowering a function keeps track of, on the GPU and on the CPU: which LLVM values stand for
 * which value, and which LLVM block for which block. A block argument becomes phis. */
#ifndef TEENY_CODEGEN_LOWERING_H
#define TEENY_CODEGEN_LOWERING_H

#include "analysis/pointer_map.h"
#include "codegen/emit.h"

/* The LLVM values of one value: one for a scalar; for a tile whatever the device keeps. */
struct lowered {
    unsigned count;
    LLVMValueRef elements[];
};

struct lowering {
    struct emitter emitter;
    /* What else a way into a block does, before the phis get their values. NULL: nothing. False
     * after an error. */
    bool (*edge)(struct lowering *lowering, MlirOperation branch, intptr_t successor);
    struct pointer_map values; /* MlirValue -> struct lowered */
    struct pointer_map blocks; /* MlirBlock -> LLVMBasicBlockRef */
};

void lowering_init(struct lowering *lowering);

/* Space for `count` values, in the arena. */
struct lowered *lowering_allocate(struct lowering *lowering, unsigned count);

void lowering_set(struct lowering *lowering, MlirValue value, struct lowered *lowered);
void lowering_set_scalar(struct lowering *lowering, MlirValue value, LLVMValueRef scalar);

/* NULL where nothing stands for the value. */
struct lowered *lowering_get(const struct lowering *lowering, MlirValue value);
LLVMValueRef lowering_get_scalar(const struct lowering *lowering, MlirValue value);

/* How many LLVM values a block argument of this type is; 0: `edge` passes it on by other means. */
typedef unsigned lowering_count_function(struct lowering *lowering, MlirType type);

/* Makes the LLVM blocks, and the phis of all but the first, whose arguments are the function's.
 * False after an error: a type that has no registers. */
bool lowering_make_blocks(struct lowering *lowering, MlirBlock *blocks, size_t count,
    lowering_count_function *element_count);

/* Whether lowering_branch() knows the terminator: cf.br, cf.cond_br, cf.switch, ub.unreachable. */
bool lowering_is_branch(enum op_id id);

/* Emits it, and what it hands to the phis of its successors. */
bool lowering_branch(struct lowering *lowering, MlirOperation op);

#endif
