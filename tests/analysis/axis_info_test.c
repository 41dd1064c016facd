/* The axis analysis, fact by fact: each row is the body of a function, and the facts about what its
 * last operation makes. */
#include "analysis/axis_info.h"
#include "base/string_builder.h"
#include "dialect/dialect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct row {
    const char *name;
    const char *body;
    const char *facts;
};

/* Parameters that every function has. */
#define PARAMETERS                                                                                 \
    "%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %n16: i32 {tt.divisibility = 16 : "   \
    "i32}, %c: i1"

#define ARANGE "%r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>\n"
#define CONSTANT(name, value) "%" name " = arith.constant dense<" value "> : tensor<128xi32>\n"
#define SPLAT(name, value) "%" name " = tt.splat %" value " : i32 -> tensor<128xi32>\n"
#define V(operation) "%v = " operation " : tensor<128xi32>\n"

static const struct row rows[] = {
    {"a range", ARANGE V("arith.addi %r, %r") "", "c [1] d [1] k [1]"},
    {"a range from 64",
        "%v = tt.make_range {end = 192 : i32, start = 64 : i32} : tensor<128xi32>\n",
        "c [128] d [64] k [1]"},
    {"a splat of an argument with a told divisor", SPLAT("v", "n16"), "c [1] d [16] k [128]"},
    {"a constant", CONSTANT("v", "24"), "c [1] d [8] k [128]"},
    {"a negative constant", CONSTANT("v", "-24"), "c [1] d [8] k [128]"},
    {"a sum counts up from a multiple", ARANGE SPLAT("s", "n16") V("arith.addi %s, %r"),
        "c [128] d [16] k [1]"},
    {"a sum with anything starts anywhere", ARANGE SPLAT("s", "n") V("arith.addi %s, %r"),
        "c [128] d [1] k [1]"},
    {"a program's block",
        ARANGE "%i = tt.get_program_id x : i32\n%b = arith.constant 128 : i32\n"
               "%o = arith.muli %i, %b : i32\n" SPLAT("s", "o") V("arith.addi %s, %r"),
        "c [128] d [128] k [1]"},
    {"a difference", ARANGE SPLAT("s", "n16") V("arith.subi %r, %s"), "c [128] d [16] k [1]"},
    {"a difference that counts down", ARANGE SPLAT("s", "n16") V("arith.subi %s, %r"),
        "c [1] d [1] k [1]"},
    {"an odd stride (T#1330)", ARANGE CONSTANT("s", "1185") V("arith.muli %r, %s"),
        "c [1] d [1] k [1]"},
    {"an even stride", ARANGE CONSTANT("s", "12") V("arith.muli %r, %s"), "c [1] d [4] k [1]"},

    {"division of what is not negative", ARANGE CONSTANT("s", "32") V("arith.divsi %r, %s"),
        "c [1] d [1] k [32]"},
    {"division that passes zero (T#7749)",
        ARANGE CONSTANT("o", "64") CONSTANT(
            "s", "32") "%m = arith.subi %r, %o : tensor<128xi32>\n" V("arith.divsi %m, %s"),
        "c [1] d [1] k [1]"},
    {"remainder that passes zero (T PR#11307)",
        ARANGE CONSTANT("o", "64") CONSTANT(
            "s", "32") "%m = arith.subi %r, %o : tensor<128xi32>\n" V("arith.remsi %m, %s"),
        "c [1] d [1] k [1]"},
    {"remainder of a wholly negative range",
        ARANGE CONSTANT("o", "256") CONSTANT(
            "s", "32") "%m = arith.subi %r, %o : tensor<128xi32>\n" V("arith.remsi %m, %s"),
        "c [1] d [1] k [1]"},
    {"remainder of what is not negative", ARANGE CONSTANT("s", "32") V("arith.remsi %r, %s"),
        "c [32] d [32] k [1]"},
    {"remainder by an argument", ARANGE SPLAT("s", "n16") V("arith.remsi %r, %s"),
        "c [16] d [16] k [1]"},
    {"division by a tile that changes (T#11544)",
        ARANGE CONSTANT("s", "8")
            CONSTANT("two", "16") "%q = arith.divsi %r, %s : tensor<128xi32>\n"
                                  "%m = arith.shli %two, %q : "
                                  "tensor<128xi32>\n" V("arith.remsi %r, %m"),
        "c [8] d [8] k [1]"},
    {"division by zero (T#10165)", ARANGE CONSTANT("s", "0") V("arith.divsi %r, %s"),
        "c [1] d [1] k [128]"},
    {"remainder by zero", ARANGE CONSTANT("s", "0") V("arith.remsi %r, %s"),
        "c [128] d [4294967296] k [1]"},

    /* A divisor that is made safe tells what it is made of; another choice beside 1 tells nothing.
     */
    {"remainder by what is not 0",
        ARANGE SPLAT("m", "n16") CONSTANT("zero", "0") CONSTANT("one", "1")
            V("arith.cmpi eq, %m, %zero") "%guarded = arith.select %v, %one, %m : tensor<128xi1>, "
                                          "tensor<128xi32>\n"
                                          "%q = arith.remsi %r, %guarded : tensor<128xi32>\n",
        "c [16] d [16] k [1]"},
    {"remainder by what is 1 now and then",
        ARANGE SPLAT("m", "n16") CONSTANT("five", "5") CONSTANT("one", "1")
            V("arith.cmpi eq, %m, %five") "%guarded = arith.select %v, %one, %m : tensor<128xi1>, "
                                          "tensor<128xi32>\n"
                                          "%q = arith.remsi %r, %guarded : tensor<128xi32>\n",
        "c [1] d [1] k [1]"},

    {"shift by an unknown amount (T#9325)",
        SPLAT("a", "n16") SPLAT("s", "n") V("arith.shli %a, %s"), "c [1] d [1] k [1]"},
    {"shift by too much", SPLAT("a", "n16") CONSTANT("s", "40") V("arith.shli %a, %s"),
        "c [1] d [1] k [1]"},
    {"shift by a little", SPLAT("a", "n16") CONSTANT("s", "3") V("arith.shli %a, %s"),
        "c [1] d [128] k [128]"},
    {"shift right", ARANGE CONSTANT("s", "3") V("arith.shrui %r, %s"), "c [1] d [1] k [8]"},
    {"shift right by too much", ARANGE CONSTANT("s", "63") V("arith.shrui %r, %s"),
        "c [1] d [1] k [1]"},
    {"and with low ones", ARANGE CONSTANT("s", "15") V("arith.andi %r, %s"), "c [16] d [16] k [1]"},
    {"and with low zeros", ARANGE CONSTANT("s", "-16") V("arith.andi %r, %s"),
        "c [1] d [16] k [16]"},
    {"or with low zeros", ARANGE CONSTANT("s", "4096") V("arith.ori %r, %s"),
        "c [128] d [4096] k [1]"},

    {"a mask against a told bound", ARANGE SPLAT("s", "n16") V("arith.cmpi slt, %r, %s"),
        "c [1] d [1] k [16]"},
    {"a mask against any bound", ARANGE SPLAT("s", "n") V("arith.cmpi slt, %r, %s"),
        "c [1] d [1] k [1]"},
    {"a mask that includes its bound", ARANGE SPLAT("s", "n16") V("arith.cmpi sle, %r, %s"),
        "c [1] d [1] k [1]"},
    {"a mask the other way around", ARANGE SPLAT("s", "n16") V("arith.cmpi sgt, %s, %r"),
        "c [1] d [1] k [16]"},

    {"an extension of what may wrap",
        ARANGE SPLAT("s", "n") "%a = arith.addi %s, %r : tensor<128xi32>\n"
                               "%v = arith.extsi %a : tensor<128xi32> to tensor<128xi64>\n",
        "c [1] d [1] k [1]"},
    {"an extension of aligned runs",
        ARANGE SPLAT("s", "n16") "%a = arith.addi %s, %r : tensor<128xi32>\n"
                                 "%v = arith.extsi %a : tensor<128xi32> to tensor<128xi64>\n",
        "c [16] d [16] k [1]"},
    {"an extension of a range",
        "%a = tt.make_range {end = 133 : i32, start = 5 : i32} : tensor<128xi32>\n"
        "%v = arith.extui %a : tensor<128xi32> to tensor<128xi64>\n",
        "c [128] d [1] k [1]"},
    {"pointers",
        ARANGE SPLAT("s", "n16") "%a = arith.addi %s, %r : tensor<128xi32>\n"
                                 "%b = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>\n"
                                 "%v = tt.addptr %b, %a : tensor<128x!tt.ptr<f32>>, "
                                 "tensor<128xi32>\n",
        "c [16] d [16] k [1]"},
    {"pointers at any offset",
        ARANGE "%q = tt.addptr %p, %n : !tt.ptr<f32>, i32\n"
               "%b = tt.splat %q : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>\n"
               "%v = tt.addptr %b, %r : tensor<128x!tt.ptr<f32>>, tensor<128xi32>\n",
        "c [128] d [4] k [1]"},

    {"rows of a stride",
        "%i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
        "%j = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
        "%ie = tt.expand_dims %i {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>\n"
        "%je = tt.expand_dims %j {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>\n"
        "%s = tt.splat %n16 : i32 -> tensor<8x1xi32>\n"
        "%is = arith.muli %ie, %s : tensor<8x1xi32>\n"
        "%ib = tt.broadcast %is : tensor<8x1xi32> -> tensor<8x16xi32>\n"
        "%jb = tt.broadcast %je : tensor<1x16xi32> -> tensor<8x16xi32>\n"
        "%v = arith.addi %ib, %jb : tensor<8x16xi32>\n",
        "c [1, 16] d [1, 16] k [1, 1]"},

    {"one of two",
        ARANGE SPLAT("s", "n16") "%a = arith.addi %s, %r : tensor<128xi32>\n"
                                 "%v = arith.select %c, %a, %r : tensor<128xi32>\n",
        "c [128] d [16] k [1]"},
    {"a branch",
        ARANGE SPLAT("s", "n16") "%v = scf.if %c -> (tensor<128xi32>) {\n"
                                 "scf.yield %r : tensor<128xi32>\n} else {\n"
                                 "scf.yield %s : tensor<128xi32>\n}\n",
        "c [1] d [1] k [1]"},
    {"a loop that keeps to multiples",
        ARANGE CONSTANT("s",
            "32") "%b = arith.constant 0 : i32\n%e = arith.constant 1 : i32\n"
                  "%v = scf.for %i = %b to %n step %e iter_args(%x = %r) -> (tensor<128xi32>) : "
                  "i32 {\n"
                  "%y = arith.addi %x, %s : tensor<128xi32>\nscf.yield %y : tensor<128xi32>\n}\n",
        "c [128] d [32] k [1]"},
    {"a loop that does not",
        ARANGE CONSTANT("s",
            "1") "%b = arith.constant 0 : i32\n%e = arith.constant 1 : i32\n"
                 "%v = scf.for %i = %b to %n step %e iter_args(%x = %r) -> (tensor<128xi32>) : i32 "
                 "{\n"
                 "%y = arith.addi %x, %s : tensor<128xi32>\nscf.yield %y : tensor<128xi32>\n}\n",
        "c [128] d [1] k [1]"},
    {"a loop that swaps",
        ARANGE SPLAT(
            "s", "n16") "%b = arith.constant 0 : i32\n%e = arith.constant 1 : i32\n"
                        "%v, %w = scf.for %i = %b to %n step %e iter_args(%x = %r, %y = %s) -> "
                        "(tensor<128xi32>, tensor<128xi32>) : i32 {\n"
                        "scf.yield %y, %x : tensor<128xi32>, tensor<128xi32>\n}\n",
        "c [1] d [1] k [1]"},
    {"a loop's counter",
        "%b = arith.constant 0 : i32\n%e = arith.constant 64 : i32\n"
        "%v = scf.for %i = %b to %n step %e iter_args(%x = %b) -> (i32) : i32 {\n"
        "scf.yield %i : i32\n}\n",
        "c [1] d [64] k [1]"},
    {"a loop of blocks",
        "%b = arith.constant 128 : i32\n%e = arith.constant 64 : i32\n"
        "cf.br ^head(%b : i32)\n^head(%i: i32):\n%m = arith.cmpi slt, %i, %n : i32\n"
        "cf.cond_br %m, ^body, ^end\n^body:\n%x = arith.addi %i, %e : i32\n"
        "cf.br ^head(%x : i32)\n^end:\n%v = arith.subi %i, %b : i32\n",
        "c [1] d [64] k [1]"},
};

