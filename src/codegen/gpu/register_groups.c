/* See register_groups.h. */
#include "codegen/gpu/register_groups.h"

#include "codegen/gpu/spill.h"
#include "codegen/loop_metadata.h"
#include "codegen/scalar_ops.h"

/* ---- The loop -------------------------------------------------------------------------------- */

struct loop {
    LLVMBasicBlockRef body;
    LLVMValueRef next;
};

static struct loop begin_loop(struct gpu_kernel *kernel)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMBasicBlockRef before = emit_current_block(emitter);
    struct loop loop = {.body = emit_new_block(emitter, "")};
    LLVMValueRef zero = emit_i32(emitter, 0);
    LLVMBuildBr(emitter->builder, loop.body);
    emit_at_end_of(emitter, loop.body);
    kernel->group = LLVMBuildPhi(emitter->builder, LLVMTypeOf(zero), "group");
    LLVMAddIncoming(kernel->group, &zero, &before, 1);
    loop.next = LLVMBuildNUWAdd(emitter->builder, kernel->group, emit_i32(emitter, 1), "");
    return loop;
}

static void end_loop(struct gpu_kernel *kernel, struct loop loop, unsigned registers)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMBasicBlockRef end = emit_current_block(emitter), after = emit_new_block(emitter, "");
    LLVMValueRef groups = emit_i32(emitter, registers >> GPU_GROUP_BITS);
    LLVMAddIncoming(kernel->group, &loop.next, &end, 1);
    LLVMValueRef more = LLVMBuildICmp(emitter->builder, LLVMIntNE, loop.next, groups, "");
    LLVMMetadataRef kept = loop_property(emitter->context, "llvm.loop.unroll.disable", NULL);
    loop_set_properties(
        emitter->context, LLVMBuildCondBr(emitter->builder, more, loop.body, after), &kept, 1);
    emit_at_end_of(emitter, after);
    kernel->group = NULL;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

struct run {
    arena *arena;
    MlirOperation *list; /* operations on tiles, in order */
    size_t count, capacity;
    struct pointer_map members; /* MlirOperation -> itself */
    MlirOperation end;          /* the first operation behind the run */
    unsigned registers;         /* elements of each tile that a thread holds */
    size_t work;                /* operations that cost something */
    bool has_load, has_store;
};

/* The tile that says how many elements an operation is for. */
static MlirType tile_type(MlirOperation op)
{
    bool is_store = op_id_of(op) == OP_TT_STORE;
    if (!is_store && mlirOperationGetNumResults(op) == 0)
        return (MlirType){NULL};
    return mlirValueGetType(
        is_store ? mlirOperationGetOperand(op, 0) : mlirOperationGetResult(op, 0));
}

static unsigned registers_of(MlirOperation op)
{
    MlirType type = tile_type(op);
    return mlirTypeIsNull(type) ? 0 : spill_register_count(type);
}

static bool is_source(MlirOperation op)
{
    return mlirOperationGetNumResults(op) > 0 && spill_is_source(mlirOperationGetResult(op, 0));
}

/* A load must not see what a later store writes, and stores must stay in order: in a loop over
 * groups a run has several loads, or one store. */
static bool access_fits(const struct run *run, MlirOperation op)
{
    if (ir_memory_access(op).is_volatile || run->has_store)
        return false;
    return op_id_of(op) == OP_TT_LOAD || !run->has_load;
}

static bool fits(const struct run *run, MlirOperation op)
{
    enum op_id id = op_id_of(op);
    if (registers_of(op) != run->registers)
        return false;
    if (id == OP_TT_LOAD || id == OP_TT_STORE)
        return access_fits(run, op);
    if (is_source(op) || id == OP_TT_ADDPTR)
        return true;
    /* A division may have no value to speak of, but the loop makes it no more often. */
    return scalar_op_known(id) && ir_is_elementwise(op) && ir_effects(op) == 0;
}

/* Scalars are computed before the loop: none of them can depend on the run. */
static bool is_scalar_work(MlirOperation op)
{
    bool is_scalar = ir_effects(op) == 0 && mlirOperationGetNumRegions(op) == 0 &&
                     mlirOperationGetNumResults(op) > 0 && registers_of(op) == 0;
    for (intptr_t i = 0; is_scalar && i < mlirOperationGetNumOperands(op); i++)
        is_scalar = !ir_is_tile(mlirValueGetType(mlirOperationGetOperand(op, i)));
    return is_scalar;
}

