/* The C bridge of src/dialect/, function by function. */

#include "dialect/dialect.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int make_context(void **state)
{
    MlirContext *context = malloc(sizeof *context);
    if (!context)
        return -1;
    *context = dialect_context_create();
    *state = context;
    return 0;
}

static int destroy_context(void **state)
{
    MlirContext *context = *state;
    mlirContextDestroy(*context);
    free(context);
    return 0;
}

static MlirContext context_of(void **state)
{
    return *(MlirContext *)*state;
}

static MlirOperation parse(MlirContext context, const char *text)
{
    MlirOperation module = ir_parse_module(context, text, "test.mlir");
    assert_false(mlirOperationIsNull(module));
    return module;
}

static MlirBlock first_block(MlirOperation op)
{
    return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
}

/* The first operation of this number below `root`; the test fails if there is none. */
struct search {
    enum op_id wanted;
    MlirOperation found;
};

static MlirWalkResult match(MlirOperation op, void *data)
{
    struct search *search = data;
    if (op_id_of(op) != search->wanted)
        return MlirWalkResultAdvance;
    search->found = op;
    return MlirWalkResultInterrupt;
}

static MlirOperation find(MlirOperation root, enum op_id wanted)
{
    struct search search = {.wanted = wanted};
    mlirOperationWalk(root, match, &search, MlirWalkPreOrder);
    assert_false(mlirOperationIsNull(search.found));
    return search.found;
}

/* ---- Operations by number ---- */

static void every_name_of_the_table_is_an_operation(void **state)
{
    for (int id = OP_UNKNOWN + 1; id < OP_ID_COUNT; id++) {
        MlirStringRef name = mlirStringRefCreateFromCString(op_id_name(id));
        if (!mlirContextIsRegisteredOperation(context_of(state), name))
            fail_msg("%s is no operation", op_id_name(id));
    }
}

static void numbers_and_names_agree(void **state)
{
    MlirOperation module = parse(context_of(state), "tt.func @f() { tt.return }");
    assert_int_equal(op_id_of(module), OP_BUILTIN_MODULE);
    assert_int_equal(op_id_of(find(module, OP_TT_FUNC)), OP_TT_FUNC);
    assert_string_equal(op_id_name(OP_TT_RETURN), "tt.return");
    assert_string_equal(op_id_name(OP_UNKNOWN), "unknown");
    assert_string_equal(op_id_name(OP_ID_COUNT), "unknown");
    mlirOperationDestroy(module);
}

static void an_operation_outside_of_the_table_is_unknown(void **state)
{
    MlirOperation module = parse(context_of(state), "builtin.unrealized_conversion_cast to i32");
    MlirOperation cast = mlirBlockGetFirstOperation(first_block(module));
    assert_int_equal(op_id_of(cast), OP_UNKNOWN);
    mlirOperationDestroy(module);
}

static void a_context_without_the_dialects_knows_no_numbers(void **state)
{
    (void)state;
    MlirContext bare = mlirContextCreateWithThreading(false);
    MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(bare));
    assert_int_equal(op_id_of(mlirModuleGetOperation(module)), OP_UNKNOWN);
    mlirModuleDestroy(module);
    mlirContextDestroy(bare);
}

/* ---- Types and layouts ---- */

static void a_pointer_type_tells_pointee_and_space(void **state)
{
    MlirType f16 = mlirF16TypeGet(context_of(state));
    MlirType shared = tt_pointer_type(f16, 3);
    assert_true(tt_type_is_pointer(shared));
    assert_false(tt_type_is_pointer(f16));
    assert_true(mlirTypeEqual(tt_pointer_pointee(shared), f16));
    assert_int_equal(tt_pointer_address_space(shared), 3);
    MlirType parsed =
        mlirTypeParseGet(context_of(state), mlirStringRefCreateFromCString("!tt.ptr<f16>"));
    assert_true(mlirTypeEqual(parsed, tt_pointer_type(f16, TT_GLOBAL_ADDRESS_SPACE)));
}

static MlirAttribute plane(MlirContext context)
{
    const unsigned elements[] = {1, 8}, threads[] = {4, 8}, warps[] = {4, 1}, order[] = {1, 0};
    struct ttg_blocked layout = {2, elements, threads, warps, order};
    return ttg_blocked_attr(context, &layout);
}

