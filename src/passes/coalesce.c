/* coalesce: gives loads and stores layouts in which the threads of a warp touch neighbouring
 * memory, each with as wide an access as is proved right.
 *
 *     %x = tt.load %p : #a   ->   %q = ttg.convert_layout %p : #a -> #b
 *                                 %y = tt.load %q : #b
 *                                 %x = ttg.convert_layout %y : #b -> #a
 *
 * #b runs along the dimension in which addresses count up fastest. A thread holds as many
 * neighbours as its access can take: up to 16 bytes, no more than the pointers' contiguity and
 * divisibility (analysis/axis_info.h) prove, and no more than leave every thread something to do.
 * Accesses of one shape and order that are connected by what is computed between them agree on that
 * number, so that nothing moves between threads: the largest that any of them can take, if it makes
 * no access of the others wider than 16 bytes.
 *
 * remove-layout-conversions then takes the conversions away again. A kernel without tiles of
 * pointers is left as it is.
 */
#include "analysis/axis_info.h"
#include "analysis/layout_encoding.h"
#include "analysis/pointer_map.h"
#include "dialect/dialect.h"
#include "passes/layout_choice.h"
#include "passes/pass_support.h"

#include "mlir-c/BuiltinTypes.h"

enum { WIDEST_ACCESS = 4 }; /* log2 of bytes */

struct access {
    struct access *next;
    MlirOperation op;
    struct layout_shape shape;
    unsigned order[LAYOUT_MAX_RANK];
    unsigned most;      /* log2 of the elements of the widest access that the element allows */
    unsigned proved;    /* log2 of those that may be accessed at once */
    const void *family; /* the same for all accesses that are connected */
};

struct coalescing {
    arena *arena;
    unsigned num_warps;
    struct axis_info *info;
    struct pointer_map
        parents; /* MlirValue -> another of its family, up to the one that stands for all */
    struct access *first, **end;
};

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* ---- Families: tiles of one shape that are computed from each other -------------------------- */

static const void *family_of(struct coalescing *coalescing, const void *value)
{
    for (const void *parent; (parent = pointer_map_get(&coalescing->parents, value));)
        value = parent;
    return value;
}

static void unite(struct coalescing *coalescing, MlirValue a, MlirValue b)
{
    const void *of_a = family_of(coalescing, a.ptr), *of_b = family_of(coalescing, b.ptr);
    if (of_a != of_b)
        pointer_map_set(&coalescing->parents, of_a, (void *)of_b);
}

static bool have_one_shape(MlirValue a, MlirValue b)
{
    struct layout_shape of_a, of_b;
    return layout_shape_of_type(mlirValueGetType(a), &of_a) &&
           layout_shape_of_type(mlirValueGetType(b), &of_b) && layout_shape_equal(&of_a, &of_b);
}

enum { MOST_NEIGHBOURS = 256 };

struct neighbours {
    MlirValue values[MOST_NEIGHBOURS];
    unsigned count;
};

static void add_neighbour(struct neighbours *neighbours, MlirValue value)
{
    if (neighbours->count < MOST_NEIGHBOURS && mlirTypeIsARankedTensor(mlirValueGetType(value)))
        neighbours->values[neighbours->count++] = value;
}

/* Operands, results, and what its regions begin and end with. */
static void collect_neighbours(MlirOperation op, struct neighbours *neighbours)
{
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        add_neighbour(neighbours, mlirOperationGetOperand(op, i));
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
        add_neighbour(neighbours, mlirOperationGetResult(op, i));
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
        MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
        if (mlirBlockIsNull(block))
            continue;
        for (intptr_t j = 0; j < mlirBlockGetNumArguments(block); j++)
            add_neighbour(neighbours, mlirBlockGetArgument(block, j));
        MlirOperation end = mlirBlockGetTerminator(block);
        for (intptr_t j = 0; !mlirOperationIsNull(end) && j < mlirOperationGetNumOperands(end); j++)
            add_neighbour(neighbours, mlirOperationGetOperand(end, j));
    }
}

static MlirWalkResult unite_neighbours(MlirOperation op, void *user)
{
    struct neighbours neighbours = {.count = 0};
    collect_neighbours(op, &neighbours);
    for (unsigned i = 1; i < neighbours.count; i++)
        for (unsigned j = 0; j < i; j++)
            if (have_one_shape(neighbours.values[i], neighbours.values[j])) {
                unite(user, neighbours.values[i], neighbours.values[j]);
                break;
            }
    return MlirWalkResultAdvance;
}

