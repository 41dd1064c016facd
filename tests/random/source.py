"""A C file of random programs for runner.c: kernels, references, and the table of both."""

from print_c import print_constant
from print_kernel import print_kernel
from print_reference import print_reference

HEAD = """#include "runner.h"

#include <teeny/kernel.h>

#include "reference.h"
"""


def call_arguments(program, buffers):
    arguments = [f"{buffers}[RANDOM_{each.type.element}]" for each in program.buffers]
    return ", ".join(arguments + [print_constant(number) for _, number in program.scalars])


def print_entries(program, name):
    """How the runner starts the kernel and the reference."""
    columns, rows, layers = program.grid
    arguments = call_arguments(program, "buffers")
    return f"""static teeny_status {name}_launch(teeny_stream *stream, void *const *buffers)
{{
    return TEENY_LAUNCH({name}, stream, teeny_grid3({columns}, {rows}, {layers}), {arguments});
}}

static void {name}_run_reference(void *const *buffers)
{{
    i32 *id = reference_grid.id, *count = reference_grid.count;
    count[0] = {columns};
    count[1] = {rows};
    count[2] = {layers};
    for (id[2] = 0; id[2] < {layers}; id[2]++)
        for (id[1] = 0; id[1] < {rows}; id[1]++)
            for (id[0] = 0; id[0] < {columns}; id[0]++)
                {name}_reference({arguments});
}}
"""


def print_file(programs):
    """`programs`: (name, Program) each."""
    parts, table = [HEAD], []
    for name, program in programs:
        parts += [print_kernel(program, name), print_reference(program, name),
                  print_entries(program, name)]
        table.append(f'    {{"{name}", {program.seed}, {name}_launch, {name}_run_reference}},')
    parts.append("const struct random_program random_programs[] = {\n" + "\n".join(table)
                 + "\n    {0},\n};\n")
    return "\n".join(parts)
