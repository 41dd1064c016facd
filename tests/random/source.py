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
    columns, rows = program.grid
    arguments = call_arguments(program, "buffers")
    return f"""static teeny_status {name}_launch(teeny_stream *stream, void *const *buffers)
{{
    return TEENY_LAUNCH({name}, stream, teeny_grid2({columns}, {rows}), {arguments});
}}

static void {name}_run_reference(void *const *buffers)
{{
    reference_grid.count[0] = {columns};
    reference_grid.count[1] = {rows};
    for (i32 y = 0; y < {rows}; y++)
        for (i32 x = 0; x < {columns}; x++) {{
            reference_grid.id[0] = x;
            reference_grid.id[1] = y;
            {name}_reference({arguments});
        }}
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
