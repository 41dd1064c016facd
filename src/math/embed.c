/* teeny-math OUT FILE...: lowers the math functions to the tt dialect, into a C file.
 *
 * Runs when teenyc is built. Takes each TEENY_DEVICE of the files that functions.def names, inlines
 * its helpers, cleans it up, sees that it is straight line and without effects, and writes its text
 * as an entry of math_functions (functions.h). Exit 1 after a diagnostic.
 */
#include "dialect/dialect.h"
#include "frontend/frontend.h"

#include "mlir-c/Transforms.h"

#include <string.h>

struct embedding {
    arena *arena;
    MlirContext context;
    diagnostics diagnostics;
    FILE *out;
};

static bool is_wanted(const char *name)
{
    static const char *const names[] = {
#define FUNCTION(operation, stem, f32_bound, f64_bound, summary) #stem "_f32", #stem "_f64",
#define REDUCED(operation, stem) #stem "_f32", #stem "_f64",
#define INSTRUCTION(operation, stem, f32_bound) #stem "_by_instruction_f32",
#include "math/functions.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool fail(const char *name, const char *problem, const char *what)
{
    fprintf(stderr, "teeny-math: %s: %s%s\n", name, problem, what);
    return false;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static MlirOperation first_function(MlirModule module)
{
    return mlirBlockGetFirstOperation(mlirModuleGetBody(module));
}

static bool may_stand(MlirOperation op)
{
    enum op_id id = op_id_of(op);
    return id == OP_TT_RETURN || id == OP_ARITH_CONSTANT ||
           (ir_is_pure(op) && ir_is_elementwise(op) && mlirOperationGetNumResults(op) == 1);
}

static bool check(const char *name, MlirModule module)
{
    MlirOperation function = first_function(module);
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
    if (!mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
        return fail(name, "it has several blocks", "");
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
        op = mlirOperationGetNextInBlock(op))
        if (!may_stand(op))
            return fail(name,
                "only constants and pure elementwise operations may stand in it, not ",
                op_id_name(op_id_of(op)));
    return true;
}

/* ---- One function ---------------------------------------------------------------------------- */

static bool clean(MlirModule module)
{
    MlirOperation op = mlirModuleGetOperation(module);
    MlirPassManager manager = mlirPassManagerCreate(mlirOperationGetContext(op));
    mlirPassManagerAddOwnedPass(manager, mlirCreateTransformsCanonicalizer());
    mlirPassManagerAddOwnedPass(manager, mlirCreateTransformsCSE());
    mlirPassManagerAddOwnedPass(manager, mlirCreateTransformsCanonicalizer());
    MlirLogicalResult result = mlirPassManagerRunOnOp(manager, op);
    mlirPassManagerDestroy(manager);
    return mlirLogicalResultIsSuccess(result);
}

/* As the inside of a string literal, a literal a line. */
static void write_text(MlirStringRef text, void *user)
{
    FILE *out = user;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        if (c == '\n')
            fputs("\\n\"\n    \"", out);
        else if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else
            fputc(c, out);
    }
}

static bool embed(struct embedding *embedding, const frontend_kernel *helpers, const char *name)
{
    MlirModule module = frontend_lower_helper(
        embedding->context, embedding->arena, helpers, name, &embedding->diagnostics);
    if (mlirModuleIsNull(module))
        return fail(name, "it cannot be lowered", "");
    bool is_right = clean(module) && check(name, module);
    if (is_right) {
        fprintf(embedding->out, "    {\"%s\",\n    \"", name);
        ir_print(first_function(module), 0, write_text, embedding->out);
        fputs("\"},\n", embedding->out);
    }
    mlirModuleDestroy(module);
    return is_right;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static bool embed_file(struct embedding *embedding, const char *path)
{
    const char *error;
    const source_file *file = source_file_read(embedding->arena, path, &error);
    if (!file)
        return fail(path, error, "");
    const capture *captures;
    frontend_kernel helpers;
    if (!captures_read(embedding->arena, file, &embedding->diagnostics, &captures) ||
        !frontend_read_helpers(embedding->arena, captures, &embedding->diagnostics, &helpers))
        return false;
    for (const capture *each = captures; each; each = each->next)
        if (each->kind == CAPTURE_DEVICE && each->whole.file == file && is_wanted(each->name) &&
            !embed(embedding, &helpers, each->name))
            return false;
    return true;
}

static bool embed_all(struct embedding *embedding, char **paths, int count)
{
    fputs("/* Made by teeny-math. */\n#include \"math/functions.h\"\n\n"
          "const struct math_function math_functions[] = {\n",
        embedding->out);
    for (int i = 0; i < count; i++)
        if (!embed_file(embedding, paths[i]))
            return false;
    fputs("};\n\nconst size_t math_function_count = sizeof math_functions / sizeof *math_functions;"
          "\n",
        embedding->out);
    return ferror(embedding->out) == 0;
}

int main(int count, char **words)
{
    if (count < 3) {
        fputs("usage: teeny-math OUT FILE...\n", stderr);
        return 2;
    }
    struct embedding embedding = {
        .arena = arena_create(),
        .context = dialect_context_create(),
        .diagnostics = {.out = stderr},
        .out = fopen(words[1], "w"),
    };
    bool is_right = embedding.out && embed_all(&embedding, words + 2, count - 2);
    if (embedding.out)
        is_right &= fclose(embedding.out) == 0;
    if (!is_right)
        remove(words[1]);
    mlirContextDestroy(embedding.context);
    arena_destroy(embedding.arena);
    return is_right ? 0 : 1;
}
