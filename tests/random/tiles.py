"""Tile expressions: operators, masks, casts, shapes, loads and reductions."""

from elements import (BITS, ELEMENTS, FLOATS, INTEGERS, I32, is_float, is_tile, lane_of_mask, lanes,
                      mask, scalar, tile)
from scalars import COMPARISONS, EXACT_FACTORS
from tree import Node, constant, variable

GATHER_MASK = 63  # lanes are loaded from p[0..63], and stored there
REDUCTIONS = ["sum", "prod", "max", "min", "argmax", "argmin"]
# What tl_dot sums, and of which integers the factors are.
SUMMED = {"i32": ["i8"], "f32": ["i8", "u8"], "f64": ["i8", "u8", "i16"]}
MOST_LANES = 256  # of a tile


def widened(element):
    """The element of a sum."""
    if element in INTEGERS and BITS[element] < 32:
        return "i32" if element[0] == "i" else "u32"
    return element


def is_comparison(node):
    """Whether a tile of integers is one that teenyc still knows as a comparison: `&`, `|` and `^`
    combine it with no scalar."""
    if node.kind == "mask_lanes":
        return True
    passes_on = node.kind in ("shape", "conditional") or (
        node.kind in ("unary", "binary") and node.data in ("~", "&", "|", "^"))
    return passes_on and any(is_comparison(each) for each in node.children)


