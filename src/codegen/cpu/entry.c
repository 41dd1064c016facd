/* The function that libteeny calls: it runs a range of programs, each a call of an internal
 * function that LLVM inlines. What does not change between programs is read once, in front of the
 * loop:
 *
 *     entry(call, first, last):
 *         read the arguments and the grid; x, y, z of `first`
 *         for (id = first; id < last; id++) { program(arguments, x, y, z, grid, scratch); step x,
 * y, z }
 */
#include "codegen/cpu/cpu.h"

#include "base/cpu_image.h"
#include "codegen/cpu/image.h"

#include <llvm-c/DebugInfo.h>

#include <stddef.h>
#include <stdio.h>

/* The program function's parameters: the kernel's, then these. */
enum { PROGRAM_ID = 0, NUM_PROGRAMS = 3, SCRATCH = 6, EXTRA_PARAMETERS = 7 };

static const char *symbol_of(struct cpu_kernel *kernel, MlirOperation function)
{
    MlirStringRef name = ir_function_name(function);
    return arena_copy(kernel->lowering.emitter.arena, name.data, name.length);
}

/* ---- One program ----------------------------------------------------------------------------- */

static LLVMTypeRef program_type(struct cpu_kernel *kernel, const struct parameters *parameters)
{
    const struct emitter *emitter = &kernel->lowering.emitter;
    unsigned count = parameters->count;
    LLVMTypeRef *types = arena_array(emitter->arena, LLVMTypeRef, count + EXTRA_PARAMETERS);
    for (unsigned i = 0; i < count; i++)
        types[i] = emit_type(emitter, parameters->list[i].type);
    for (unsigned i = 0; i < SCRATCH; i++)
        types[count + i] = emit_integer_type(emitter, 32);
    types[count + SCRATCH] = LLVMPointerTypeInContext(emitter->context, 0);
    return LLVMFunctionType(
        LLVMVoidTypeInContext(emitter->context), types, count + EXTRA_PARAMETERS, false);
}

/* No call may leave the image: LLVM must not make one of memcpy from a loop. */
static void set_attributes(struct cpu_kernel *kernel, LLVMValueRef function)
{
    const struct emitter *emitter = &kernel->lowering.emitter;
    if (emitter->debug)
        emit_function_attribute(emitter, function, "frame-pointer", "all");
    emit_enum_attribute(emitter, function, LLVMAttributeFunctionIndex, "nounwind");
    emit_function_attribute(emitter, function, "no-builtins", "");
}

void cpu_make_program_function(
    struct cpu_kernel *kernel, MlirOperation function, const struct parameters *parameters)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    const char *name = arena_format(emitter->arena, "%s.program", symbol_of(kernel, function));
    emitter->function = LLVMAddFunction(emitter->module, name, program_type(kernel, parameters));
    LLVMSetLinkage(emitter->function, LLVMInternalLinkage);
    set_attributes(kernel, emitter->function);
    debug_info_set_function(emitter->debug, emitter->function);
    emit_enum_attribute(emitter, emitter->function, LLVMAttributeFunctionIndex,
        emitter->debug ? "noinline" : "alwaysinline");
    emit_enum_attribute(emitter, emitter->function, parameters->count + SCRATCH + 1, "noalias");
}

void cpu_read_program_parameters(
    struct cpu_kernel *kernel, MlirBlock entry, const struct parameters *parameters)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMValueRef function = emitter->function;
    unsigned count = parameters->count;
    emit_debug_make_stops(emitter);
    for (unsigned i = 0; i < count; i++) {
        MlirValue argument = mlirBlockGetArgument(entry, i);
        lowering_set_scalar(&kernel->lowering, argument, LLVMGetParam(function, i));
        emit_debug_parameter(emitter, argument, i + 1, LLVMGetParam(function, i));
    }
    for (unsigned i = 0; i < 3; i++) {
        kernel->program_id[i] = LLVMGetParam(function, count + PROGRAM_ID + i);
        kernel->num_programs[i] = LLVMGetParam(function, count + NUM_PROGRAMS + i);
    }
    kernel->scratch = LLVMGetParam(function, count + SCRATCH);
}

/* ---- All programs ---------------------------------------------------------------------------- */

static LLVMValueRef load_at(
    struct emitter *emitter, LLVMTypeRef type, LLVMValueRef pointer, uint64_t offset)
{
    LLVMValueRef index = emit_i64(emitter, offset);
    LLVMTypeRef byte = emit_integer_type(emitter, 8);
    LLVMValueRef place = LLVMBuildGEP2(emitter->builder, byte, pointer, &index, 1, "");
    return LLVMBuildLoad2(emitter->builder, type, place, "");
}

/* The program's arguments that do not change, read from the call. */
static LLVMValueRef *read_call(
    struct cpu_kernel *kernel, LLVMValueRef call, const struct parameters *parameters)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(emitter->context, 0);
    unsigned count = parameters->count;
    LLVMValueRef *values = arena_array(emitter->arena, LLVMValueRef, count + EXTRA_PARAMETERS);
    LLVMValueRef arguments = load_at(emitter, pointer, call, offsetof(cpu_call, arguments));
    for (unsigned i = 0; i < count; i++) {
        MlirType type = parameters->list[i].type;
        LLVMValueRef raw = load_at(
            emitter, emit_memory_type(emitter, type), arguments, parameters->list[i].offset);
        values[i] = emit_from_memory(emitter, type, raw);
    }
    for (unsigned i = 0; i < 3; i++)
        values[count + NUM_PROGRAMS + i] = load_at(emitter, emit_integer_type(emitter, 32), call,
            offsetof(cpu_call, num_programs) + i * sizeof(uint32_t));
    values[count + SCRATCH] = load_at(emitter, pointer, call, offsetof(cpu_call, scratch));
    return values;
}

