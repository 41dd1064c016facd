/* See nest.h. Every dimension is a constant of at least 1, so loops test at the end. */
#include "codegen/cpu/nest.h"

#include "codegen/loop_metadata.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>

#include <string.h>

/* ---- Metadata -------------------------------------------------------------------------------- */

/* An access group is a distinct node without operands. The C API cannot make one; LLVM's parser
 * can, and the node lives as long as the context. */
LLVMValueRef cpu_access_group_create(LLVMContextRef context)
{
    static const char text[] = "!group = !{!0}\n!0 = distinct !{}\n";
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange(text, strlen(text), "access group", true);
    LLVMModuleRef module = NULL;
    char *message = NULL;
    LLVMValueRef group = NULL;
    if (!LLVMParseIRInContext2(context, buffer, &module, &message)) {
        LLVMGetNamedMetadataOperands(module, "group", &group);
        LLVMDisposeModule(module);
    }
    LLVMDisposeMessage(message);
    LLVMDisposeMemoryBuffer(buffer);
    return group;
}

/* Dimensions of size 1 have no loop; a nest without any loop says 0. */
static unsigned innermost(const struct cpu_nest *nest)
{
    unsigned last = 0;
    for (unsigned i = 0; i < nest->shape.rank; i++)
        if (nest->shape.bits[i] > 0)
            last = i;
    return last;
}

static LLVMMetadataRef not_vectorised(const struct emitter *emitter)
{
    return loop_property(emitter->context, "llvm.loop.vectorize.enable", emit_bool(emitter, false));
}

void cpu_loop_keep(const struct cpu_kernel *kernel, LLVMValueRef branch)
{
    const struct emitter *emitter = &kernel->lowering.emitter;
    LLVMMetadataRef properties[] = {
        loop_property(emitter->context, "llvm.loop.unroll.disable", NULL),
        not_vectorised(emitter),
    };
    loop_set_properties(emitter->context, branch, properties, 2);
}

/* Only the innermost loop is one whose turns are independent for LLVM, and that the
 * vectoriser may interleave; more unrolling makes long loops, and loops around loops, larger and no
 * faster. */
static void mark_loop(const struct cpu_kernel *kernel, const struct cpu_nest *nest,
    unsigned dimension, LLVMValueRef branch)
{
    enum { LONG_BITS = 7 };
    const struct emitter *emitter = &kernel->lowering.emitter;
    LLVMContextRef context = emitter->context;
    LLVMMetadataRef properties[3];
    unsigned count = 0;
    bool is_innermost = dimension == innermost(nest);
    if (is_innermost)
        properties[count++] =
            loop_property(context, "llvm.loop.parallel_accesses", kernel->access_group);
    if (!is_innermost || nest->shape.bits[dimension] >= LONG_BITS)
        properties[count++] = loop_property(context, "llvm.loop.unroll.disable", NULL);
    if (is_innermost && kernel->in_rare_code)
        properties[count++] =
            loop_property(context, "llvm.loop.interleave.count", emit_i32(emitter, 1));
    loop_set_properties(emitter->context, branch, properties, count);
}

void cpu_nest_mark_access(
    const struct cpu_kernel *kernel, const struct cpu_nest *nest, LLVMValueRef access)
{
    LLVMContextRef context = kernel->lowering.emitter.context;
    if (nest->shape.rank > 0)
        LLVMSetMetadata(access, metadata_kind(context, "llvm.access.group"), kernel->access_group);
}

/* ---- Loops ----------------------------------------------------------------------------------- */

static void begin_loop(struct cpu_kernel *kernel, struct cpu_nest *nest, unsigned dimension)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMTypeRef i64 = emit_integer_type(emitter, 64);
    nest->index[dimension] = emit_i64(emitter, 0);
    if (nest->shape.bits[dimension] == 0)
        return;
    LLVMBasicBlockRef before = emit_current_block(emitter);
    LLVMBasicBlockRef head = emit_new_block(emitter, "loop");
    LLVMBuildBr(emitter->builder, head);
    emit_at_end_of(emitter, head);
    LLVMValueRef index = LLVMBuildPhi(emitter->builder, i64, "");
    LLVMValueRef zero = emit_i64(emitter, 0);
    LLVMAddIncoming(index, &zero, &before, 1);
    nest->head[dimension] = head;
    nest->index[dimension] = index;
}

static void end_loop(struct cpu_kernel *kernel, struct cpu_nest *nest, unsigned dimension)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef index = nest->index[dimension];
    if (nest->shape.bits[dimension] == 0)
        return;
    LLVMBasicBlockRef last = emit_current_block(emitter);
    LLVMBasicBlockRef after = emit_new_block(emitter, "");
    LLVMValueRef next = LLVMBuildNUWAdd(builder, index, emit_i64(emitter, 1), "");
    LLVMAddIncoming(index, &next, &last, 1);
    LLVMValueRef size = emit_i64(emitter, UINT64_C(1) << nest->shape.bits[dimension]);
    LLVMValueRef is_done = LLVMBuildICmp(builder, LLVMIntEQ, next, size, "");
    LLVMValueRef branch = LLVMBuildCondBr(builder, is_done, after, nest->head[dimension]);
    if (nest->is_ordered) {
        LLVMMetadataRef property = not_vectorised(emitter);
        loop_set_properties(emitter->context, branch, &property, 1);
    } else {
        mark_loop(kernel, nest, dimension, branch);
    }
    emit_at_end_of(emitter, after);
}

void cpu_nest_begin(
    struct cpu_kernel *kernel, const struct layout_shape *shape, struct cpu_nest *out_nest)
{
    *out_nest = (struct cpu_nest){.shape = *shape};
    for (unsigned i = 0; i < shape->rank; i++)
        begin_loop(kernel, out_nest, i);
}

void cpu_nest_end(struct cpu_kernel *kernel, struct cpu_nest *nest)
{
    for (unsigned i = nest->shape.rank; i-- > 0;)
        end_loop(kernel, nest, i);
}
