/* Random kernels as tt: see order_kernel.h. Node i is the value %i. */
#include "order_kernel.h"

#include <stdio.h>

struct text {
    char *data;
    size_t size;
    FILE *stream;
    const struct kernel *kernel;
};

static void tile_type(struct text *text, const char *element)
{
    unsigned side = text->kernel->side;
    if (side)
        fprintf(text->stream, "tensor<%ux%ux%s>", side, side, element);
    else
        fprintf(text->stream, "tensor<%ux%s>", text->kernel->lanes, element);
}

static void end_with_type(struct text *text, const char *element)
{
    fputs(" : ", text->stream);
    tile_type(text, element);
    fputc('\n', text->stream);
}

static void write_index(struct text *text, int i, bool row)
{
    const struct kernel *kernel = text->kernel;
    unsigned length = kernel->side ? kernel->side : kernel->lanes;
    fprintf(text->stream,
        "%%r%d = tt.make_range {end = %u : i32, start = 0 : i32} : tensor<%uxi32>\n", i, length,
        length);
    if (!kernel->side) {
        fprintf(text->stream, "%%z%d = arith.constant dense<0> : tensor<%uxi32>\n", i, length);
        fprintf(text->stream, "%%%d = arith.addi %%r%d, %%z%d", i, i, i);
        end_with_type(text, "i32");
        return;
    }
    fprintf(text->stream,
        "%%e%d = tt.expand_dims %%r%d {axis = %d : i32} : tensor<%uxi32> -> tensor<", i, i,
        row ? 1 : 0, length);
    fprintf(text->stream, row ? "%ux1xi32" : "1x%uxi32", length);
    fprintf(text->stream, ">\n%%%d = tt.broadcast %%e%d : tensor<", i, i);
    fprintf(text->stream, row ? "%ux1xi32" : "1x%uxi32", length);
    fputs("> -> ", text->stream);
    tile_type(text, "i32");
    fputc('\n', text->stream);
}

static void write_splat(struct text *text, int i, const char *scalar)
{
    fprintf(text->stream, "%%%d = tt.splat %s : i32 -> ", i, scalar);
    tile_type(text, "i32");
    fputc('\n', text->stream);
}

static void write_pointers(struct text *text, int i, const struct node *node)
{
    const char *element = node->narrow ? "i16" : "i32";
    char pointer[16], type[32];
    snprintf(pointer, sizeof pointer, "%%p%d", node->pointer);
    snprintf(type, sizeof type, "!tt.ptr<%s>", element);
    if (node->narrow) {
        fprintf(text->stream, "%%n%d = tt.bitcast %s : !tt.ptr<i32> -> !tt.ptr<i16>\n", i, pointer);
        snprintf(pointer, sizeof pointer, "%%n%d", i);
    }
    fprintf(text->stream, "%%s%d = tt.splat %s : %s -> ", i, pointer, type);
    tile_type(text, type);
    fprintf(text->stream, "\n%%a%d = tt.addptr %%s%d, %%%d : ", i, i, node->a);
    tile_type(text, type);
    fputs(", ", text->stream);
    tile_type(text, "i32");
    fputc('\n', text->stream);
}

static void write_load(struct text *text, int i, const struct node *node)
{
    write_pointers(text, i, node);
    fprintf(text->stream, "%%%s%d = tt.load %%a%d", node->narrow ? "h" : "", i, i);
    if (node->mask >= 0)
        fprintf(text->stream, ", %%%d", node->mask);
    if (node->mask >= 0 && !node->narrow)
        fprintf(text->stream, ", %%%d", node->b);
    end_with_type(text, node->narrow ? "!tt.ptr<i16>" : "!tt.ptr<i32>");
    if (!node->narrow)
        return;
    fprintf(text->stream, "%%%d = arith.extsi %%h%d : ", i, i);
    tile_type(text, "i16");
    fputs(" to ", text->stream);
    tile_type(text, "i32");
    fputc('\n', text->stream);
}

