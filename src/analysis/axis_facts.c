/* See axis_facts.h. */
#include "analysis/axis_facts.h"

#include "analysis/layout_encoding.h"
#include "dialect/dialect.h"

#include "mlir-c/BuiltinTypes.h"

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* log2 of the bytes that an element takes in memory. */
static unsigned memory_unit(MlirType element)
{
    unsigned bits = 8;
    if (tt_type_is_pointer(element))
        bits = 64;
    else if (mlirTypeIsAInteger(element))
        bits = mlirIntegerTypeGetWidth(element);
    else if (mlirTypeIsAFloat(element))
        bits = mlirFloatTypeGetWidth(element);
    return bits <= 8 ? 0 : (unsigned)__builtin_ctz(bits / 8);
}

static void describe_element(struct axis_facts *facts, MlirType element)
{
    if (tt_type_is_pointer(element)) {
        facts->is_pointer = true;
        facts->width = 64;
        facts->unit = (uint8_t)memory_unit(tt_pointer_pointee(element));
    } else if (mlirTypeIsAIndex(element)) {
        facts->width = 64;
    } else if (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) <= 64) {
        facts->width = (uint8_t)mlirIntegerTypeGetWidth(element);
    }
}

struct axis_facts axis_facts_unknown(MlirType type)
{
    struct axis_facts facts = {.shape = {.rank = 1}};
    bool is_tile = mlirTypeIsARankedTensor(type);
    struct layout_shape shape = {0};
    if (is_tile && layout_shape_of_type(type, &shape) && shape.rank > 0)
        facts.shape = shape;
    describe_element(&facts, is_tile ? mlirShapedTypeGetElementType(type) : type);
    if (facts.width && !facts.is_pointer)
        facts.range = range_all(facts.width);
    return facts;
}

void axis_facts_set_constant(struct axis_facts *facts)
{
    for (unsigned i = 0; i < facts->shape.rank; i++)
        facts->constancy[i] = facts->shape.bits[i];
}

static void use_single_value(struct axis_facts *facts)
{
    uint64_t value = (uint64_t)facts->range.least;
    unsigned zeros = value ? (unsigned)__builtin_ctzll(value) : 64;
    axis_facts_set_constant(facts);
    for (unsigned i = 0; i < facts->shape.rank; i++) {
        facts->contiguity[i] = facts->likely[i] = 0;
        facts->divisibility[i] = (uint8_t)zeros;
    }
}

/* The multiples in the range: where 16 divides every element, 0 to 2^31 - 1 is 0 to 2^31 - 16, and
 * a sum with 15 does not wrap. */
static void shrink_range(struct axis_facts *facts, unsigned divisibility)
{
    if (facts->is_pointer || divisibility >= 63)
        return;
    int64_t below = (INT64_C(1) << divisibility) - 1, least;
    if (!__builtin_add_overflow(facts->range.least, below, &least) &&
        (least & ~below) <= (facts->range.most & ~below)) {
        facts->range.least = least & ~below;
        facts->range.most &= ~below;
    }
}

static void cut(struct axis_facts *facts)
{
    for (unsigned i = 0; i < facts->shape.rank; i++) {
        unsigned size = facts->shape.bits[i];
        /* Runs of the cut length start where longer ones do or inside of them. */
        facts->divisibility[i] = (uint8_t)smaller(facts->divisibility[i], facts->width);
        facts->contiguity[i] = (uint8_t)smaller(facts->contiguity[i], size);
        facts->constancy[i] = (uint8_t)smaller(facts->constancy[i], size);
        facts->likely[i] = (uint8_t)larger(smaller(facts->likely[i], size), facts->contiguity[i]);
    }
}

void axis_facts_normalise(struct axis_facts *facts)
{
    if (facts->width && !facts->is_pointer && range_is_single(facts->range))
        use_single_value(facts);
    cut(facts);
    unsigned everywhere = smaller(axis_facts_everywhere(facts), facts->width);
    for (unsigned i = 0; i < facts->shape.rank; i++)
        facts->divisibility[i] = (uint8_t)larger(facts->divisibility[i], everywhere);
    shrink_range(facts, everywhere);
}

/* Along a dimension without contiguity every element is the first of its run; along one with it,
 * elements are whole units apart. */
unsigned axis_facts_everywhere(const struct axis_facts *facts)
{
    unsigned most = 0;
    for (unsigned i = 0; i < facts->shape.rank; i++) {
        unsigned all = facts->divisibility[i];
        if (facts->contiguity[i] > 0)
            all = smaller(all, facts->unit);
        most = larger(most, all);
    }
    return most;
}

unsigned axis_facts_at_runs(const struct axis_facts *facts, unsigned dimension, unsigned run)
{
    unsigned first = facts->divisibility[dimension];
    if (run < facts->contiguity[dimension])
        first = smaller(first, run + facts->unit);
    return larger(first, axis_facts_everywhere(facts));
}

unsigned axis_aligned_elements(const struct axis_facts *pointers, unsigned dimension)
{
    unsigned divisible = axis_facts_at_runs(pointers, dimension, pointers->contiguity[dimension]);
    if (divisible < pointers->unit)
        return 0;
    return smaller(pointers->contiguity[dimension], divisible - pointers->unit);
}

struct axis_facts axis_facts_join(const struct axis_facts *a, const struct axis_facts *b)
{
    struct axis_facts both = *a;
    for (unsigned i = 0; i < both.shape.rank; i++) {
        unsigned run = smaller(a->contiguity[i], b->contiguity[i]);
        both.contiguity[i] = (uint8_t)run;
        both.divisibility[i] =
            (uint8_t)smaller(axis_facts_at_runs(a, i, run), axis_facts_at_runs(b, i, run));
        both.constancy[i] = (uint8_t)smaller(a->constancy[i], b->constancy[i]);
        both.likely[i] = (uint8_t)smaller(a->likely[i], b->likely[i]);
    }
    both.range = range_join(a->range, b->range);
    axis_facts_normalise(&both);
    return both;
}

bool axis_facts_equal(const struct axis_facts *a, const struct axis_facts *b)
{
    for (unsigned i = 0; i < a->shape.rank; i++)
        if (a->contiguity[i] != b->contiguity[i] || a->divisibility[i] != b->divisibility[i] ||
            a->constancy[i] != b->constancy[i] || a->likely[i] != b->likely[i])
            return false;
    return range_equal(a->range, b->range);
}

struct axis_facts axis_facts_spread(
    const struct axis_facts *scalar, const struct layout_shape *shape)
{
    struct axis_facts tile = *scalar;
    tile.shape = *shape;
    for (unsigned i = 0; i < shape->rank; i++) {
        tile.contiguity[i] = tile.likely[i] = 0;
        tile.divisibility[i] = (uint8_t)axis_facts_everywhere(scalar);
        tile.constancy[i] = shape->bits[i];
    }
    return tile;
}
