"""A program as kernel text: TEENY_DEVICE and TEENY_KERNEL."""

from print_c import Printer
from tree import Helper

SLICE_TEXT = ("(((tl_program_id(2) * tl_num_programs(1) + tl_program_id(1)) * tl_num_programs(0) "
              "+ tl_program_id(0)) * 4096 + 2048)")


class KernelPrinter(Printer):
    def __init__(self, prefix, meta=()):
        super().__init__(prefix)
        self.meta = {number.data: name.name for name, number in meta}

    def dimensions(self, shape):
        """META stands where its value does, in tiles of rank 1."""
        if len(shape) == 1 and shape[0] in self.meta:
            return self.meta[shape[0]]
        return ", ".join(str(each) for each in shape)

    def type_text(self, type_):
        if type_.kind == "mask":
            return "__auto_type"
        if type_.kind == "tile":
            return f"tl_tile({type_.element}, {self.dimensions(type_.shape)})"
        return type_.element + (" *" if type_.kind == "pointer" else "")

    def print_store(self, node):
        self.line(f"tl_store({self.list(node.children)});")

    def text_convert(self, node):
        inner = self.expression(node.children[0])
        if node.data == "implicit":
            return inner
        if node.data == "cast":
            return f"(({node.type.element}){inner})"
        return f"tl_cast({node.type.element}, {inner})"

    def text_bitcast(self, node):
        return f"tl_bitcast({node.type.element}, {self.expression(node.children[0])})"

    def text_mask_lanes(self, node):
        return self.expression(node.children[0])

    def text_as_bool(self, node):
        return f"tl_mask({self.expression(node.children[0])})"

    def text_function(self, node):
        return f"tl_{node.data}({self.list(node.children)})"

    def text_where(self, node):
        return f"tl_where({self.list(node.children)})"

    def text_program(self, node):
        return f"tl_{node.data[0]}({node.data[1]})"

    def text_program_slice(self, node):
        return SLICE_TEXT

    def text_arange(self, node):
        begin, end = node.data
        if begin == 0 and end in self.meta:
            return f"tl_arange(0, {self.meta[end]})"
        return f"tl_arange({begin}, {end})"

    def text_full(self, node):
        dimensions = self.dimensions(node.type.shape)
        if not node.children:
            return f"tl_zeros({node.type.element}, {dimensions})"
        value = self.expression(node.children[0])
        return f"tl_full({node.type.element}, {value}, {dimensions})"

    def text_load(self, node):
        return f"tl_load({self.list(node.children)})"

    def text_shape(self, node):
        inner = self.expression(node.children[0])
        name = node.data[0]
        if name == "trans":
            return f"tl_trans({inner})"
        if name == "expand":
            axis = node.data[1]
            return f"tl_expand({inner}, {axis}, {node.type.shape[axis]})"
        if name == "expand_dims":
            return f"tl_expand_dims({inner}, {node.data[1]})"
        return f"tl_{name}({inner}, {', '.join(str(each) for each in node.data[1])})"

    def text_dot(self, node):
        return f"tl_dot({self.list(node.children)})"

    def text_reduce(self, node):
        name, axis = node.data
        inner = self.expression(node.children[0])
        if isinstance(name, Helper):
            inner += f", {self.prefix}{name.name}"
            name = "reduce"
        if axis is None:
            return f"tl_{name}({inner})"
        left = "".join(f", {each}" for each in node.type.shape)
        return f"tl_{name}({inner}, {axis}{left})"


def print_kernel(program, name):
    """The helpers and the kernel, which is called `name`."""
    texts = []
    for helper in program.helpers:
        printer = KernelPrinter(name + "_")
        printer.statements(helper.body.children)
        result = printer.type_text(helper.result).strip() if helper.result else "void"
        texts.append(f"TEENY_DEVICE({result}, {name}_{helper.name}, "
                     f"({printer.parameters(helper.parameters)}), {{\n"
                     + "\n".join(printer.lines) + "\n});")
    printer = KernelPrinter(name + "_", program.meta)
    printer.statements(program.body.children)
    parameters = printer.parameters(program.buffers + [each for each, _ in program.scalars])
    meta = ", ".join(f"{each.name} = {number.data}" for each, number in program.meta)
    texts.append(f"TEENY_KERNEL({name}, ({parameters}), META({meta}), {{\n"
                 + "\n".join(printer.lines) + "\n});")
    return "\n\n".join(texts)
