"""A program as plain scalar C: a tile is an array in a struct, what makes one a loop over its lanes.

Functions of reference.h stand where the language says more than C: division, conversions of floats to
integers, and the elementwise functions.
"""

from elements import FLOATS, common, is_tile, lanes, promoted, scalar, tile
from print_c import Printer
from tree import Helper, Node


def strides(shape):
    made, count = [], 1
    for size in reversed(shape):
        made.insert(0, count)
        count *= size
    return made


def storage(type_):
    """The struct of a tile; masks are tiles of bool."""
    return f"tile_{'bool' if type_.kind == 'mask' else type_.element}_{lanes(type_)}"


def conversion(text, from_element, to_element):
    """A scalar of one element as another."""
    if from_element == to_element:
        return text
    if to_element == "bool":
        return f"({text} != 0)"
    if from_element in FLOATS and to_element not in FLOATS:
        return f"to_{to_element}({text})"
    return f"(({to_element}){text})"


class ReferencePrinter(Printer):
    def __init__(self, prefix):
        super().__init__(prefix)
        self.temporaries = 0

    def fresh(self):
        self.temporaries += 1
        return f"t_{self.temporaries}"

    def type_text(self, type_):
        if is_tile(type_):
            return storage(type_)
        return type_.element + (" *" if type_.kind == "pointer" else "")

    def expression(self, node):
        return self.tile_text(node) if node.type and is_tile(node.type) else super().expression(node)

    # ---- Scalars -----------------------------------------------------------------------------

    def text_convert(self, node):
        inner = node.children[0]
        return conversion(self.expression(inner), inner.type.element, node.type.element)

    def text_binary(self, node):
        if node.data in ("/", "%") and node.type.element not in FLOATS:
            name = "div" if node.data == "/" else "rem"
            return f"{name}_{node.type.element}({self.list(node.children)})"
        return super().text_binary(node)

    def text_assign(self, node):
        target, value = node.children
        operator = node.data[:-1]
        if is_tile(target.type):
            if operator:
                value = Node("binary", target.type, [target, value], operator)
            return f"({target.data.name} = {self.expression(value)})"
        element = target.type.element
        is_shift = operator in ("<<", ">>")
        computed = promoted(element) if is_shift else common(element, value.type.element)
        is_plain = not operator or target.type.kind == "pointer" or (
            operator not in ("/", "%") and (computed in FLOATS) == (element in FLOATS))
        if is_plain:
            return super().text_assign(node)
        place = self.fresh()
        old = Node("raw", scalar(element), data=f"(*{place})")
        result = Node("binary", scalar(computed), [old, value], operator)
        result = conversion(self.expression(result), computed, element)
        return (f"({{ {element} *{place} = &{self.expression(target)}; *{place} = {result}; "
                f"*{place}; }})")

    def text_raw(self, node):
        return node.data

    def text_function(self, node):
        name, element = node.data, node.type.element
        if name == "clamp":
            value, low, high = (self.expression(each) for each in node.children)
            return f"minimum_{element}(maximum_{element}({value}, {low}), {high})"
        children = [self.expression(each) for each in node.children]
        if name == "where":
            children[0] = f"({children[0]} != 0)"
        return f"{name}_{element}({', '.join(children)})"

    def text_program(self, node):
        name, axis = node.data
        return f"reference_grid.{'id' if name == 'program_id' else 'count'}[{axis}]"

    def text_program_slice(self, node):
        return "reference_slice()"

    # ---- Tiles -------------------------------------------------------------------------------

    def tile_text(self, node):
        """The tile as a C expression of its struct."""
        if node.kind == "variable":
            return node.data.name
        if node.kind == "assign":
            return self.text_assign(node)
        if node.kind == "call":
            return self.text_call(node)
        if node.kind == "conditional":
            return self.text_conditional(node)
        if node.kind == "reduce":
            return self.text_reduce(node)
        if node.kind == "dot":
            return self.text_dot(node)
        before, result = [], self.fresh()
        index = result.replace("t_", "l_")
        lane = self.lane(node, index, before)
        return (f"({{ {' '.join(before)} {storage(node.type)} {result}; "
                f"for (int {index} = 0; {index} < {lanes(node.type)}; {index}++) "
                f"{result}.v[{index}] = {lane}; {result}; }})")

    def lane(self, node, index, before):
        """One lane of a tile; `before` gets the statements that must run before the loop."""
        maker = getattr(self, "lane_" + node.kind, None)
        if maker:
            return maker(node, index, before)
        return f"{self.keep(node, before)}.v[{index}]"

    def keep(self, node, before):
        """A name for what a tile or scalar is before the loop."""
        if node.kind == "variable" and is_tile(node.type):
            return node.data.name
        name = self.fresh()
        text = self.expression(node)
        before.append(f"{self.type_text(node.type)} {name} = {text};")
        return name

    def lane_or_scalar(self, node, element, index, before):
        """An operand beside tiles of `element`."""
        if is_tile(node.type):
            return self.lane(node, index, before)
        name = self.fresh()
        text = conversion(self.expression(node), node.type.element, element)
        before.append(f"{element} {name} = {text};")
        return name

    def operand_element(self, node):
        """The element that the operands of a binary node have."""
        tiles = [each.type for each in node.children if is_tile(each.type)]
        return "bool" if tiles[0].kind == "mask" else tiles[0].element

    def lane_binary(self, node, index, before):
        operands = self.operand_element(node)
        left, right = (self.lane_or_scalar(each, operands, index, before) for each in node.children)
        element = node.type.element
        if node.type.kind == "mask" or element == "bool":
            return f"({left} {node.data} {right})"
        if node.data in ("/", "%") and element not in FLOATS:
            return f"{'div' if node.data == '/' else 'rem'}_{element}({left}, {right})"
        return f"(({element})({left} {node.data} {right}))"

    def lane_unary(self, node, index, before):
        inner = self.lane(node.children[0], index, before)
        if node.type.kind == "mask" or node.type.element == "bool":
            return f"(!{inner})"
        return f"(({node.type.element})({node.data}{inner}))"

    def lane_mask_lanes(self, node, index, before):
        return f"(({node.type.element})-{self.lane(node.children[0], index, before)})"

    def lane_as_bool(self, node, index, before):
        return self.lane(node.children[0], index, before)

    def lane_convert(self, node, index, before):
        inner = node.children[0]
        text = self.lane(inner, index, before)
        if inner.type.element != "bool":
            return conversion(text, inner.type.element, node.type.element)
        return text if node.type.element == "bool" else f"(({node.type.element})-{text})"

    def lane_bitcast(self, node, index, before):
        text = self.lane(node.children[0], index, before)
        element = node.type.element
        return f"bits_{element}({text})" if element in FLOATS else f"(({element}){text})"

    def lane_where(self, node, index, before):
        mask, yes, no = node.children
        mask = self.lane(mask, index, before)
        yes, no = (self.lane_or_scalar(each, node.type.element, index, before) for each in (yes, no))
        return f"({mask} ? {yes} : {no})"

    def lane_function(self, node, index, before):
        element = node.type.element
        children = [self.lane_or_scalar(each, element, index, before) for each in node.children]
        if node.data == "clamp":
            return (f"minimum_{element}(maximum_{element}({children[0]}, {children[1]}), "
                    f"{children[2]})")
        return f"{node.data}_{element}({', '.join(children)})"

    def lane_full(self, node, index, before):
        if not node.children:
            return f"(({node.type.element})0)"
        return self.lane_or_scalar(node.children[0], node.type.element, index, before)

    def lane_arange(self, node, index, before):
        return f"({node.data[0]} + {index})"

    def lane_shape(self, node, index, before):
        inner = node.children[0]
        if not is_tile(inner.type):
            return self.lane_or_scalar(inner, node.type.element, index, before)
        name = self.keep(inner, before)
        return f"{name}.v[{self.source_index(node, inner.type.shape, index)}]"

    def source_index(self, node, source, index):
        """Which lane of the source a lane of the result is."""
        shape, name = node.type.shape, node.data[0]
        if name == "reshape":
            return index
        at = [f"({index} / {stride} % {size})" for stride, size in zip(strides(shape), shape)]
        if name in ("expand", "expand_dims"):
            del at[node.data[1]]
        elif name == "trans":
            at.reverse()
        elif name == "permute":
            moved = [None] * len(at)
            for position, order in enumerate(node.data[1]):
                moved[order] = at[position]
            at = moved
        terms = [f"{each} * {stride}" for each, stride, size in zip(at, strides(source), source)
                 if size > 1]
        return " + ".join(terms) or "0"

    # ---- Memory ------------------------------------------------------------------------------

    def lane_load(self, node, index, before):
        base, offsets = node.children[:2]
        element = node.type.element
        base = self.keep(base, before)
        offset = self.lane(offsets, index, before)
        loaded = f"{base}[{offset}]"
        if len(node.children) == 2:
            return loaded
        mask = self.lane(node.children[2], index, before)
        other = "0"
        if len(node.children) > 3:
            other = self.lane_or_scalar(node.children[3], element, index, before)
        return f"({mask} ? {loaded} : {other})"

    def print_store(self, node):
        """All that is stored is computed before the first lane is."""
        before = []
        base, offsets, value = (self.keep(each, before) for each in node.children[:3])
        condition = ""
        if len(node.children) > 3:
            condition = f"if ({self.keep(node.children[3], before)}.v[l_]) "
        count = lanes(node.children[2].type)
        self.line(f"{{ {' '.join(before)} for (int l_ = 0; l_ < {count}; l_++) {condition}"
                  f"{base}[{offsets}.v[l_]] = {value}.v[l_]; }}")

    # ---- Reductions --------------------------------------------------------------------------

    def text_dot(self, node):
        before = []
        a, b, sums = (self.keep(each, before) for each in node.children)
        rows, inner = node.children[0].type.shape[-2:]
        columns = node.type.shape[-1]
        result = self.fresh()
        row, column = f"i_ / {columns}", f"i_ / {rows * columns} * {inner * columns} + i_ % {columns}"
        return (f"({{ {' '.join(before)} {storage(node.type)} {result} = {sums}; "
                f"for (int i_ = 0; i_ < {lanes(node.type)}; i_++) "
                f"for (int k_ = 0; k_ < {inner}; k_++) {result}.v[i_] += "
                f"{a}.v[({row}) * {inner} + k_] * {b}.v[{column} + k_ * {columns}]; {result}; }})")

    def text_reduce(self, node):
        """Each lane of the result goes over its elements in order."""
        name, axis = node.data
        inner = node.children[0]
        before = []
        source = self.keep(inner, before)
        shape = inner.type.shape
        length, stride = lanes(inner.type), 1
        if axis is not None:
            length, stride = shape[axis], strides(shape)[axis]
        result, at, turn = self.fresh(), self.fresh(), self.fresh()
        element = (f"{source}.v[{at} / {stride} * {length * stride} + {at} % {stride} + "
                   f"{turn} * {stride}]")
        count = lanes(node.type) if is_tile(node.type) else 1
        target = f"{result}.v[{at}]" if is_tile(node.type) else result
        first = element.replace(f"{turn} *", "0 *")
        combined = self.combined(node, inner.type.element, target, element, turn, source, at, stride,
                                 length)
        start = {"sum": "0", "count": "0", "prod": "1", "argmax": "0", "argmin": "0"}.get(name, first)
        return (f"({{ {' '.join(before)} {self.type_text(node.type)} {result}; "
                f"for (int {at} = 0; {at} < {count}; {at}++) {{ {target} = {start}; "
                f"for (int {turn} = 0; {turn} < {length}; {turn}++) {combined} }} {result}; }})")

    def combined(self, node, element, target, each, turn, source, at, stride, length):
        name = node.data[0]
        if name in ("sum", "count"):
            return f"{target} += {each};"
        if isinstance(name, Helper):
            return f"if ({turn} > 0) {target} = {self.prefix}{name.name}({target}, {each});"
        if name == "prod":
            return f"{target} *= {each};"
        if name in ("max", "min"):
            return f"{target} = {name}imum_{element}({target}, {each});"
        best = (f"{source}.v[{at} / {stride} * {length * stride} + {at} % {stride} + "
                f"{target} * {stride}]")
        beats = ">" if name == "argmax" else "<"
        zeros = ""  # -0 is less than +0
        if element in FLOATS:
            lower, upper = (best, each) if name == "argmax" else (each, best)
            zeros = f" || ({each} == {best} && signbit({lower}) && !signbit({upper}))"
        return (f"if ({each} {beats} {best} || ({best} != {best} && {each} == {each}){zeros}) "
                f"{target} = {turn};")


def print_reference(program, name):
    """The same as plain C: helpers, and the function `name`_reference."""
    texts = []
    for helper in program.helpers:
        printer = ReferencePrinter(name + "_reference_")
        printer.statements(helper.body.children)
        result = printer.type_text(helper.result).strip() if helper.result else "void"
        texts.append(f"static {result} {name}_reference_{helper.name}"
                     f"({printer.parameters(helper.parameters)})\n{{\n"
                     + "\n".join(printer.lines) + "\n}")
    printer = ReferencePrinter(name + "_reference_")
    for each, number in program.meta:
        printer.line(f"enum {{ {each.name} = {number.data} }};")
    printer.statements(program.body.children)
    parameters = printer.parameters(program.buffers + [each for each, _ in program.scalars])
    texts.append(f"static void {name}_reference({parameters})\n{{\n"
                 + "\n".join(printer.lines) + "\n}")
    return "\n\n".join(texts)