static void append(struct run *run, MlirOperation op)
{
    if (run->count == run->capacity) {
        size_t capacity = run->capacity ? 2 * run->capacity : 16;
        MlirOperation *larger = arena_array(run->arena, MlirOperation, capacity);
        for (size_t i = 0; i < run->count; i++)
            larger[i] = run->list[i];
        run->list = larger;
        run->capacity = capacity;
    }
    run->list[run->count++] = op;
    pointer_map_set(&run->members, op.ptr, op.ptr);
    run->work += !is_source(op);
    run->has_load |= op_id_of(op) == OP_TT_LOAD;
    run->has_store |= op_id_of(op) == OP_TT_STORE;
}

static void collect(const struct gpu_kernel *kernel, MlirOperation first, struct run *run)
{
    *run = (struct run){.arena = kernel->lowering.emitter.arena, .registers = registers_of(first)};
    pointer_map_init(&run->members, run->arena);
    for (run->end = first; !mlirOperationIsNull(run->end);
        run->end = mlirOperationGetNextInBlock(run->end)) {
        bool is_first = mlirOperationEqual(run->end, first);
        if (!is_first && memory_order_needs_barrier(kernel->order, run->end))
            return;
        if (!is_first && is_scalar_work(run->end))
            continue;
        if (!fits(run, run->end))
            return;
        append(run, run->end);
    }
}

/* Local memory costs less than instructions by the ten thousand. */
static bool is_worth_a_loop(const struct run *run)
{
    enum { FEWEST_REGISTERS = 2 << GPU_GROUP_BITS, MOST_INSTRUCTIONS = 8192 };
    if (run->count == 0)
        return false;
    return spill_is_wanted(tile_type(run->list[0])) ||
           (run->registers >= FEWEST_REGISTERS && run->work * run->registers > MOST_INSTRUCTIONS);
}

/* ---- What goes into a run and comes out of it ------------------------------------------------ */

/* A tile on its way into the loop or out of it, and what stood for it before. */
struct passed {
    struct passed *next;
    MlirValue value;
    LLVMValueRef array; /* NULL: a source, made in the loop */
    struct lowered *before;
};

static bool is_member(const struct run *run, MlirValue value)
{
    return mlirValueIsAOpResult(value) &&
           pointer_map_get(&run->members, mlirOpResultGetOwner(value).ptr);
}

static bool is_used_behind(const struct run *run, MlirValue value)
{
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
        use = mlirOpOperandGetNextUse(use))
        if (!pointer_map_get(&run->members, mlirOpOperandGetOwner(use).ptr))
            return true;
    return false;
}

static bool is_listed(const struct passed *list, MlirValue value)
{
    while (list && !mlirValueEqual(list->value, value))
        list = list->next;
    return list != NULL;
}

static struct passed *add_passed(struct gpu_kernel *kernel, struct passed *list, MlirValue value)
{
    struct passed *passed = arena_new(kernel->lowering.emitter.arena, struct passed);
    *passed = (struct passed){.next = list,
        .value = value,
        .array = spill_of(kernel, value),
        .before = lowering_get(&kernel->lowering, value)};
    return passed;
}

/* One that lies in registers goes to memory, for the loop to reach it. */
static bool find_input(
    struct gpu_kernel *kernel, MlirOperation op, MlirValue value, struct passed **list)
{
    MlirType type = mlirValueGetType(value);
    if (!ir_is_tile(type) || is_listed(*list, value))
        return true;
    struct passed *input = *list = add_passed(kernel, *list, value);
    if (input->array || spill_is_source(value))
        return true;
    input->array = spill_make(kernel, op, type);
    if (input->array)
        spill_store(kernel, input->array, type, input->before);
    return input->array != NULL;
}

static bool find_inputs(struct gpu_kernel *kernel, const struct run *run, struct passed **list)
{
    for (size_t i = 0; i < run->count; i++)
        for (intptr_t o = 0; o < mlirOperationGetNumOperands(run->list[i]); o++) {
            MlirValue operand = mlirOperationGetOperand(run->list[i], o);
            if (!is_member(run, operand) && !find_input(kernel, run->list[i], operand, list))
                return false;
        }
    return true;
}

static bool find_outputs(struct gpu_kernel *kernel, const struct run *run, struct passed **list)
{
    for (size_t i = 0; i < run->count; i++)
        for (intptr_t r = 0; r < mlirOperationGetNumResults(run->list[i]); r++) {
            MlirValue result = mlirOperationGetResult(run->list[i], r);
            if (is_source(run->list[i]) || !is_used_behind(run, result))
                continue;
            *list = add_passed(kernel, *list, result);
            (*list)->array = spill_make(kernel, run->list[i], mlirValueGetType(result));
            if (!(*list)->array)
                return false;
        }
    return true;
}