static void a_blocked_layout_comes_back_as_it_was_made(void **state)
{
    MlirAttribute attribute = plane(context_of(state));
    struct ttg_blocked layout;
    assert_true(ttg_blocked_read(attribute, &layout));
    assert_int_equal(layout.rank, 2);
    assert_int_equal(layout.size_per_thread[1], 8);
    assert_int_equal(layout.threads_per_warp[0], 4);
    assert_int_equal(layout.warps_per_cta[0], 4);
    assert_int_equal(layout.order[0], 1);
    assert_int_equal(ttg_layout_rank(attribute), 2);
    MlirAttribute parsed = mlirAttributeParseGet(context_of(state),
        mlirStringRefCreateFromCString("#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, "
                                       "8], warpsPerCTA = [4, 1], order = [1, 0]}>"));
    assert_true(mlirAttributeEqual(parsed, attribute));
}

static void a_slice_comes_back_as_it_was_made(void **state)
{
    MlirAttribute parent = plane(context_of(state));
    MlirAttribute attribute = ttg_slice_attr((struct ttg_slice){1, parent});
    struct ttg_slice layout;
    struct ttg_blocked blocked;
    assert_true(ttg_slice_read(attribute, &layout));
    assert_int_equal(layout.dim, 1);
    assert_true(mlirAttributeEqual(layout.parent, parent));
    assert_int_equal(ttg_layout_rank(attribute), 1);
    assert_false(ttg_blocked_read(attribute, &blocked));
    assert_false(ttg_slice_read(parent, &layout));
    assert_false(ttg_slice_read(mlirAttributeGetNull(), &layout));
    assert_int_equal(ttg_layout_rank(mlirUnitAttrGet(context_of(state))), 0);
}

/* Counts errors, and keeps them off stderr. */
static MlirLogicalResult count_error(MlirDiagnostic diagnostic, void *count)
{
    (void)diagnostic;
    ++*(int *)count;
    return mlirLogicalResultSuccess();
}

static void an_impossible_layout_is_null_with_a_diagnostic(void **state)
{
    MlirContext context = context_of(state);
    int errors = 0;
    MlirDiagnosticHandlerID handler =
        mlirContextAttachDiagnosticHandler(context, count_error, &errors, NULL);
    const unsigned three[] = {3}, one[] = {1}, zero[] = {0};
    struct ttg_blocked layout = {1, three, one, one, zero};
    assert_true(mlirAttributeIsNull(ttg_blocked_attr(context, &layout)));
    assert_int_equal(errors, 1);
    struct ttg_slice slice = {2, plane(context)};
    assert_true(mlirAttributeIsNull(ttg_slice_attr(slice)));
    assert_int_equal(errors, 2);
    mlirContextDetachDiagnosticHandler(context, handler);
}

/* ---- Effects ---- */

static const char memory_text[] = "tt.func @f(%p: !tt.ptr<i32>, %c: i1) {\n"
                                  "  %x = tt.load %p : !tt.ptr<i32>\n"
                                  "  %y = arith.addi %x, %x : i32\n"
                                  "  %z = arith.divsi %y, %x : i32\n"
                                  "  scf.if %c {\n"
                                  "    tt.store %p, %y : !tt.ptr<i32>\n"
                                  "  }\n"
                                  "  tt.call @f(%p, %c) : (!tt.ptr<i32>, i1) -> ()\n"
                                  "  tt.return\n"
                                  "}\n";

static void effects_are_those_that_operations_declare(void **state)
{
    MlirOperation module = parse(context_of(state), memory_text);
    assert_int_equal(ir_effects(find(module, OP_TT_LOAD)), IR_EFFECT_READ);
    assert_int_equal(ir_effects(find(module, OP_TT_STORE)), IR_EFFECT_WRITE);
    assert_int_equal(ir_effects(find(module, OP_SCF_IF)), IR_EFFECT_WRITE);
    assert_int_equal(ir_effects(find(module, OP_ARITH_ADDI)), 0);
    assert_int_equal(ir_effects(find(module, OP_TT_CALL)), IR_EFFECT_UNKNOWN);
    mlirOperationDestroy(module);
}

