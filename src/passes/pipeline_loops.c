/* pipeline-loops: begins loads that feed products some rounds before the round that needs them
 * (pipelined_loop.h), by asynchronous copies to shared memory, from sm_80 on.
 *
 * The number of stages is --num-stages, or what `tt.num_stages` on the loop says; below two nothing
 * is changed. A loop whose tiles do not fit into the target's shared memory, beside what else lives
 * during the loop, gets fewer. Loops with loops inside are left alone, and so is any load that
 * cannot run ahead (pipelined_loads.h).
 */
#include "analysis/axis_info.h"
#include "analysis/shared_memory.h"
#include "base/arena.h"
#include "dialect/dialect.h"
#include "passes/pass_support.h"
#include "passes/pipelined_loop.h"

#include "mlir-c/BuiltinAttributes.h"

enum { FIRST_WITH_COPIES = 80 };

/* ---- Stages ---------------------------------------------------------------------------------- */

static unsigned wanted_stages(MlirOperation loop, const struct pass_options *options)
{
    MlirAttribute own =
        mlirOperationGetAttributeByName(loop, mlirStringRefCreateFromCString("tt.num_stages"));
    if (mlirAttributeIsNull(own) || !mlirAttributeIsAInteger(own))
        return options->num_stages;
    int64_t stages = mlirIntegerAttrGetValueInt(own);
    return stages < 0 ? 0 : stages > UINT32_MAX ? UINT32_MAX : (unsigned)stages;
}

static bool is_replaced(const struct pipelined_loads *loads, MlirOperation owner)
{
    for (const struct pipelined_load *load = loads->first; load; load = load->next)
        if (mlirOperationEqual(load->staging, owner))
            return true;
    return false;
}

/* Of shared memory during the loop, but for the tiles of the loads themselves. What an operation
 * has for itself may lie where another's did. */
static unsigned bytes_beside(
    const struct shared_memory *shared, MlirOperation loop, const struct pipelined_loads *loads)
{
    unsigned tiles = 0, scratch = 0;
    struct lifetime during = shared_memory_points_of(shared, loop);
    for (const struct shared_buffer *buffer = shared_memory_first(shared); buffer;
        buffer = buffer->next) {
        if (buffer->lifetime.last < during.first || buffer->lifetime.first > during.last ||
            is_replaced(loads, buffer->owner))
            continue;
        if (op_id_of(buffer->owner) == OP_TTG_LOCAL_ALLOC)
            tiles += buffer->bytes;
        else if (buffer->bytes > scratch)
            scratch = buffer->bytes;
    }
    return tiles + scratch;
}

static unsigned choose_stages(const struct shared_memory *shared, MlirOperation loop,
    const struct pipelined_loads *loads, const struct pass_options *options)
{
    unsigned stages = wanted_stages(loop, options);
    unsigned used = bytes_beside(shared, loop, loads);
    unsigned room = options->shared_bytes > used ? options->shared_bytes - used : 0;
    unsigned most = room / loads->bytes;
    return stages < most ? stages : most;
}

/* ---- Loops ----------------------------------------------------------------------------------- */

struct loops {
    arena *arena;
    struct loop {
        struct loop *next;
        MlirOperation op;
    } *first;
};

static MlirWalkResult look_for_loop(MlirOperation op, void *user)
{
    unsigned *count = user;
    enum op_id id = op_id_of(op);
    *count += id == OP_SCF_FOR || id == OP_SCF_WHILE;
    return MlirWalkResultAdvance;
}

static bool is_innermost(MlirOperation loop)
{
    unsigned count = 0;
    mlirOperationWalk(loop, look_for_loop, &count, MlirWalkPreOrder);
    return count == 1;
}

static MlirWalkResult collect(MlirOperation op, void *user)
{
    struct loops *loops = user;
    MlirStringRef is_unsigned = mlirStringRefCreateFromCString("unsignedCmp");
    if (op_id_of(op) != OP_SCF_FOR || !is_innermost(op) ||
        !mlirAttributeIsNull(mlirOperationGetAttributeByName(op, is_unsigned)))
        return MlirWalkResultAdvance;
    struct loop *loop = arena_new(loops->arena, struct loop);
    *loop = (struct loop){loops->first, op};
    loops->first = loop;
    return MlirWalkResultAdvance;
}

static void pipeline_function(
    arena *arena, MlirOperation function, const struct pass_options *options)
{
    struct loops loops = {arena, NULL};
    mlirOperationWalk(function, collect, &loops, MlirWalkPreOrder);
    const struct axis_info *axes = NULL;
    const struct shared_memory *shared = NULL;
    for (const struct loop *loop = loops.first; loop; loop = loop->next) {
        if (wanted_stages(loop->op, options) < 2)
            continue;
        if (!axes)
            axes = axis_info_create(arena, function);
        struct pipelined_loads loads = pipelined_loads_of(arena, axes, loop->op);
        if (loads.first && !shared)
            shared = shared_memory_create(arena, function);
        unsigned stages = loads.first ? choose_stages(shared, loop->op, &loads, options) : 0;
        if (stages < 2)
            continue;
        pipelined_loop_build(arena, loop->op, &loads, stages);
        axes = NULL; /* both are of the function as it was */
        shared = NULL;
    }
}

static bool run(MlirOperation module, const struct pass_options *options)
{
    if (options->compute_capability < FIRST_WITH_COPIES)
        return true;
    arena *arena = arena_create();
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
        op = mlirOperationGetNextInBlock(op))
        if (op_id_of(op) == OP_TT_FUNC)
            pipeline_function(arena, op, options);
    arena_destroy(arena);
    return true;
}

MlirPass pass_create_pipeline_loops(const struct pass_options *options)
{
    static const _Alignas(8) char identity;
    return pass_create(&identity, "pipeline-loops",
        "begins loads that feed products some rounds ahead", run, options);
}
