"""Scalar expressions, of every type and operator, with the same value under every C compiler."""

from elements import (BITS, ELEMENTS, FLOATS, INTEGERS, I32, common, is_float, is_integer,
                      is_number, limits, promoted, scalar)
from tree import Node, constant, variable

COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
FLOAT_CONSTANTS = [0.0, 1.0, -1.0, 0.5, 1.5, -2.25, 3.75, 7.0, -100.0, 1024.5, 1e10]
# A product with one of these is exact, so it is the same whether or not a sum fuses with it.
EXACT_FACTORS = [1.0, 2.0, 4.0, -1.0, -2.0]
ROUNDINGS = ["floor", "ceil", "trunc", "round"]
MEMORY_MASK = 15  # scalar memory is read and written at p[0..15]


class Scalars:
    """A part of Generator (generator.py)."""

    # ---- Leaves ------------------------------------------------------------------------------

    def constant(self, element):
        choice = self.choice
        if element in FLOATS:
            return constant(scalar(element), choice.pick(FLOAT_CONSTANTS))
        least, most = limits(element)
        kind = choice.weighted({"small": 8, "edge": 1, "any": 1})
        if kind == "small":
            return constant(scalar(element), max(least, min(most, choice.between(-4, 20))))
        if kind == "edge":
            return constant(scalar(element), choice.pick([least, most, most - 1, least + 1]))
        return constant(scalar(element), choice.between(least, most))

    def leaf(self, accepts=lambda type_: True):
        readable = self.context.scalars(accepts)
        kind = self.choice.weighted({"variable": 8 if readable else 0, "constant": 2, "memory": 2,
                                     "program": 0.3})
        if kind == "variable":
            return variable(self.choice.pick(readable))
        if kind == "memory":
            elements = [each for each in self.context.pointer_elements() if accepts(scalar(each))]
            if elements:
                return self.memory(self.choice.pick(elements), 0)
        if kind == "program" and accepts(I32):
            name = self.choice.pick(["program_id", "num_programs"])
            return Node("program", I32, data=(name, self.choice.below(3)))
        fitting = [each for each in ELEMENTS if accepts(scalar(each))]
        return self.constant(self.choice.pick(fitting))

    def memory(self, element, depth):
        """A scalar in memory: p[i] or *p."""
        pointers = self.context.pointers(element)
        base = variable(self.choice.pick(pointers))
        if self.choice.chance(0.2):
            moved = base
            if self.choice.chance(0.5):
                moved = Node("binary", base.type, [base, self.small_index(depth)], "+")
            return Node("dereference", scalar(element), [moved])
        return Node("index", scalar(element), [base, self.small_index(depth)])

    def small_index(self, depth):
        if self.choice.chance(0.4):
            return constant(I32, self.choice.between(0, MEMORY_MASK))
        return self.bounded(MEMORY_MASK, depth)

    def bounded(self, most, depth):
        """An integer from 0 to most, which is a power of two less 1."""
        any_integer = self.integer(depth)
        type_ = scalar(common(any_integer.type.element, "i32"))
        return Node("binary", type_, [any_integer, constant(I32, most)], "&")

    # ---- Expressions -------------------------------------------------------------------------

    def scalar(self, depth):
        """Any scalar expression."""
        if depth <= 0:
            return self.leaf()
        kind = self.choice.weighted({
            "leaf": 3, "arithmetic": 8, "divide": 1.5, "bits": 3, "shift": 1.5, "compare": 2,
            "logical": 2, "unary": 2, "convert": 2, "conditional": 2, "function": 1.5,
            "call": 2 if self.callable_helpers(is_number) else 0,
            "effect": 4 if self.pending else 0, "comma": 0.3, "block": 0.4,
            "reduce": 1.5 if "reductions" in self.context.features and self.context.shapes else 0,
        })
        return getattr(self, "make_" + kind)(depth - 1)

    def integer(self, depth):
        return self.of_class(depth, lambda type_: is_integer(type_) or type_.element == "bool")

    def of_class(self, depth, accepts):
        """An expression whose type is accepted, by a cast where it is not."""
        if depth <= 0:
            return self.leaf(accepts)
        made = self.scalar(depth)
        if accepts(made.type):
            return made
        fitting = [each for each in ELEMENTS if accepts(scalar(each))]
        return self.convert(made, self.choice.pick(fitting), "cast")

    def of_element(self, element, depth, converts=False):
        """An expression of one element; `converts` where C converts to it by itself here."""
        accepts = (lambda type_: True) if converts else (lambda type_: type_.element == element)
        made = self.scalar(depth) if depth > 0 else self.leaf(accepts)
        if made.type.element == element:
            return made
        return self.convert(made, element, "implicit" if converts else "cast")

    def convert(self, made, element, how):
        return Node("convert", scalar(element), [made], how)

    def condition(self, depth):
        """A scalar that is often true and often false."""
        kind = self.choice.weighted({"bits": 3, "compare": 4, "any": 1, "logical": 2})
        if kind == "bits":
            low = self.bounded(self.choice.pick([1, 3]), depth)
            return Node("binary", I32, [low, constant(I32, self.choice.between(0, 1))],
                        self.choice.pick(["==", "!=", "<="]))
        if kind == "compare":
            return self.make_compare(depth)
        if kind == "logical":
            return self.make_logical(depth)
        return self.scalar(depth)

    # ---- One operator each -------------------------------------------------------------------

    def make_leaf(self, depth):
        return self.leaf()

    def make_arithmetic(self, depth):
        left, right = self.scalar(depth), self.scalar(depth)
        operator = self.choice.pick(["+", "-", "*"])
        element = common(left.type.element, right.type.element)
        if operator == "*" and element in FLOATS:
            right = constant(scalar(element), self.choice.pick(EXACT_FACTORS))
            element = common(left.type.element, right.type.element)
        return Node("binary", scalar(element), [left, right], operator)

    def make_divide(self, depth):
        if self.choice.chance(0.25):
            return self.divide_floats(depth)
        left, right = self.integer(depth), self.nonzero(depth)
        element = common(left.type.element, right.type.element)
        return Node("binary", scalar(element), [left, right], self.choice.pick(["/", "%"]))

    def divide_floats(self, depth):
        left, right = self.of_class(depth, is_float), self.scalar(depth)
        element = common(left.type.element, right.type.element)
        return Node("binary", scalar(element), [left, right], "/")

    def nonzero(self, depth):
        """An integer that is not 0. -1 under the smallest number wraps, says the language."""
        if self.choice.chance(0.5):
            number = self.choice.pick([1, 2, 3, 5, 7, 8, 10, 100, -1, -2, -3, -7])
            return constant(I32, number)
        any_integer = self.integer(depth)
        type_ = scalar(promoted(any_integer.type.element))
        return Node("binary", type_, [any_integer, constant(I32, 1)], "|")

    def make_bits(self, depth):
        left, right = self.integer(depth), self.integer(depth)
        type_ = scalar(common(left.type.element, right.type.element))
        return Node("binary", type_, [left, right], self.choice.pick(["&", "|", "^"]))

    def make_shift(self, depth):
        left = self.integer(depth)
        element = promoted(left.type.element)
        return Node("binary", scalar(element), [left, self.shift_count(element, depth)],
                    self.choice.pick(["<<", ">>"]))

    def shift_count(self, element, depth):
        return self.bounded(BITS[element] - 1, depth)

    def make_compare(self, depth):
        children = [self.scalar(depth), self.scalar(depth)]
        return Node("binary", I32, children, self.choice.pick(COMPARISONS))

    def make_logical(self, depth):
        children = [self.scalar(depth), self.scalar(depth)]
        return Node("binary", I32, children, self.choice.pick(["&&", "||"]))

    def make_unary(self, depth):
        operator = self.choice.pick(["-", "~", "!", "+"])
        operand = self.integer(depth) if operator == "~" else self.scalar(depth)
        element = operand.type.element if is_float(operand.type) else promoted(operand.type.element)
        return Node("unary", I32 if operator == "!" else scalar(element), [operand], operator)

    def make_convert(self, depth):
        how = self.choice.pick(["cast", "cast", "tl_cast"])
        return self.convert(self.scalar(depth), self.choice.pick(ELEMENTS), how)

    def make_conditional(self, depth):
        condition, yes, no = self.condition(depth), self.scalar(depth), self.scalar(depth)
        type_ = scalar(common(yes.type.element, no.type.element))
        return Node("conditional", type_, [condition, yes, no])

    def make_comma(self, depth):
        children = [self.scalar(depth), self.scalar(depth)]
        return Node("binary", children[1].type, children, ",")

    def make_function(self, depth):
        """The elementwise functions of the language, on scalars."""
        name = self.choice.pick(["maximum", "minimum", "clamp", "abs", "cdiv", "where", "fma",
                                 *ROUNDINGS])
        if name == "fma":
            element = self.choice.pick(FLOATS)
            children = [self.of_element(element, min(depth, 1)) for _ in range(3)]
            return Node("function", scalar(element), children, name)
        if name in ROUNDINGS:
            operand = self.of_class(depth, is_float)
            return Node("function", operand.type, [operand], name)
        if name == "abs":
            operand = self.of_class(depth, lambda type_: type_.element != "bool")
            return Node("function", operand.type, [operand], name)
        if name == "cdiv":
            children = [self.integer(depth), self.nonzero(depth)]
        elif name == "where":
            children = [self.scalar(depth), self.scalar(depth)]
        else:
            children = [self.scalar(depth) for _ in range(3 if name == "clamp" else 2)]
        element = common(children[0].type.element, children[1].type.element)
        if name == "clamp":
            element = common(element, children[2].type.element)
        if name == "where":
            children.insert(0, self.condition(depth))
        return Node("function", scalar(element), children, name)

    # ---- Changes inside of expressions -------------------------------------------------------

    def full(self, make, assigned=None):
        """A full expression, by make(); it may also change a variable that it reads nowhere else, and
        that is not the one that it is assigned to."""
        context, before = self.context, self.context.reserved
        targets = [each for each in context.assignable(is_number) if each is not assigned]
        self.pending = []
        if targets and self.choice.chance(0.25):
            self.pending = [self.choice.pick(targets)]
        context.reserved = before + self.pending
        made = make()
        context.reserved = before
        self.pending = []
        return made

    def make_effect(self, depth):
        """`x++`, `x = e`, `x += e`, or a change that the expression goes on with behind `,`, && or ||.
        """
        choice, target = self.choice, self.pending.pop()
        kind = choice.weighted({"step": 4, "assign": 2, "compound": 2})
        if kind == "step":
            effect = self.step(target)
        elif kind == "assign":
            value = self.of_element(target.type.element, min(depth, 1), converts=True)
            effect = Node("assign", target.type, [variable(target), value], "=")
        else:
            effect = self.compound_of(variable(target), min(depth, 1))
        if choice.chance(0.6):
            return effect
        operator = choice.pick([",", "&&", "||"])
        after = Node("binary", scalar(common(target.type.element, "i32")),
                     [variable(target), constant(I32, choice.between(0, 3))], "+")
        type_ = after.type if operator == "," else I32
        return Node("binary", type_, [effect, after], operator)

    def step(self, target):
        return self.step_of(variable(target))

    def step_of(self, place):
        return Node("step", place.type, [place], self.choice.pick(["x++", "x--", "++x", "--x"]))

    def compound_of(self, place, depth):
        """`place op= e`; the place is a scalar."""
        element = place.type.element
        if element in FLOATS:
            operator = self.choice.pick(["+", "-", "*", "/"])
            value = (constant(scalar(element), self.choice.pick(EXACT_FACTORS)) if operator == "*"
                     else self.scalar(depth))
            return Node("assign", place.type, [place, value], operator + "=")
        operator = self.choice.pick(["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"])
        if operator in ("/", "%"):
            value = self.nonzero(depth)
        elif operator in ("<<", ">>"):
            value = self.shift_count(promoted(element), depth)
        elif operator in ("&", "|", "^"):
            value = self.integer(depth)
        else:
            value = self.integer(depth) if operator == "*" else self.scalar(depth)
        return Node("assign", place.type, [place, value], operator + "=")

    def make_block(self, depth):
        """({ T v = e; v op= e; v; })"""
        context = self.context
        context.enter()
        inner = context.new_variable(scalar(self.choice.pick(INTEGERS)))
        initial = self.of_element(inner.type.element, depth, converts=True)
        context.bring(inner)
        declared = Node("declare", None, [initial], inner)
        changed = Node("expression", None, [self.compound_of(variable(inner), min(depth, 1))])
        context.leave()
        return Node("block_value", inner.type, [declared, changed, variable(inner)])

    # ---- Calls -------------------------------------------------------------------------------

    def callable_helpers(self, accepts):
        """Helpers that only compute: their results are all that they do."""
        return [each for each in self.context.helpers
                if each.result and accepts(each.result) and not each.uses_memory
                and self.context.affords(each.cost)]

    def make_call(self, depth):
        return self.call(self.choice.pick(self.callable_helpers(is_number)), depth)

    def call(self, helper, depth):
        self.context.spend(helper.cost)
        arguments = [self.argument(each.type, depth) for each in helper.parameters]
        return Node("call", helper.result, arguments, helper)

    def argument(self, type_, depth):
        if is_number(type_):
            return self.of_element(type_.element, min(depth, 1), converts=True)
        if type_.kind == "pointer":
            return variable(self.choice.pick(self.context.pointers(type_.element)))
        return self.tile(type_, min(depth, 1))
