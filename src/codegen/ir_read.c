/* See ir_read.h. */
#include "codegen/ir_read.h"

#include "analysis/op_words.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- Errors ---------------------------------------------------------------------------------- */

bool ir_error(MlirOperation op, const char *format, ...)
{
    char message[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    mlirEmitError(mlirOperationGetLocation(op), message);
    return false;
}

bool ir_error_not_built(MlirOperation op, const char *what)
{
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    const char *words = op_words(op);
    if (words)
        name = mlirStringRefCreateFromCString(words);
    return ir_error(op, "%.*s%s%s is not built yet for this target", (int)name.length, name.data,
        what ? " " : "", what ? what : "");
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* The name of a helper stands around the place in it: fused<"NAME">[...]. */
static void read_fused(MlirLocation *location, struct ir_user_place *place)
{
    MlirAttribute name = mlirLocationFusedGetMetadata(*location);
    if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name))
        place->helper = mlirStringAttrGetValue(name);
    enum { MOST_FUSED = 16 };
    MlirLocation fused[MOST_FUSED];
    unsigned count = mlirLocationFusedGetNumLocations(*location);
    bool is_read = count > 0 && count <= MOST_FUSED;
    if (is_read)
        mlirLocationFusedGetLocations(*location, fused);
    *location = is_read ? fused[0] : mlirLocationUnknownGet(mlirLocationGetContext(*location));
}

/* Of a call in a call, the inner one was called at the outer one. */
static void read_call_site(MlirLocation *location, struct ir_user_place *place)
{
    MlirLocation caller = mlirLocationCallSiteGetCaller(*location);
    bool is_outermost = mlirLocationIsNull(place->caller);
    place->caller = is_outermost ? caller : mlirLocationCallSiteGet(caller, place->caller);
    *location = mlirLocationCallSiteGetCallee(*location);
}

/* What stands around the location of a file. */
static MlirLocation innermost(MlirLocation location, struct ir_user_place *place)
{
    for (;;) {
        if (mlirLocationIsAName(location)) {
            location = mlirLocationNameGetChildLoc(location);
        } else if (mlirLocationIsACallSite(location)) {
            read_call_site(&location, place);
        } else if (mlirLocationIsAFused(location)) {
            read_fused(&location, place);
        } else {
            return location;
        }
    }
}

struct ir_user_place ir_user_place(MlirLocation location)
{
    struct ir_user_place place = {0};
    if (mlirLocationIsNull(location))
        return place;
    location = innermost(location, &place);
    if (mlirLocationIsNull(place.caller))
        place.helper = (MlirStringRef){0};
    if (!mlirLocationIsAFileLineColRange(location))
        return place;
    place.file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
    place.line = (unsigned)mlirLocationFileLineColRangeGetStartLine(location);
    place.column = (unsigned)mlirLocationFileLineColRangeGetStartColumn(location);
    return place;
}

const char *ir_place(arena *arena, MlirLocation location)
{
    struct ir_user_place place = ir_user_place(location);
    if (!place.file.data)
        return "";
    return arena_format(
        arena, "%.*s:%u:%u", (int)place.file.length, place.file.data, place.line, place.column);
}

/* ---- Attributes ------------------------------------------------------------------------------ */

MlirAttribute ir_attribute(MlirOperation op, const char *name)
{
    return mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
}

int64_t ir_integer_attribute(MlirOperation op, const char *name, int64_t otherwise)
{
    MlirAttribute attribute = ir_attribute(op, name);
    if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute))
        return otherwise;
    return mlirIntegerAttrGetValueInt(attribute);
}

bool ir_bool_attribute(MlirOperation op, const char *name)
{
    MlirAttribute attribute = ir_attribute(op, name);
    return !mlirAttributeIsNull(attribute) && mlirAttributeIsABool(attribute) &&
           mlirBoolAttrGetValue(attribute);
}

int32_t ir_segment_size(MlirOperation op, unsigned segment)
{
    return mlirDenseI32ArrayGetElement(ir_attribute(op, "operandSegmentSizes"), segment);
}

/* ---- Types ----------------------------------------------------------------------------------- */

bool ir_is_tile(MlirType type)
{
    return mlirTypeIsARankedTensor(type);
}

MlirType ir_element_type(MlirType type)
{
    return ir_is_tile(type) ? mlirShapedTypeGetElementType(type) : type;
}

bool ir_is_float(MlirType type)
{
    return mlirTypeIsAFloat(type);
}

bool ir_is_integer(MlirType type)
{
    return mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type);
}

unsigned ir_integer_width(MlirType type)
{
    return mlirTypeIsAIndex(type) ? 64 : mlirIntegerTypeGetWidth(type);
}

/* ---- Memory accesses ------------------------------------------------------------------------- */

/* Of a load, or of a copy; `mask` is the number of that operand. */
static struct memory_access read_load(MlirOperation op, unsigned mask)
{
    struct memory_access access = {.pointer = mlirOperationGetOperand(op, 0)};
    intptr_t next = mask;
    if (ir_segment_size(op, mask))
        access.mask = mlirOperationGetOperand(op, next++);
    if (ir_segment_size(op, mask + 1))
        access.other = mlirOperationGetOperand(op, next);
    return access;
}

static struct memory_access read_store(MlirOperation op)
{
    struct memory_access access = {
        .pointer = mlirOperationGetOperand(op, 0),
        .value = mlirOperationGetOperand(op, 1),
    };
    if (mlirOperationGetNumOperands(op) > 2)
        access.mask = mlirOperationGetOperand(op, 2);
    return access;
}

struct memory_access ir_memory_access(MlirOperation op)
{
    enum op_id id = op_id_of(op);
    struct memory_access access = id == OP_TT_LOAD          ? read_load(op, 1)
                                  : id == OP_TTG_ASYNC_COPY ? read_load(op, 2)
                                                            : read_store(op);
    access.element = tt_pointer_pointee(ir_element_type(mlirValueGetType(access.pointer)));
    access.cache = ir_integer_attribute(op, "cache", TT_CACHE_NONE);
    access.evict = ir_integer_attribute(op, "evict", TT_EVICT_NORMAL);
    access.is_volatile = ir_bool_attribute(op, "isVolatile");
    return access;
}

/* ---- Functions ------------------------------------------------------------------------------- */

MlirStringRef ir_function_name(MlirOperation function)
{
    return mlirStringAttrGetValue(ir_attribute(function, "sym_name"));
}

static bool is_public(MlirOperation function)
{
    MlirAttribute visibility = ir_attribute(function, "sym_visibility");
    if (mlirAttributeIsNull(visibility))
        return true;
    MlirStringRef text = mlirStringAttrGetValue(visibility);
    return mlirStringRefEqual(text, mlirStringRefCreateFromCString("public"));
}

static bool has_body(MlirOperation function)
{
    return !mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
}

MlirOperation ir_find_kernel(MlirModule module, const char *name)
{
    MlirOperation found = {NULL}, module_op = mlirModuleGetOperation(module);
    unsigned candidates = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
        !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
        if (op_id_of(op) != OP_TT_FUNC || !has_body(op) || !is_public(op))
            continue;
        if (name && !mlirStringRefEqual(ir_function_name(op), mlirStringRefCreateFromCString(name)))
            continue;
        found = op;
        candidates++;
    }
    if (candidates == 1)
        return found;
    if (name)
        ir_error(module_op, "there is no kernel '%s' in this module", name);
    else
        ir_error(module_op, candidates ? "there are several kernels in this module: name one"
                                       : "there is no kernel in this module");
    return (MlirOperation){NULL};
}