/* ---- Lowering -------------------------------------------------------------------------------- */

static bool lower_scalars(struct gpu_kernel *kernel, const struct run *run)
{
    for (MlirOperation op = run->list[0]; !mlirOperationEqual(op, run->end);
        op = mlirOperationGetNextInBlock(op))
        if (!pointer_map_get(&run->members, op.ptr) && !gpu_lower_operation(kernel, op))
            return false;
    return true;
}

static bool bring_group(struct gpu_kernel *kernel, MlirValue value, LLVMValueRef array)
{
    if (!array)
        return gpu_lower_operation(kernel, mlirOpResultGetOwner(value));
    lowering_set(&kernel->lowering, value,
        spill_load(kernel, array, mlirValueGetType(value), 1U << GPU_GROUP_BITS));
    return true;
}

static void put_group(struct gpu_kernel *kernel, MlirValue value, LLVMValueRef array)
{
    spill_store(kernel, array, mlirValueGetType(value), lowering_get(&kernel->lowering, value));
}

static bool lower_loop(struct gpu_kernel *kernel, const struct run *run,
    const struct passed *inputs, const struct passed *outputs)
{
    struct loop loop = begin_loop(kernel);
    for (const struct passed *each = inputs; each; each = each->next)
        if (!bring_group(kernel, each->value, each->array))
            return false;
    for (size_t i = 0; i < run->count; i++)
        if (!gpu_lower_operation(kernel, run->list[i]))
            return false;
    for (const struct passed *each = outputs; each; each = each->next)
        put_group(kernel, each->value, each->array);
    end_loop(kernel, loop, run->registers);
    for (const struct passed *each = inputs; each; each = each->next)
        lowering_set(&kernel->lowering, each->value, each->before);
    return true;
}

/* Outputs of few elements go back to registers. */
static void keep_output(struct gpu_kernel *kernel, const struct passed *output)
{
    MlirType type = mlirValueGetType(output->value);
    if (spill_is_wanted(type))
        pointer_map_set(&kernel->spilled, output->value.ptr, output->array);
    else
        lowering_set(&kernel->lowering, output->value,
            spill_load(kernel, output->array, type, spill_register_count(type)));
}

/* Sources of few elements are in registers for what comes behind the run. */
static bool keep_source(struct gpu_kernel *kernel, MlirOperation op)
{
    return !is_source(op) || spill_is_wanted(tile_type(op)) || gpu_lower_operation(kernel, op);
}

static bool lower_run(struct gpu_kernel *kernel, const struct run *run)
{
    struct passed *inputs = NULL, *outputs = NULL;
    if (!lower_scalars(kernel, run))
        return false;
    if (run->work == 0)
        return true;
    if (!find_inputs(kernel, run, &inputs) || !find_outputs(kernel, run, &outputs) ||
        !lower_loop(kernel, run, inputs, outputs))
        return false;
    for (const struct passed *each = outputs; each; each = each->next)
        keep_output(kernel, each);
    for (size_t i = 0; i < run->count; i++)
        if (!keep_source(kernel, run->list[i]))
            return false;
    return true;
}

bool register_groups_lower_run(struct gpu_kernel *kernel, MlirOperation op, MlirOperation *out_next)
{
    struct run run;
    *out_next = op;
    if (mlirOperationEqual(op, kernel->no_run_before))
        kernel->no_run_before = (MlirOperation){NULL};
    if (!mlirOperationIsNull(kernel->no_run_before) || registers_of(op) == 0)
        return true;
    collect(kernel, op, &run);
    if (!is_worth_a_loop(&run)) {
        /* What is left of the run is worth even less. */
        if (run.count > 0)
            kernel->no_run_before = run.end;
        return true;
    }
    *out_next = run.end;
    return lower_run(kernel, &run);
}

bool register_groups_copy(
    struct gpu_kernel *kernel, MlirValue tile, LLVMValueRef from, LLVMValueRef to)
{
    MlirType type = mlirValueGetType(tile);
    struct lowered *before = lowering_get(&kernel->lowering, tile);
    struct loop loop = begin_loop(kernel);
    if (!bring_group(kernel, tile, from))
        return false;
    put_group(kernel, tile, to);
    end_loop(kernel, loop, spill_register_count(type));
    lowering_set(&kernel->lowering, tile, before);
    return true;
}
