/* The axis analysis against brute force: random programs are run on all elements for many values of
 * their arguments, and every fact that the analysis claims is compared with what came out.
 *
 *   axis_info_fuzz PROGRAMS [SEED]    the default seed is the time; it is printed
 *
 * Each program is analysed twice: with structured control flow, and with blocks. Ends with
 * `N passed, N failed`, one test a hundred programs, and the share of facts that say something: an
 * analysis that claims nothing would pass as well.
 */
#include "tile_program.h"

#include "analysis/axis_info.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 24, MOST_ARGUMENTS = 20, MOST_WATCHES = 1024, PROGRAMS_A_TEST = 100 };

struct statistics {
    uint64_t facts, claims;
};

/* The facts about both operands of each watched store. */
struct watched {
    bool is_known;
    struct axis_facts pointer, stored;
};

static struct watched watches[2][MOST_WATCHES];

/* ---- Claims ---------------------------------------------------------------------------------- */

/* Where elements that differ in one coordinate lie in row-major order. */
struct axis {
    unsigned stride, size;
};

static struct axis axis_of(const struct axis_facts *facts, unsigned dimension)
{
    return (struct axis){
        1U << layout_shape_shift(&facts->shape, dimension), 1U << facts->shape.bits[dimension]};
}

static uint64_t cut(uint64_t value, unsigned width)
{
    return value << (64 - width) >> (64 - width);
}

/* NULL, or which claim is wrong for the run that begins at `first`. */
static const char *check_run(const struct axis_facts *facts, const struct tile_value *tile,
    unsigned dimension, unsigned first, unsigned position)
{
    struct axis axis = axis_of(facts, dimension);
    unsigned contiguity = 1U << facts->contiguity[dimension];
    unsigned constancy = 1U << facts->constancy[dimension];
    unsigned width = facts->width;
    uint64_t begin = (uint64_t)tile->elements[first];
    if (tile->unspecified[first])
        return NULL;
    for (unsigned i = 1; i < axis.size - position; i++) {
        unsigned at = first + i * axis.stride;
        uint64_t element = (uint64_t)tile->elements[at];
        if (tile->unspecified[at])
            continue;
        if (position % contiguity == 0 && i < contiguity &&
            cut(element, width) != cut(begin + ((uint64_t)i << facts->unit), width))
            return "contiguity";
        if (position % constancy == 0 && i < constancy && element != begin)
            return "constancy";
    }
    uint64_t divisor_bits = facts->divisibility[dimension] < 64
                                ? (UINT64_C(1) << facts->divisibility[dimension]) - 1
                                : UINT64_MAX;
    if (position % contiguity == 0 && (begin & divisor_bits) != 0)
        return "divisibility";
    return NULL;
}

static const char *check_tile(const struct axis_facts *facts, const struct tile_value *tile)
{
    for (unsigned i = 0; i < tile->count; i++) {
        if (!facts->is_pointer && !tile->unspecified[i] &&
            !range_contains(facts->range, tile->elements[i]))
            return "range";
        for (unsigned d = 0; d < facts->shape.rank; d++) {
            struct axis axis = axis_of(facts, d);
            const char *wrong = check_run(facts, tile, d, i, i / axis.stride % axis.size);
            if (wrong)
                return wrong;
        }
    }
    return NULL;
}

static void print_facts(const struct axis_facts *facts, const struct tile_value *tile)
{
    for (unsigned d = 0; d < facts->shape.rank; d++)
        printf("  dimension %u: contiguity 2^%u, divisibility 2^%u, constancy 2^%u\n", d,
            facts->contiguity[d], facts->divisibility[d], facts->constancy[d]);
    printf("  range %" PRId64 " to %" PRId64 "\n  elements", facts->range.least, facts->range.most);
    for (unsigned i = 0; i < tile->count; i++)
        printf(tile->unspecified[i] ? " ?" : " %" PRId64, tile->elements[i]);
    printf("\n");
}

/* ---- Programs -------------------------------------------------------------------------------- */

struct collection {
    const struct axis_info *info;
    struct watched *watches;
    struct statistics *statistics;
};

static void count_claims(struct statistics *statistics, const struct axis_facts *facts)
{
    for (unsigned d = 0; d < facts->shape.rank; d++) {
        statistics->facts += 3;
        statistics->claims += (uint64_t)(facts->contiguity[d] > 0) +
                              (uint64_t)(facts->divisibility[d] > 0) +
                              (uint64_t)(facts->constancy[d] > 0);
    }
}

static MlirWalkResult collect(MlirOperation op, void *user)
{
    const struct collection *collection = user;
    if (op_id_of(op) != OP_TT_STORE)
        return MlirWalkResultAdvance;
    MlirAttribute number =
        mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("watch"));
    struct watched *watched = &collection->watches[mlirIntegerAttrGetValueInt(number)];
    watched->is_known = true;
    watched->pointer = axis_info_get(collection->info, mlirOperationGetOperand(op, 0));
    watched->stored = axis_info_get(collection->info, mlirOperationGetOperand(op, 1));
    count_claims(collection->statistics, &watched->stored);
    return MlirWalkResultAdvance;
}

static MlirOperation function_of(MlirOperation module)
{
    return mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0)));
}

static void analyse(
    arena *arena, MlirOperation module, struct watched *into, struct statistics *statistics)
{
    MlirOperation function = function_of(module);
    struct collection collection = {axis_info_create(arena, function), into, statistics};
    memset(into, 0, sizeof watches[0]);
    mlirOperationWalk(function, collect, &collection, MlirWalkPreOrder);
}