static void add_list(
    teeny_string *text, const char *name, const struct axis_facts *facts, const uint8_t *logs)
{
    teeny_string_format(text, "%s [", name);
    for (unsigned i = 0; i < facts->shape.rank; i++)
        teeny_string_format(text, "%s%llu", i ? ", " : "", 1ULL << logs[i]);
    teeny_string_add(text, "]");
}

static MlirOperation parse(MlirContext context, const struct row *row)
{
    teeny_string text = {0};
    teeny_string_add(&text, "tt.func public @f(" PARAMETERS ") {\n");
    teeny_string_add(&text, row->body);
    teeny_string_add(&text, "tt.return\n}\n");
    MlirOperation module = ir_parse_module(context, teeny_string_text(&text), row->name);
    teeny_string_free(&text);
    return module;
}

static MlirOperation last_operation(MlirOperation function)
{
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)), next_block;
    while (!mlirBlockIsNull(next_block = mlirBlockGetNextInRegion(body)))
        body = next_block;
    MlirOperation last = mlirBlockGetFirstOperation(body), next = mlirOperationGetNextInBlock(last);
    for (; !ir_is_terminator(next); next = mlirOperationGetNextInBlock(next))
        last = next;
    return last;
}

static void check_row(MlirContext context, const struct row *row)
{
    arena *arena = arena_create();
    MlirOperation module = parse(context, row);
    assert_false(mlirOperationIsNull(module));
    MlirOperation function =
        mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0)));
    struct axis_info *info = axis_info_create(arena, function);
    struct axis_facts facts =
        axis_info_get(info, mlirOperationGetResult(last_operation(function), 0));
    teeny_string text = {0};
    add_list(&text, "c", &facts, facts.contiguity);
    add_list(&text, " d", &facts, facts.divisibility);
    add_list(&text, " k", &facts, facts.constancy);
    if (strcmp(teeny_string_text(&text), row->facts) != 0)
        fail_msg("%s: expected %s, found %s", row->name, row->facts, teeny_string_text(&text));
    teeny_string_free(&text);
    mlirOperationDestroy(module);
    arena_destroy(arena);
}

static void each_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MlirContext context = dialect_context_create();
        check_row(context, &rows[i]);
        mlirContextDestroy(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
