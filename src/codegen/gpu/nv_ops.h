/* The one table of NVIDIA operations: how each is written in PTX, and which host function stands
 * for it in emu, where the same code runs without a GPU.
 *
 * NV_OP(ID, signature, ptx, constraints, emu)
 *   signature    the result, then the operands: v nothing, b i1, h i16, i i32, l i64, p a pointer
 * to global memory, f f32 ptx          an LLVM intrinsic ("llvm...."), or an assembly template,
 * where $0 is the result, $1 the first operand, ... (stores have no result: $0 is the first
 * operand), and %m stands for the modifiers of a memory access constraints  of the template, as
 * LLVM writes them; NULL for an intrinsic emu          a C function of the same signature
 *
 * The four sizes of an access stand in this order: an access of 2^k bytes is the first of them + k.
 * A predicated load leaves its last operand in the result where the predicate is false. 8-bit
 * accesses use 16-bit registers: PTX has none that are smaller.
 */
#ifndef TEENY_CODEGEN_GPU_NV_OPS_H
#define TEENY_CODEGEN_GPU_NV_OPS_H

#include "codegen/emit.h"

#define NV_OPS(NV_OP)                                                                              \
    NV_OP(THREAD_ID, "i", "llvm.nvvm.read.ptx.sreg.tid.x", NULL, "emu_thread_id")                  \
    NV_OP(PROGRAM_ID_X, "i", "llvm.nvvm.read.ptx.sreg.ctaid.x", NULL, "emu_program_id_x")          \
    NV_OP(PROGRAM_ID_Y, "i", "llvm.nvvm.read.ptx.sreg.ctaid.y", NULL, "emu_program_id_y")          \
    NV_OP(PROGRAM_ID_Z, "i", "llvm.nvvm.read.ptx.sreg.ctaid.z", NULL, "emu_program_id_z")          \
    NV_OP(NUM_PROGRAMS_X, "i", "llvm.nvvm.read.ptx.sreg.nctaid.x", NULL, "emu_num_programs_x")     \
    NV_OP(NUM_PROGRAMS_Y, "i", "llvm.nvvm.read.ptx.sreg.nctaid.y", NULL, "emu_num_programs_y")     \
    NV_OP(NUM_PROGRAMS_Z, "i", "llvm.nvvm.read.ptx.sreg.nctaid.z", NULL, "emu_num_programs_z")     \
    NV_OP(BARRIER, "v", "llvm.nvvm.barrier.cta.sync.aligned.all", NULL, "emu_barrier")             \
    NV_OP(DIVIDE_FAST, "fff", "llvm.nvvm.div.full", NULL, "emu_divide_fast")                       \
    NV_OP(LOAD_8, "hp", "ld%m.b8 $0, [$1];", "=h,l", "emu_load_8")                                 \
    NV_OP(LOAD_16, "hp", "ld%m.b16 $0, [$1];", "=h,l", "emu_load_16")                              \
    NV_OP(LOAD_32, "ip", "ld%m.b32 $0, [$1];", "=r,l", "emu_load_32")                              \
    NV_OP(LOAD_64, "lp", "ld%m.b64 $0, [$1];", "=l,l", "emu_load_64")                              \
    NV_OP(LOAD_IF_8, "hpbh", "@$2 ld%m.b8 $0, [$1];", "=h,l,b,0", "emu_load_if_8")                 \
    NV_OP(LOAD_IF_16, "hpbh", "@$2 ld%m.b16 $0, [$1];", "=h,l,b,0", "emu_load_if_16")              \
    NV_OP(LOAD_IF_32, "ipbi", "@$2 ld%m.b32 $0, [$1];", "=r,l,b,0", "emu_load_if_32")              \
    NV_OP(LOAD_IF_64, "lpbl", "@$2 ld%m.b64 $0, [$1];", "=l,l,b,0", "emu_load_if_64")              \
    NV_OP(STORE_8, "vph", "st%m.b8 [$0], $1;", "l,h", "emu_store_8")                               \
    NV_OP(STORE_16, "vph", "st%m.b16 [$0], $1;", "l,h", "emu_store_16")                            \
    NV_OP(STORE_32, "vpi", "st%m.b32 [$0], $1;", "l,r", "emu_store_32")                            \
    NV_OP(STORE_64, "vpl", "st%m.b64 [$0], $1;", "l,l", "emu_store_64")                            \
    NV_OP(STORE_IF_8, "vphb", "@$2 st%m.b8 [$0], $1;", "l,h,b", "emu_store_if_8")                  \
    NV_OP(STORE_IF_16, "vphb", "@$2 st%m.b16 [$0], $1;", "l,h,b", "emu_store_if_16")               \
    NV_OP(STORE_IF_32, "vpib", "@$2 st%m.b32 [$0], $1;", "l,r,b", "emu_store_if_32")               \
    NV_OP(STORE_IF_64, "vplb", "@$2 st%m.b64 [$0], $1;", "l,l,b", "emu_store_if_64")

enum nv_op {
#define NV_OP(id, signature, ptx, constraints, emu) NV_##id,
    NV_OPS(NV_OP)
#undef NV_OP
        NV_OP_COUNT
};

enum nv_column { NV_PTX, NV_EMU };

/* Emits the operation, in the column of the module's target. `modifiers` replaces %m: NULL for
 * operations without. The result is NULL for those that give none. */
LLVMValueRef nv_emit(struct emitter *emitter, enum nv_column column, enum nv_op op,
    const char *modifiers, LLVMValueRef *operands);

#endif