class Tiles:
    """A part of Generator (generator.py)."""

    # ---- Tiles -------------------------------------------------------------------------------

    def tile(self, type_, depth):
        """A tile of this type."""
        if type_.element == "bool":
            return self.bool_tile(type_.shape, depth)
        if depth <= 0:
            return self.tile_leaf(type_)
        integers = type_.element in INTEGERS
        kind = self.choice.weighted({
            "leaf": 3, "binary": 6, "unary": 1, "where": 2, "cast": 2, "load": 3, "shape": 2,
            "function": 1.5, "bits": 1.5 if integers else 0, "divide": 1,
            "shift": 1 if integers else 0,
            "bitcast": 0.7 if self.bitcast_sources(type_.element) else 0,
            "lanes": 0.7 if type_.element in ("i8", "i16", "i32", "i64") else 0,
            "call": 8 if self.callable_helpers(lambda result: result == type_) else 0,
            "conditional": 1 if "carried-tiles" in self.context.features else 0,
            "reduced": 1 if "reductions" in self.context.features else 0,
            "dot": 1.5 if self.may_dot(type_) else 0,
        })
        return getattr(self, "tile_" + kind)(type_, depth - 1)

    def tile_leaf(self, type_, depth=0):
        readable = self.context.readable(lambda each: each == type_)
        kind = self.choice.weighted({"variable": 8 if readable else 0, "load": 2, "full": 1,
                                     "index": 2 if type_.element == "i32" else 0})
        if kind == "variable":
            return variable(self.choice.pick(readable))
        if kind == "load" and type_.element in self.context.pointer_elements():
            return self.tile_load(type_, 0)
        if kind == "index":
            return self.linear_index(type_.shape)
        return self.tile_full(type_, 0)

    def tile_full(self, type_, depth):
        if self.choice.chance(0.2):
            return Node("full", type_, data="zeros")
        element = type_.element
        return Node("full", type_, [self.of_element(element, min(depth, 1), element not in FLOATS)])

    def linear_index(self, shape):
        """The row-major number of each element."""
        count = lanes(tile("i32", shape))
        begin = self.choice.pick([0, 0, 0, 1, -3])
        flat = Node("arange", tile("i32", (count,)), data=(begin, begin + count))
        if len(shape) == 1:
            return flat
        if len(shape) == 2 and self.choice.chance(0.5):
            return self.index_of_axes(shape)
        return Node("shape", tile("i32", shape), [flat], ("reshape", shape))

    def index_of_axes(self, shape):
        rows, columns = shape
        row = Node("arange", tile("i32", (rows,)), data=(0, rows))
        column = Node("arange", tile("i32", (columns,)), data=(0, columns))
        row = Node("shape", tile("i32", shape), [row], ("expand", 1))
        column = Node("shape", tile("i32", shape), [column], ("expand", 0))
        scaled = Node("binary", row.type, [row, constant(I32, columns)], "*")
        return Node("binary", row.type, [scaled, column], "+")

    # ---- Operators ---------------------------------------------------------------------------

    def operand(self, type_, depth):
        """A tile, or now and then a scalar beside it: of its element, or a constant that fits."""
        if self.choice.chance(0.75):
            return self.tile(type_, depth)
        if self.choice.chance(0.5):
            return constant(I32, self.choice.between(0, 9))
        return self.of_element(type_.element, min(depth, 1))

    def operand_as_it_is(self, type_, depth):
        """The same for functions, which see no constants, only values."""
        if self.choice.chance(0.75):
            return self.tile(type_, depth)
        return self.of_element(type_.element, min(depth, 1))

    def pair(self, type_, depth):
        children = [self.tile(type_, depth), self.operand(type_, depth)]
        if not is_tile(children[1].type) and self.choice.chance(0.3):
            children.reverse()
        return children

    def tile_binary(self, type_, depth):
        operator = self.choice.pick(["+", "-", "*"])
        if operator == "*" and is_float(type_):
            factor = constant(scalar(type_.element), self.choice.pick(EXACT_FACTORS))
            return Node("binary", type_, [self.tile(type_, depth), factor], operator)
        return Node("binary", type_, self.pair(type_, depth), operator)

    def tile_bits(self, type_, depth):
        children = self.pair(type_, depth)
        if any(is_comparison(each) for each in children):
            children = [each if is_tile(each.type) else self.tile_leaf(type_) for each in children]
        return Node("binary", type_, children, self.choice.pick(["&", "|", "^"]))

    def tile_divide(self, type_, depth):
        left = self.tile(type_, depth)
        if is_float(type_):
            return Node("binary", type_, [left, self.operand(type_, depth)], "/")
        return Node("binary", type_, [left, self.nonzero_tile(type_, depth)],
                    self.choice.pick(["/", "%"]))

    def nonzero_tile(self, type_, depth):
        if self.choice.chance(0.4):
            return constant(I32, self.choice.pick([1, 2, 3, 7, 10, 100]))
        return self.with_bits(type_, depth, "|", 1)

    def with_bits(self, type_, depth, operator, number):
        """A tile & or | a number."""
        operand = self.tile(type_, depth)
        if is_comparison(operand):
            operand = self.tile_leaf(type_)
        return Node("binary", type_, [operand, constant(I32, number)], operator)

    def tile_shift(self, type_, depth):
        most = BITS[type_.element] - 1
        if self.choice.chance(0.4):
            count = self.bounded(most, min(depth, 1)) if self.choice.chance(0.5) else (
                constant(I32, self.choice.between(0, most)))
            if count.kind != "constant":
                count = self.convert(count, type_.element, "cast")
        else:
            count = self.with_bits(type_, depth, "&", most)
        return Node("binary", type_, [self.tile(type_, depth), count], self.choice.pick(["<<", ">>"]))

    def tile_unary(self, type_, depth):
        operator = "-" if is_float(type_) else self.choice.pick(["-", "~"])
        return Node("unary", type_, [self.tile(type_, depth)], operator)

    def tile_function(self, type_, depth):
        names = ["maximum", "minimum", "clamp", "abs"]
        names += ["floor", "ceil", "trunc"] if is_float(type_) else ["cdiv"]
        name = self.choice.pick(names)
        children = [self.tile(type_, depth)]
        if name == "cdiv":
            children.append(self.with_bits(type_, depth, "|", 1))
        elif name in ("maximum", "minimum", "clamp"):
            count = 2 if name == "clamp" else 1
            children += [self.operand_as_it_is(type_, depth) for _ in range(count)]
        return Node("function", type_, children, name)

    def tile_where(self, type_, depth):
        yes, no = self.tile(type_, depth), self.operand(type_, depth)
        if is_tile(no.type) and self.choice.chance(0.2):
            yes = self.of_element(type_.element, min(depth, 1))
        return Node("where", type_, [self.any_mask(type_.shape, depth), yes, no])

    def tile_conditional(self, type_, depth):
        return Node("conditional", type_,
                    [self.condition(min(depth, 1)), self.tile(type_, depth), self.tile(type_, depth)])

    def tile_call(self, type_, depth):
        helpers = self.callable_helpers(lambda result: result == type_)
        return self.call(self.choice.pick(helpers), depth)

    # ---- Conversions -------------------------------------------------------------------------

    def tile_cast(self, type_, depth):
        element = self.choice.pick(ELEMENTS)
        return Node("convert", type_, [self.tile(tile(element, type_.shape), depth)], "tl_cast")

    def bitcast_sources(self, element):
        """The bits of a NaN are not defined, so floats are never looked at as integers."""
        return [each for each in INTEGERS if BITS[each] == BITS[element] and each != element]

    def tile_bitcast(self, type_, depth):
        element = self.choice.pick(self.bitcast_sources(type_.element))
        return Node("bitcast", type_, [self.tile(tile(element, type_.shape), depth)])

    def tile_lanes(self, type_, depth):
        """A comparison as the integers that C sees."""
        compared = mask(type_.element, type_.shape)
        return Node("mask_lanes", type_, [self.mask(compared, depth)])

    # ---- Masks -------------------------------------------------------------------------------

    def mask(self, type_, depth):
        """A comparison, or masks of one width combined."""
        readable = self.context.readable(lambda each: each == type_)
        kind = self.choice.weighted({"compare": 5, "combine": 2 if depth > 0 else 0,
                                     "not": 1 if depth > 0 else 0,
                                     "variable": 5 if readable else 0})
        if kind == "variable":
            return variable(self.choice.pick(readable))
        if kind == "combine":
            children = [self.mask(type_, depth - 1), self.mask(type_, depth - 1)]
            return Node("binary", type_, children, self.choice.pick(["&", "|", "^"]))
        if kind == "not":
            return Node("unary", type_, [self.mask(type_, depth - 1)], "~")
        elements = [each for each in INTEGERS + FLOATS if BITS[each] == BITS[type_.element]]
        compared = tile(self.choice.pick(elements), type_.shape)
        return Node("binary", type_, self.pair(compared, depth - 1), self.choice.pick(COMPARISONS))

    def bool_tile(self, shape, depth):
        type_ = tile("bool", shape)
        readable = self.context.readable(lambda each: each == type_)
        kind = self.choice.weighted({
            "variable": 4 if readable else 0, "mask": 3, "load": 1,
            "combine": 2 if depth > 0 else 0, "not": 1 if depth > 0 else 0,
            "cast": 1 if depth > 0 else 0, "full": 0.5,
            "call": 3 if depth > 0 and self.callable_helpers(lambda result: result == type_) else 0})
        if kind == "variable":
            return variable(self.choice.pick(readable))
        if kind == "load" and "bool" in self.context.pointer_elements():
            return self.tile_load(type_, depth - 1)
        if kind == "full":
            return Node("full", type_, [self.of_element("bool", 0, converts=True)])
        if kind == "call":
            return self.tile_call(type_, depth - 1)
        if kind == "cast":
            element = self.choice.pick(INTEGERS + FLOATS)
            return Node("convert", type_, [self.tile(tile(element, shape), depth - 1)], "tl_cast")
        if kind == "combine":
            children = [self.bool_tile(shape, depth - 1), self.bool_tile(shape, depth - 1)]
            return Node("binary", type_, children, self.choice.pick(["&", "|", "^"]))
        if kind == "not":
            return Node("unary", type_, [self.bool_tile(shape, depth - 1)], "~")
        compared = mask(self.choice.pick(["i8", "i16", "i32", "i64"]), shape)
        return Node("as_bool", type_, [self.mask(compared, depth - 1)])

    def any_mask(self, shape, depth):
        """What tl_where, loads and stores take: a comparison of any width, or a tile of bool."""
        if self.choice.chance(0.3):
            return self.bool_tile(shape, depth)
        return self.mask(mask(lane_of_mask(self.choice.pick(INTEGERS)), shape), depth)

    # ---- Shapes ------------------------------------------------------------------------------

    def tile_shape(self, type_, depth):
        element, shape = type_.element, type_.shape
        rank = len(shape)
        kind = self.choice.weighted({
            "reshape": 2, "trans": 2 if rank == 2 else 0, "permute": 1 if rank == 3 else 0,
            "expand": 3 if rank > 1 else 0, "broadcast": 2 if rank > 1 else 0,
            "splat": 0.5})
        if kind == "trans":
            return Node("shape", type_, [self.tile(tile(element, shape[::-1]), depth)], ("trans",))
        if kind == "permute":
            order = self.choice.pick([(1, 0, 2), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 2, 0)])
            old = [0] * rank
            for i in range(rank):
                old[order[i]] = shape[i]
            return Node("shape", type_, [self.tile(tile(element, old), depth)], ("permute", order))
        if kind == "expand":
            axis = self.choice.below(rank)
            inner = tile(element, shape[:axis] + shape[axis + 1:])
            name = "expand_dims" if shape[axis] == 1 and self.choice.chance(0.5) else "expand"
            return Node("shape", type_, [self.tile(inner, depth)], (name, axis))
        if kind == "broadcast":
            axis = self.choice.below(rank)
            inner = tile(element, shape[:axis] + (1,) + shape[axis + 1:])
            return Node("shape", type_, [self.tile(inner, depth)], ("broadcast_to", shape))
        if kind == "splat":
            return Node("shape", type_, [self.of_element(element, min(depth, 1))],
                        ("broadcast_to", shape))
        alike = [each for each in self.context.shapes if lanes(tile(element, each)) == lanes(type_)]
        inner = tile(element, self.choice.pick(alike or [shape]))
        return Node("shape", type_, [self.tile(inner, depth)], ("reshape", shape))

    # ---- Memory ------------------------------------------------------------------------------

    def tile_load(self, type_, depth):
        if type_.element not in self.context.pointer_elements():
            return self.tile_full(type_, depth)
        base = variable(self.choice.pick(self.context.pointers(type_.element)))
        children = [base, self.offsets(type_.shape, depth)]
        if self.choice.chance(0.5):
            children.append(self.any_mask(type_.shape, min(depth, 1)))
            if self.choice.chance(0.5):
                converts = type_.element not in FLOATS
                children.append(self.of_element(type_.element, min(depth, 1), converts))
        return Node("load", type_, children)

    def offsets(self, shape, depth):
        """Which elements a load reads: any of the first 64, often in order."""
        if self.choice.chance(0.6) or depth <= 0:
            return self.row_offsets(shape)
        element = self.choice.pick(["i32", "i32", "i64", "u32", "u8", "i16"])
        return self.with_bits(tile(element, shape), depth, "&", GATHER_MASK)

    def row_offsets(self, shape):
        """No two lanes alike, all of them in -64..127."""
        type_ = tile("i32", shape)
        index = self.linear_index(shape)
        kind = self.choice.weighted({"plain": 5, "moved": 2, "reversed": 1, "transposed": 1})
        if kind == "moved":
            distance = self.convert(self.small_index(1), "i32", "cast")
            return Node("binary", type_, [index, distance], self.choice.pick(["+", "-"]))
        if kind == "reversed":
            return Node("binary", type_, [constant(I32, GATHER_MASK), index], "-")
        if kind == "transposed" and len(shape) == 2:
            return Node("shape", type_, [self.linear_index(shape[::-1])], ("trans",))
        return index

    # ---- Reductions --------------------------------------------------------------------------

    def make_reduce(self, depth):
        """A tile as a scalar. Sums of floats depend on their order, so only integers are summed."""
        shape = self.choice.pick(self.context.shapes)
        combines = [each for each in self.context.helpers if each.is_combine]
        if combines and self.choice.chance(0.4):
            helper = self.choice.pick(combines)
            operand = self.reduced(tile(helper.result.element, shape), depth)
            return Node("reduce", helper.result, [operand], (helper, self.axis_of_scalar(shape)))
        if self.choice.chance(0.2):
            return Node("reduce", I32, [self.any_mask(shape, depth)], ("count", None))
        name, element = self.reduction()
        type_ = scalar(self.reduced_element(name, element))
        operand = self.reduced(tile(element, shape), depth)
        return Node("reduce", type_, [operand], (name, self.axis_of_scalar(shape)))

    def axis_of_scalar(self, shape):
        return 0 if len(shape) == 1 and self.choice.chance(0.5) else None

    def reduced(self, type_, depth):
        """What is reduced; comparisons are counted, not summed."""
        operand = self.tile(type_, depth)
        return self.tile_leaf(type_) if is_comparison(operand) else operand

    def reduction(self):
        name = self.choice.pick(REDUCTIONS)
        exact = INTEGERS if name in ("sum", "prod") else INTEGERS + FLOATS
        return name, self.choice.pick(exact)

    def reduced_element(self, name, element):
        if name.startswith("arg"):
            return "i32"
        return widened(element) if name in ("sum", "prod") else element

    def tile_reduced(self, type_, depth):
        """A tile of one dimension more along which it is reduced."""
        fitting = [(name, element) for name in REDUCTIONS for element in INTEGERS + FLOATS
                   if self.reduced_element(name, element) == type_.element
                   and (name not in ("sum", "prod") or element in INTEGERS)]
        fitting += 4 * [(each, type_.element) for each in self.context.helpers
                        if each.is_combine and each.result.element == type_.element]
        if not fitting or len(type_.shape) == 3 or lanes(type_) > GATHER_MASK // 2:
            return self.tile_leaf(type_)
        name, element = self.choice.pick(fitting)
        axis = self.choice.below(len(type_.shape) + 1)
        shape = type_.shape[:axis] + (self.choice.pick([1, 2, 4]),) + type_.shape[axis:]
        return Node("reduce", type_, [self.reduced(tile(element, shape), depth)], (name, axis))

    # ---- Products ----------------------------------------------------------------------------

    def may_dot(self, type_):
        return ("dot" in self.context.features and len(type_.shape) in (2, 3)
                and type_.element in SUMMED)

    def tile_dot(self, type_, depth):
        """tl_dot of numbers so small that the sums are exact, in whatever order they are added."""
        *batch, rows, columns = type_.shape
        most = MOST_LANES // (max(rows, columns) * (batch[0] if batch else 1))
        inner = self.choice.pick([each for each in (1, 2, 4, 8, 16) if each <= most])
        narrow = self.choice.pick(SUMMED[type_.element])
        factors = [(*batch, rows, inner), (*batch, inner, columns)]
        children = [self.exact(type_.element, narrow, shape, depth) for shape in factors]
        if type_.element in FLOATS:
            return Node("dot", type_, [*children, self.exact(type_.element, "i16", type_.shape, depth)])
        return Node("dot", type_, [*children, self.tile(type_, depth)])

    def exact(self, element, narrow, shape, depth):
        """A tile of integers: as it is for sums of integers, converted for sums of floats."""
        made = self.tile(tile(narrow, shape), min(depth, 1))
        if element not in FLOATS:
            return made
        return Node("convert", tile(element, shape), [made], "tl_cast")