static void properties_of_operations(void **state)
{
    MlirOperation module = parse(context_of(state), memory_text);
    MlirOperation load = find(module, OP_TT_LOAD), add = find(module, OP_ARITH_ADDI);
    MlirOperation divide = find(module, OP_ARITH_DIVSI), ret = find(module, OP_TT_RETURN);
    assert_true(ir_is_pure(add));
    assert_false(ir_is_pure(load));
    assert_false(ir_is_pure(divide)); /* it may fault */
    assert_true(ir_is_elementwise(add));
    assert_false(ir_is_elementwise(load));
    assert_true(ir_is_terminator(ret));
    assert_false(ir_is_terminator(add));
    assert_true(ir_is_dead(divide)); /* unused */
    assert_false(ir_is_dead(add));
    assert_false(ir_is_dead(find(module, OP_TT_STORE)));
    mlirOperationDestroy(module);
}

/* ---- Branches and dominance ---- */

static const char branch_text[] = "tt.func @f(%c: i1, %x: i32) -> i32 {\n"
                                  "  cf.cond_br %c, ^yes(%x, %x : i32, i32), ^join(%x : i32)\n"
                                  "^yes(%a: i32, %b: i32):\n"
                                  "  %s = arith.addi %a, %b : i32\n"
                                  "  cf.br ^join(%s : i32)\n"
                                  "^join(%r: i32):\n"
                                  "  %d = arith.muli %r, %r : i32\n"
                                  "  tt.return %d : i32\n"
                                  "}\n";

static void a_branch_tells_its_successors_operands(void **state)
{
    MlirOperation module = parse(context_of(state), branch_text);
    MlirOperation branch = find(module, OP_CF_COND_BR);
    intptr_t first, count;
    assert_true(ir_successor_operands(branch, 0, &first, &count));
    assert_int_equal(first, 1);
    assert_int_equal(count, 2);
    assert_true(ir_successor_operands(branch, 1, &first, &count));
    assert_int_equal(first, 3);
    assert_int_equal(count, 1);
    assert_false(ir_successor_operands(branch, 2, &first, &count));
    assert_false(ir_successor_operands(branch, -1, &first, &count));
    assert_false(ir_successor_operands(find(module, OP_ARITH_ADDI), 0, &first, &count));
    mlirOperationDestroy(module);
}

static void dominance_follows_the_blocks(void **state)
{
    MlirOperation module = parse(context_of(state), branch_text);
    MlirOperation branch = find(module, OP_CF_COND_BR), add = find(module, OP_ARITH_ADDI);
    MlirOperation multiply = find(module, OP_ARITH_MULI), ret = find(module, OP_TT_RETURN);
    MlirValue sum = mlirOperationGetResult(add, 0), product = mlirOperationGetResult(multiply, 0);
    struct ir_dominance *dominance = ir_dominance_create();
    assert_true(ir_operation_dominates(dominance, branch, multiply));
    assert_false(ir_operation_dominates(dominance, add, multiply));
    assert_false(ir_operation_dominates(dominance, add, add));
    assert_true(ir_value_dominates(dominance, product, ret));
    assert_false(ir_value_dominates(dominance, sum, multiply));
    assert_false(ir_value_dominates(dominance, product, multiply));
    ir_dominance_destroy(dominance);
    mlirOperationDestroy(module);
}

/* ---- Clones ---- */

static void a_clone_takes_its_operands_through_the_map(void **state)
{
    MlirOperation module = parse(context_of(state), branch_text);
    MlirOperation multiply = find(module, OP_ARITH_MULI);
    MlirValue old = mlirOperationGetOperand(multiply, 0);
    MlirValue x = mlirBlockGetArgument(first_block(find(module, OP_TT_FUNC)), 1);
    struct ir_mapping *mapping = ir_mapping_create();
    assert_true(mlirValueEqual(ir_mapping_get(mapping, old), old));
    ir_mapping_set(mapping, old, x);
    MlirOperation clone = ir_clone(multiply, mapping);
    assert_true(mlirValueEqual(mlirOperationGetOperand(clone, 0), x));
    assert_true(mlirValueEqual(mlirOperationGetOperand(clone, 1), x));
    MlirValue result = ir_mapping_get(mapping, mlirOperationGetResult(multiply, 0));
    assert_true(mlirValueEqual(result, mlirOperationGetResult(clone, 0)));
    ir_mapping_destroy(mapping);
    mlirOperationDestroy(clone);
    mlirOperationDestroy(module);
}