static bool turn_into_blocks(MlirContext context, MlirOperation module)
{
    MlirPassManager manager = mlirPassManagerCreate(context);
    mlirPassManagerAddOwnedPass(manager, ir_create_scf_to_cf_pass());
    bool done = mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, module));
    mlirPassManagerDestroy(manager);
    return done;
}

static int64_t divisor_of_argument(MlirOperation function, intptr_t index)
{
    MlirAttribute all =
        mlirOperationGetAttributeByName(function, mlirStringRefCreateFromCString("arg_attrs"));
    MlirAttribute told = mlirDictionaryAttrGetElementByName(
        mlirArrayAttrGetElement(all, index), mlirStringRefCreateFromCString("tt.divisibility"));
    return mlirAttributeIsNull(told) ? 1 : mlirIntegerAttrGetValueInt(told);
}

/* A multiple of the divisor: small, at an end of the type, or any. */
static int64_t random_argument(struct random_source *random, MlirType type, int64_t divisor)
{
    static const int64_t small[] = {0, 1, -1, 2, 3, 5, -2, 7, 8, 31, -32, 64};
    bool is_integer = mlirTypeIsAInteger(type);
    unsigned width = is_integer ? mlirIntegerTypeGetWidth(type) : 64;
    int64_t least = (int64_t)(UINT64_C(1) << 63) >> (64 - width), number;
    switch (random_below(random, 4)) {
    case 0:
        number = least + small[random_below(random, 12)];
        break;
    case 1:
        number = ~least - small[random_below(random, 12)];
        break;
    case 2:
        number = (int64_t)((uint64_t)random_next(random) << (64 - width)) >> (64 - width);
        break;
    default:
        number = small[random_below(random, 12)];
        if (number * divisor >= least && number * divisor <= ~least)
            return number * divisor;
    }
    return number / divisor * divisor;
}

static const char *check_observation(const struct tile_observation *seen,
    const struct axis_facts **out_facts, const struct tile_value **out_tile)
{
    for (int form = 0; form < 2; form++) {
        const struct watched *watched = &watches[form][seen->watch];
        const struct axis_facts *facts[] = {&watched->pointer, &watched->stored};
        const struct tile_value *tiles[] = {&seen->pointer, &seen->stored};
        for (int i = 0; watched->is_known && i < 2; i++) {
            *out_facts = facts[i];
            *out_tile = tiles[i];
            const char *wrong = check_tile(facts[i], tiles[i]);
            if (wrong)
                return wrong;
        }
    }
    return NULL;
}

static bool check_runs(
    struct random_source *random, arena *arena, MlirOperation function, const char *text)
{
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
    for (int run = 0; run < RUNS; run++) {
        int64_t arguments[MOST_ARGUMENTS] = {0};
        for (intptr_t i = 0; i < mlirBlockGetNumArguments(body) && i < MOST_ARGUMENTS; i++)
            arguments[i] = random_argument(random, mlirValueGetType(mlirBlockGetArgument(body, i)),
                divisor_of_argument(function, i));
        const char *unknown;
        struct tile_observation *seen = tile_program_run(arena, function, arguments, &unknown);
        if (unknown) {
            printf("the interpreter does not know %s\n", unknown);
            return false;
        }
        for (; seen; seen = seen->next) {
            const struct axis_facts *facts = NULL;
            const struct tile_value *tile = NULL;
            const char *wrong = check_observation(seen, &facts, &tile);
            if (!wrong)
                continue;
            printf("%s\nwatch %" PRId64 ": wrong %s\n", text, seen->watch, wrong);
            print_facts(facts, tile);
            return false;
        }
    }
    return true;
}

static bool check_program(uint64_t seed, struct statistics *statistics)
{
    struct random_source random = {seed};
    arena *arena = arena_create();
    MlirContext context = dialect_context_create();
    const char *text = tile_program_write(&random, arena);
    MlirOperation module = ir_parse_module(context, text, "program");
    MlirOperation blocks = ir_parse_module(context, text, "program");
    bool is_right = !mlirOperationIsNull(module) && turn_into_blocks(context, blocks);
    if (is_right) {
        analyse(arena, module, watches[0], statistics);
        analyse(arena, blocks, watches[1], statistics);
        is_right = check_runs(&random, arena, function_of(module), text);
    } else {
        printf("%s\n", text);
    }
    if (!is_right)
        printf("seed %" PRIu64 "\n", seed);
    if (!mlirOperationIsNull(module))
        mlirOperationDestroy(module);
    if (!mlirOperationIsNull(blocks))
        mlirOperationDestroy(blocks);
    mlirContextDestroy(context);
    arena_destroy(arena);
    return is_right;
}

int main(int count, char **words)
{
    unsigned long programs = count > 1 ? strtoul(words[1], NULL, 10) : PROGRAMS_A_TEST;
    uint64_t seed = count > 2 ? strtoull(words[2], NULL, 10) : (uint64_t)time(NULL);
    struct statistics statistics = {0};
    unsigned passed = 0, failed = 0;
    printf("seeds from %" PRIu64 " on\n", seed);
    for (unsigned long i = 0; i < programs; i += PROGRAMS_A_TEST) {
        bool is_right = true;
        for (unsigned long j = i; j < i + PROGRAMS_A_TEST && j < programs && is_right; j++)
            is_right = check_program(seed + j + 1, &statistics);
        passed += is_right;
        failed += !is_right;
    }
    printf("%" PRIu64 " of %" PRIu64 " facts say something\n", statistics.claims, statistics.facts);
    bool is_idle = statistics.claims * 8 < statistics.facts;
    if (is_idle)
        printf("the analysis claims too little for this test to mean anything\n");
    printf("%u passed, %u failed\n", passed, failed + is_idle);
    return failed || is_idle;
}