static void write_store(struct text *text, int i, const struct node *node)
{
    write_pointers(text, i, node);
    if (node->narrow) {
        fprintf(text->stream, "%%h%d = arith.trunci %%%d : ", i, node->b);
        tile_type(text, "i32");
        fputs(" to ", text->stream);
        tile_type(text, "i16");
        fputc('\n', text->stream);
    }
    fprintf(text->stream, "tt.store %%a%d, %%%s%d", i, node->narrow ? "h" : "",
        node->narrow ? i : node->b);
    if (node->mask >= 0)
        fprintf(text->stream, ", %%%d", node->mask);
    end_with_type(text, node->narrow ? "!tt.ptr<i16>" : "!tt.ptr<i32>");
}

static void write_scalar_store(struct text *text, int i, const struct node *node)
{
    fprintf(text->stream, "%%c%d = arith.constant %d : i32\n", i, node->number);
    fprintf(
        text->stream, "%%a%d = tt.addptr %%p%d, %%c%d : !tt.ptr<i32>, i32\n", i, node->pointer, i);
    fprintf(text->stream, "tt.store %%a%d, %%c%d : !tt.ptr<i32>\n", i, i);
}

static void write_binary(struct text *text, int i, const struct node *node)
{
    static const char *const names[KINDS] = {[ADD] = "addi",
        [SUBTRACT] = "subi",
        [MULTIPLY] = "muli",
        [XOR] = "xori",
        [AND] = "andi",
        [BOTH] = "andi",
        [LESS] = "cmpi slt,",
        [NOT_BEFORE] = "cmpi sge,"};
    fprintf(text->stream, "%%%d = arith.%s %%%d, %%%d", i, names[node->kind], node->a, node->b);
    end_with_type(text, node->kind == BOTH ? "i1" : "i32");
}

static void write_node(struct text *text, int i)
{
    const struct node *node = &text->kernel->nodes[i];
    char scalar[24];
    switch (node->kind) {
    case RANGE:
    case ROW:
        write_index(text, i, node->kind == ROW);
        break;
    case NUMBER:
        fprintf(text->stream, "%%%d = arith.constant dense<%d>", i, node->number);
        end_with_type(text, "i32");
        break;
    case PROGRAM:
        fprintf(text->stream, "%%f%d = arith.constant %d : i32\n", i, node->number);
        fprintf(text->stream, "%%g%d = arith.muli %%pid, %%f%d : i32\n", i, i);
        snprintf(scalar, sizeof scalar, "%%g%d", i);
        write_splat(text, i, scalar);
        break;
    case ARGUMENT:
        write_splat(text, i, "%n");
        break;
    case ODD:
        fprintf(text->stream, "%%%d = arith.trunci %%%d : ", i, node->a);
        tile_type(text, "i32");
        fputs(" to ", text->stream);
        tile_type(text, "i1");
        fputc('\n', text->stream);
        break;
    case TRANSPOSE:
        fprintf(text->stream, "%%%d = tt.trans %%%d {order = array<i32: 1, 0>} : ", i, node->a);
        tile_type(text, "i32");
        fputs(" -> ", text->stream);
        tile_type(text, "i32");
        fputc('\n', text->stream);
        break;
    case LOAD:
        write_load(text, i, node);
        break;
    case STORE:
        write_store(text, i, node);
        break;
    case SCALAR_STORE:
        write_scalar_store(text, i, node);
        break;
    default:
        write_binary(text, i, node);
    }
}

char *kernel_text(const struct kernel *kernel)
{
    struct text text = {.kernel = kernel};
    text.stream = open_memstream(&text.data, &text.size);
    fputs("tt.func public @k(%p0: !tt.ptr<i32>, %p1: !tt.ptr<i32>, %p2: !tt.ptr<i32>, %n: i32) {\n"
          "%pid = tt.get_program_id x : i32\n",
        text.stream);
    for (int i = 0; i < kernel->count; i++)
        write_node(&text, i);
    fputs("tt.return\n}\n", text.stream);
    fclose(text.stream);
    return text.data;
}