static void a_region_is_cloned_block_by_block(void **state)
{
    MlirOperation module = parse(context_of(state), branch_text);
    MlirRegion from = mlirOperationGetRegion(find(module, OP_TT_FUNC), 0);
    MlirRegion to = mlirRegionCreate();
    struct ir_mapping *mapping = ir_mapping_create();
    ir_clone_region(from, to, mapping);
    int blocks = 0;
    for (MlirBlock b = mlirRegionGetFirstBlock(to); !mlirBlockIsNull(b);
        b = mlirBlockGetNextInRegion(b))
        blocks++;
    assert_int_equal(blocks, 3);
    MlirValue old = mlirBlockGetArgument(mlirRegionGetFirstBlock(from), 1);
    MlirValue new = mlirBlockGetArgument(mlirRegionGetFirstBlock(to), 1);
    assert_true(mlirValueEqual(ir_mapping_get(mapping, old), new));
    ir_mapping_destroy(mapping);
    mlirRegionDestroy(to);
    mlirOperationDestroy(module);
}

/* ---- Text ---- */

struct text {
    char data[4096];
    size_t length;
};

static void append(MlirStringRef piece, void *data)
{
    struct text *text = data;
    assert_true(text->length + piece.length < sizeof text->data);
    memcpy(text->data + text->length, piece.data, piece.length);
    text->length += piece.length;
    text->data[text->length] = '\0';
}

static void printing_obeys_its_flags(void **state)
{
    MlirOperation module =
        parse(context_of(state), "tt.func @f() -> i32 {\n"
                                 "  %0 = tt.get_program_id y : i32 loc(\"row\"(\"k.c\":3:5))\n"
                                 "  tt.return %0 : i32\n"
                                 "}\n");
    MlirOperation function = find(module, OP_TT_FUNC);
    struct text text = {.length = 0};
    ir_print(function, 0, append, &text);
    assert_non_null(strstr(text.data, "%0 = tt.get_program_id y : i32\n"));
    text.length = 0;
    ir_print(function, IR_PRINT_NAMES, append, &text);
    assert_non_null(strstr(text.data, "%row = tt.get_program_id y : i32\n"));
    text.length = 0;
    ir_print(module, IR_PRINT_LOCATIONS, append, &text);
    assert_non_null(strstr(text.data, "loc(\"k.c\":3:5)"));
    text.length = 0;
    ir_print(function, IR_PRINT_GENERIC, append, &text);
    assert_non_null(strstr(text.data, "\"tt.get_program_id\"() <{axis = 1 : i32}>"));
    mlirOperationDestroy(module);
}

/* Keeps the text of the last diagnostic's place. */
static MlirLogicalResult keep_place(MlirDiagnostic diagnostic, void *text)
{
    ((struct text *)text)->length = 0;
    mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), append, text);
    return mlirLogicalResultSuccess();
}

static void text_that_cannot_be_read_is_reported_at_its_place(void **state)
{
    MlirContext context = context_of(state);
    struct text place = {.length = 0};
    MlirDiagnosticHandlerID handler =
        mlirContextAttachDiagnosticHandler(context, keep_place, &place, NULL);
    assert_true(mlirOperationIsNull(ir_parse_module(context, "\n  tt.retrun\n", "k.ttir")));
    assert_string_equal(place.data, "loc(\"k.ttir\":2:3)");
    mlirContextDetachDiagnosticHandler(context, handler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_of_the_table_is_an_operation),
        cmocka_unit_test(numbers_and_names_agree),
        cmocka_unit_test(an_operation_outside_of_the_table_is_unknown),
        cmocka_unit_test(a_context_without_the_dialects_knows_no_numbers),
        cmocka_unit_test(a_pointer_type_tells_pointee_and_space),
        cmocka_unit_test(a_blocked_layout_comes_back_as_it_was_made),
        cmocka_unit_test(a_slice_comes_back_as_it_was_made),
        cmocka_unit_test(an_impossible_layout_is_null_with_a_diagnostic),
        cmocka_unit_test(effects_are_those_that_operations_declare),
        cmocka_unit_test(properties_of_operations),
        cmocka_unit_test(a_branch_tells_its_successors_operands),
        cmocka_unit_test(dominance_follows_the_blocks),
        cmocka_unit_test(a_clone_takes_its_operands_through_the_map),
        cmocka_unit_test(a_region_is_cloned_block_by_block),
        cmocka_unit_test(printing_obeys_its_flags),
        cmocka_unit_test(text_that_cannot_be_read_is_reported_at_its_place),
    };
    return cmocka_run_group_tests(tests, make_context, destroy_context);
}
