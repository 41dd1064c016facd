/* See access_flags.h. */
#include "frontend/access_flags.h"

#include "dialect/dialect.h"
#include "frontend/lower_operations.h"

#include <mlir-c/BuiltinAttributes.h>

enum { FOR_LOADS = 1, FOR_STORES = 2, FOR_BLOCKS = 4, FOR_ALL_LOADS = FOR_LOADS | FOR_BLOCKS };

/* The flag of row i is bit i. */
static const struct {
    const char *name;
    unsigned kinds;
    int64_t cache, evict;
} flags[] = {
    {"TL_PAD_NAN", FOR_BLOCKS, 0, 0},
    {"TL_CACHE_CA", FOR_ALL_LOADS, TT_CACHE_CA, 0},
    {"TL_CACHE_CG", FOR_ALL_LOADS | FOR_STORES, TT_CACHE_CG, 0},
    {"TL_CACHE_WB", FOR_STORES, TT_CACHE_WB, 0},
    {"TL_CACHE_CS", FOR_ALL_LOADS | FOR_STORES, TT_CACHE_CS, 0},
    {"TL_CACHE_WT", FOR_STORES, TT_CACHE_WT, 0},
    {"TL_CACHE_CV", FOR_ALL_LOADS, TT_CACHE_CV, 0},
    {"TL_EVICT_FIRST", FOR_ALL_LOADS | FOR_STORES, 0, TT_EVICT_FIRST},
    {"TL_EVICT_LAST", FOR_ALL_LOADS | FOR_STORES, 0, TT_EVICT_LAST},
    {"TL_VOLATILE", FOR_ALL_LOADS, 0, 0},
};
enum { FLAG_COUNT = sizeof flags / sizeof *flags, VOLATILE_FLAG = 9 };

static const struct {
    const char *name;
    unsigned kind;
} accesses[] = {
    [ACCESS_LOAD] = {"a load", FOR_LOADS},
    [ACCESS_STORE] = {"a store", FOR_STORES},
    [ACCESS_LOAD_BLOCK] = {"the load of a block", FOR_BLOCKS},
};

static bool refuse(lowering *lowering, const ast_node *call, const char *flag, const char *what)
{
    lower_error(lowering, call->place, ACCESS_FLAGS, flag, what);
    return false;
}

/* One flag more. False where it says again what another one says. */
static bool add_flag(unsigned flag, access_flags *to)
{
    if ((flags[flag].cache && to->cache) || (flags[flag].evict && to->evict))
        return false;
    to->cache += flags[flag].cache;
    to->evict += flags[flag].evict;
    to->is_volatile |= flag == VOLATILE_FLAG;
    to->pads_nan |= 1 << flag == ACCESS_PAD_NAN;
    return true;
}

bool access_flags_read(
    lowering *lowering, const ast_node *call, access_kind kind, access_flags *out_flags)
{
    *out_flags = (access_flags){0};
    int64_t given = operation_constant(call, 0, -1);
    if (given < 0 || given >> FLAG_COUNT)
        return refuse(lowering, call, "something that is no constant", accesses[kind].name);
    for (unsigned i = 0; i < FLAG_COUNT; i++) {
        if (!(given >> i & 1))
            continue;
        if (!(flags[i].kinds & accesses[kind].kind))
            return refuse(lowering, call, flags[i].name, accesses[kind].name);
        if (!add_flag(i, out_flags))
            return refuse(lowering, call, flags[i].name, "another of its kind");
    }
    return true;
}

void access_flags_add(lowering *lowering, access_flags given, build_parts *parts)
{
    builder *builder = &lowering->builder;
    build_attribute *next = parts->attributes;
    while (next->name)
        next++;
    if (given.cache)
        *next++ = (build_attribute){"cache", build_i32_attribute(builder, (int32_t)given.cache)};
    if (given.evict)
        *next++ = (build_attribute){"evict", build_i32_attribute(builder, (int32_t)given.evict)};
    if (given.is_volatile)
        *next = (build_attribute){"isVolatile", mlirBoolAttrGet(builder->context, true)};
}