/* ---- What each access can do ----------------------------------------------------------------- */

/* Dimensions by how far addresses count up along them, the last ones first where they are alike. */
static void choose_order(const struct axis_facts *facts, unsigned *order)
{
    unsigned rank = facts->shape.rank;
    for (unsigned i = 0; i < rank; i++) {
        unsigned dimension = rank - 1 - i, place = i;
        for (; place > 0 && facts->likely[order[place - 1]] < facts->likely[dimension]; place--)
            order[place] = order[place - 1];
        order[place] = dimension;
    }
}

static void add_access(struct coalescing *coalescing, MlirOperation op)
{
    MlirValue pointer = mlirOperationGetOperand(op, 0);
    struct axis_facts facts = axis_info_get(coalescing->info, pointer);
    struct access *access = arena_new(coalescing->arena, struct access);
    access->op = op;
    access->shape = facts.shape;
    choose_order(&facts, access->order);
    access->most = facts.unit < WIDEST_ACCESS ? WIDEST_ACCESS - facts.unit : 0;
    access->proved = smaller(axis_aligned_elements(&facts, access->order[0]), access->most);
    *coalescing->end = access;
    coalescing->end = &access->next;
}

static MlirWalkResult collect_access(MlirOperation op, void *user)
{
    bool is_access = op_id_of(op) == OP_TT_LOAD || op_id_of(op) == OP_TT_STORE;
    if (is_access && mlirTypeIsARankedTensor(mlirValueGetType(mlirOperationGetOperand(op, 0))))
        add_access(user, op);
    return MlirWalkResultAdvance;
}

/* ---- What they agree on ---------------------------------------------------------------------- */

static bool agree(const struct access *a, const struct access *b)
{
    if (a->family != b->family || !layout_shape_equal(&a->shape, &b->shape))
        return false;
    for (unsigned i = 0; i < a->shape.rank; i++)
        if (a->order[i] != b->order[i])
            return false;
    return true;
}

/* log2 of the neighbours that a thread holds. */
static unsigned choose_size(const struct coalescing *coalescing, const struct access *access)
{
    unsigned wanted = 0, most = access->most;
    for (const struct access *other = coalescing->first; other; other = other->next) {
        if (!agree(access, other))
            continue;
        wanted = other->proved > wanted ? other->proved : wanted;
        most = smaller(most, other->most);
    }
    unsigned threads = (unsigned)__builtin_ctz(coalescing->num_warps * 32);
    unsigned elements = layout_shape_total_bits(&access->shape);
    return smaller(smaller(wanted, most), elements > threads ? elements - threads : 0);
}

static void lay_out(const struct coalescing *coalescing, const struct access *access)
{
    MlirOperation op = access->op;
    MlirAttribute layout = layout_blocked_along(mlirOperationGetContext(op), &access->shape,
        access->order, 1U << choose_size(coalescing, access), coalescing->num_warps);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        pass_convert_operand(op, i, layout);
    if (mlirOperationGetNumResults(op) > 0)
        pass_convert_result(op, 0, layout);
}

static void coalesce(struct coalescing *coalescing, MlirOperation function)
{
    coalescing->info = axis_info_create(coalescing->arena, function);
    coalescing->first = NULL;
    coalescing->end = &coalescing->first;
    mlirOperationWalk(function, unite_neighbours, coalescing, MlirWalkPreOrder);
    mlirOperationWalk(function, collect_access, coalescing, MlirWalkPreOrder);
    for (struct access *access = coalescing->first; access; access = access->next)
        access->family = family_of(coalescing, mlirOperationGetOperand(access->op, 0).ptr);
    for (const struct access *access = coalescing->first; access; access = access->next)
        lay_out(coalescing, access);
}

static bool run(MlirOperation module, const struct pass_options *options)
{
    struct coalescing coalescing = {.arena = arena_create(), .num_warps = options->num_warps};
    pointer_map_init(&coalescing.parents, coalescing.arena);
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
        op = mlirOperationGetNextInBlock(op))
        if (op_id_of(op) == OP_TT_FUNC)
            coalesce(&coalescing, op);
    arena_destroy(coalescing.arena);
    return true;
}

MlirPass pass_create_coalesce(const struct pass_options *options)
{
    static const _Alignas(8) char identity;
    return pass_create(&identity, "coalesce",
        "gives accesses layouts in which threads touch neighbouring memory", run, options);
}
