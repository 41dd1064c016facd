/* See debug_info.h. */
#include "codegen/debug_info.h"

#include "codegen/ir_read.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <llvm-c/DebugInfo.h>

#include <string.h>

/* The subprogram of a helper. */
struct helper {
    struct helper *next;
    MlirStringRef name;
    LLVMMetadataRef scope;
};

struct debug_info {
    arena *arena;
    enum debug_level level;
    LLVMContextRef context;
    LLVMDIBuilderRef builder;
    LLVMMetadataRef file, kernel; /* the kernel's */
    struct helper *helpers;
};

/* ---- Making ---------------------------------------------------------------------------------- */

enum {
    DWARF_VERSION = 4,
    DIRECTIVES_ONLY = 3, /* llvm::DICompileUnit::DebugDirectivesOnly: the C API does not name it */
};

static void add_flag(LLVMModuleRef module, const char *name, unsigned value)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
    LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorWarning, name, strlen(name),
        LLVMValueAsMetadata(LLVMConstInt(i32, value, false)));
}

/* The file that the user's compiler named, relative to wherever that ran: no directory is added. */
static LLVMMetadataRef file_of(struct debug_info *debug, MlirStringRef name)
{
    return LLVMDIBuilderCreateFile(debug->builder, name.data, name.length, "", 0);
}

static void make_unit(struct debug_info *debug)
{
    static const char producer[] = "teenyc";
    bool is_full = debug->level == DEBUG_FULL;
    /* NOLINTBEGIN(clang-analyzer-optin.core.EnumCastOutOfRange) */
    LLVMDWARFEmissionKind kind =
        is_full ? LLVMDWARFEmissionFull : (LLVMDWARFEmissionKind)DIRECTIVES_ONLY;
    /* NOLINTEND(clang-analyzer-optin.core.EnumCastOutOfRange) */
    LLVMDIBuilderCreateCompileUnit(debug->builder, LLVMDWARFSourceLanguageC11, debug->file,
        producer, sizeof producer - 1, !is_full, NULL, 0, 0, NULL, 0, kind, 0, false, false, NULL,
        0, NULL, 0);
}

static LLVMMetadataRef make_subprogram(
    struct debug_info *debug, MlirStringRef name, LLVMMetadataRef file, unsigned line)
{
    LLVMMetadataRef type =
        LLVMDIBuilderCreateSubroutineType(debug->builder, file, NULL, 0, LLVMDIFlagZero);
    return LLVMDIBuilderCreateFunction(debug->builder, file, name.data, name.length, name.data,
        name.length, file, line, type, true, true, line, LLVMDIFlagPrototyped,
        debug->level != DEBUG_FULL);
}

struct debug_info *debug_info_create(
    arena *arena, LLVMModuleRef module, MlirOperation function, enum debug_level level)
{
    if (level == DEBUG_NONE)
        return NULL;
    struct debug_info *debug = arena_new(arena, struct debug_info);
    *debug = (struct debug_info){
        .arena = arena,
        .level = level,
        .context = LLVMGetModuleContext(module),
        .builder = LLVMCreateDIBuilder(module),
    };
    struct ir_user_place place = ir_user_place(mlirOperationGetLocation(function));
    debug->file = file_of(debug, place.file);
    make_unit(debug);
    debug->kernel = make_subprogram(debug, ir_function_name(function), debug->file, place.line);
    add_flag(module, "Dwarf Version", DWARF_VERSION);
    add_flag(module, "Debug Info Version", LLVMDebugMetadataVersion());
    return debug;
}

void debug_info_finish(struct debug_info *debug)
{
    if (!debug)
        return;
    LLVMDIBuilderFinalize(debug->builder);
    LLVMDisposeDIBuilder(debug->builder);
}

void debug_info_set_function(struct debug_info *debug, LLVMValueRef function)
{
    if (debug)
        LLVMSetSubprogram(function, debug->kernel);
}

/* ---- Places ---------------------------------------------------------------------------------- */

static LLVMMetadataRef scope_of_helper(struct debug_info *debug, const struct ir_user_place *place)
{
    for (struct helper *each = debug->helpers; each; each = each->next)
        if (mlirStringRefEqual(each->name, place->helper))
            return each->scope;
    struct helper *helper = arena_new(debug->arena, struct helper);
    *helper = (struct helper){
        .next = debug->helpers,
        .name = place->helper,
        .scope = make_subprogram(debug, place->helper, file_of(debug, place->file), place->line),
    };
    debug->helpers = helper;
    return helper->scope;
}