/* x, y, z of the first program: the digits of its number. */
static void first_place(struct emitter *emitter, LLVMValueRef first,
    const LLVMValueRef *num_programs, LLVMValueRef *out_place)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef i32 = emit_integer_type(emitter, 32), i64 = emit_integer_type(emitter, 64);
    LLVMValueRef rest = first;
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef size = LLVMBuildZExt(builder, num_programs[i], i64, "");
        LLVMValueRef digit = i < 2 ? LLVMBuildURem(builder, rest, size, "") : rest;
        out_place[i] = LLVMBuildTrunc(builder, digit, i32, "");
        rest = i < 2 ? LLVMBuildUDiv(builder, rest, size, "") : rest;
    }
}

/* One more, with a carry where a dimension is full. */
static void next_place(struct emitter *emitter, const LLVMValueRef *place,
    const LLVMValueRef *num_programs, LLVMValueRef *out_next)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef i32 = emit_integer_type(emitter, 32);
    LLVMValueRef carry = LLVMConstInt(emit_integer_type(emitter, 1), 1, false);
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef step = LLVMBuildZExt(builder, carry, i32, "");
        LLVMValueRef sum = LLVMBuildAdd(builder, place[i], step, "");
        carry = LLVMBuildICmp(builder, LLVMIntEQ, sum, num_programs[i], "");
        out_next[i] = LLVMBuildSelect(builder, carry, LLVMConstNull(i32), sum, "");
    }
}

/* for (id = first; id < last; id++) program(...) */
static void emit_program_loop(struct cpu_kernel *kernel, LLVMValueRef program, LLVMValueRef *values,
    unsigned count, LLVMValueRef first, LLVMValueRef last)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef i32 = emit_integer_type(emitter, 32), i64 = emit_integer_type(emitter, 64);
    const LLVMValueRef *num_programs = &values[count + NUM_PROGRAMS];
    LLVMBasicBlockRef guard = emit_current_block(emitter);
    LLVMBasicBlockRef before = emit_new_block(emitter, "");
    LLVMBasicBlockRef loop = emit_new_block(emitter, "programs");
    LLVMBasicBlockRef after = emit_new_block(emitter, "");
    LLVMValueRef any = LLVMBuildICmp(builder, LLVMIntULT, first, last, "");
    LLVMBuildCondBr(builder, any, before, after);

    LLVMValueRef start[3], place[3], next[3];
    emit_at_end_of(emitter, before);
    first_place(emitter, first, num_programs, start);
    LLVMBuildBr(builder, loop);

    emit_at_end_of(emitter, loop);
    LLVMValueRef id = LLVMBuildPhi(builder, i64, "");
    for (unsigned i = 0; i < 3; i++)
        values[count + PROGRAM_ID + i] = place[i] = LLVMBuildPhi(builder, i32, "");
    LLVMBuildCall2(
        builder, LLVMGlobalGetValueType(program), program, values, count + EXTRA_PARAMETERS, "");
    next_place(emitter, place, num_programs, next);
    LLVMValueRef next_id = LLVMBuildNUWAdd(builder, id, emit_i64(emitter, 1), "");
    LLVMAddIncoming(id, (LLVMValueRef[]){first, next_id}, (LLVMBasicBlockRef[]){before, loop}, 2);
    for (unsigned i = 0; i < 3; i++)
        LLVMAddIncoming(
            place[i], (LLVMValueRef[]){start[i], next[i]}, (LLVMBasicBlockRef[]){before, loop}, 2);
    LLVMValueRef is_done = LLVMBuildICmp(builder, LLVMIntEQ, next_id, last, "");
    LLVMBuildCondBr(builder, is_done, after, loop);

    emit_at_end_of(emitter, after);
    LLVMBuildRetVoid(builder);
    LLVMMoveBasicBlockAfter(before, guard);
}

/* For a debugger the kernel is the function of one program: no other is to have its name. */
static const char *entry_name(struct cpu_kernel *kernel, MlirOperation function)
{
    const struct emitter *emitter = &kernel->lowering.emitter;
    const char *name = symbol_of(kernel, function);
    return emitter->debug ? arena_format(emitter->arena, "%s_grid", name) : name;
}

void cpu_make_entry(
    struct cpu_kernel *kernel, MlirOperation function, const struct parameters *parameters)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMSetCurrentDebugLocation2(emitter->builder, NULL); /* no code of the user's */
    LLVMValueRef program = emitter->function;
    LLVMTypeRef i64 = emit_integer_type(emitter, 64);
    LLVMTypeRef types[] = {LLVMPointerTypeInContext(emitter->context, 0), i64, i64};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(emitter->context), types, 3, false);
    LLVMValueRef entry = LLVMAddFunction(emitter->module, entry_name(kernel, function), type);
    emitter->function = entry;
    set_attributes(kernel, entry);
    emit_function_attribute(emitter, entry, IMAGE_SCRATCH_ATTRIBUTE,
        arena_format(emitter->arena, "%llu", (unsigned long long)kernel->scratch_bytes));
    emit_at_end_of(emitter, emit_new_block(emitter, "entry"));
    LLVMValueRef *values = read_call(kernel, LLVMGetParam(entry, 0), parameters);
    emit_program_loop(
        kernel, program, values, parameters->count, LLVMGetParam(entry, 1), LLVMGetParam(entry, 2));
}