/* Code of another file than its function's, as where a capture comes from a header. */
static LLVMMetadataRef in_file(struct debug_info *debug, LLVMMetadataRef scope, MlirStringRef name)
{
    LLVMMetadataRef file = file_of(debug, name);
    if (file == LLVMDIScopeGetFile(scope))
        return scope;
    return LLVMDIBuilderCreateLexicalBlockFile(debug->builder, scope, file, 0);
}

LLVMMetadataRef debug_info_place(struct debug_info *debug, MlirLocation location)
{
    struct ir_user_place place = ir_user_place(location);
    LLVMMetadataRef scope = debug->kernel, called_at = NULL;
    if (place.helper.length) {
        scope = scope_of_helper(debug, &place);
        called_at = debug_info_place(debug, place.caller);
    }
    if (place.line)
        scope = in_file(debug, scope, place.file);
    return LLVMDIBuilderCreateDebugLocation(
        debug->context, place.line, place.column, scope, called_at);
}

/* ---- Variables ------------------------------------------------------------------------------- */

enum { DW_ATE_BOOLEAN = 2, DW_ATE_FLOAT = 4, DW_ATE_SIGNED = 5, DW_ATE_UNSIGNED = 7 };

/* gdb knows bfloat16 by this name. */
static const struct {
    bool (*is)(MlirType type);
    const char *name;
    unsigned bits, encoding;
} basic_types[] = {
    {mlirTypeIsAF16, "f16", 16, DW_ATE_FLOAT},
    {mlirTypeIsABF16, "__bf16", 16, DW_ATE_FLOAT},
    {mlirTypeIsAF32, "f32", 32, DW_ATE_FLOAT},
    {mlirTypeIsAF64, "f64", 64, DW_ATE_FLOAT},
    {mlirTypeIsAFloat8E4M3FN, "f8e4m3", 8, DW_ATE_UNSIGNED},
    {mlirTypeIsAFloat8E5M2, "f8e5m2", 8, DW_ATE_UNSIGNED},
};

static LLVMMetadataRef make_basic(
    struct debug_info *debug, const char *name, unsigned bits, unsigned encoding)
{
    return LLVMDIBuilderCreateBasicType(
        debug->builder, name, strlen(name), bits, encoding, LLVMDIFlagZero);
}

static LLVMMetadataRef type_of(struct debug_info *debug, MlirType type)
{
    if (tt_type_is_pointer(type))
        return LLVMDIBuilderCreatePointerType(
            debug->builder, type_of(debug, tt_pointer_pointee(type)), 64, 0, 0, NULL, 0);
    for (unsigned i = 0; i < sizeof basic_types / sizeof *basic_types; i++)
        if (basic_types[i].is(type))
            return make_basic(
                debug, basic_types[i].name, basic_types[i].bits, basic_types[i].encoding);
    unsigned width = ir_integer_width(type);
    if (width == 1)
        return make_basic(debug, "bool", 8, DW_ATE_BOOLEAN);
    return make_basic(debug, arena_format(debug->arena, "i%u", width), width, DW_ATE_SIGNED);
}

static LLVMMetadataRef make_variable(
    struct debug_info *debug, const struct debug_variable *variable)
{
    struct ir_user_place place = ir_user_place(variable->location);
    LLVMMetadataRef type = type_of(debug, variable->type), file = file_of(debug, place.file);
    size_t length = strlen(variable->name);
    if (variable->parameter)
        return LLVMDIBuilderCreateParameterVariable(debug->builder, debug->kernel, variable->name,
            length, variable->parameter, file, place.line, type, true, LLVMDIFlagZero);
    LLVMMetadataRef scope = place.helper.length ? scope_of_helper(debug, &place) : debug->kernel;
    return LLVMDIBuilderCreateAutoVariable(debug->builder, scope, variable->name, length, file,
        place.line, type, true, LLVMDIFlagZero, 0);
}

bool debug_info_has_variables(const struct debug_info *debug)
{
    return debug && debug->level == DEBUG_FULL;
}

void debug_info_declare(
    struct debug_info *debug, const struct debug_variable *variable, LLVMBasicBlockRef block)
{
    LLVMDIBuilderInsertDeclareRecordAtEnd(debug->builder, variable->storage,
        make_variable(debug, variable), LLVMDIBuilderCreateExpression(debug->builder, NULL, 0),
        debug_info_place(debug, variable->location), block);
}
