"""Statements but for loops: declarations, assignments, memory, branches, switches and early exits."""

from elements import (ELEMENTS, INTEGERS, FLOATS, I32, NOTHING, common, is_float, is_number, is_tile,
                      lane_of_mask, mask, pointer, scalar, tile)
from tree import Node, block, constant, statement, variable

DEEPEST = 4
EXPRESSION_DEPTH = 3


class Statements:
    """A part of Generator (generator.py)."""

    # ---- Runs of statements ------------------------------------------------------------------

    def body(self, size, first=()):
        """A block of about `size` statements that begins with the Nodes `first`."""
        self.context.enter()
        made = block(list(first) + self.run(size))
        self.context.leave()
        return made

    def run(self, size):
        made = []
        while size > 0 and self.context.affords():
            statements = self.statement(size)
            made += statements
            size -= sum(self.size_of(each) for each in statements)
        return made + self.mix_locals()

    def size_of(self, node):
        return 1 + sum(self.size_of(each) for each in node.children if each.type is None)

    def statement(self, size):
        context = self.context
        context.spend()
        nests = size > 2 and context.depth < DEEPEST
        loops = nests and context.most_trips() >= 2
        kind = self.choice.weighted({
            "assign": 8, "compound": 5, "step": 2, "choice": 2, "declare": 4, "memory": 5, "mix": 3,
            "tile_declare": 3, "tile_assign": 5, "tile_store": 4, "pointer": 2, "call": 2,
            "block": 1 if nests else 0, "unset": 1 if nests else 0, "if": 8 if nests else 0,
            "switch": 4 if nests else 0, "for": 9 if loops else 0, "while": 4 if loops else 0,
            "do": 3 if loops else 0, "exit": self.exit_weight()})
        nested = kind in ("block", "unset", "if", "switch", "for", "while", "do")
        context.depth += nested
        made = getattr(self, "state_" + kind)(size - 1)
        context.depth -= nested
        return made

    def exit_weight(self):
        if self.context.around:
            return 4
        return 0.2 if self.context.returns is None else 1.5

    def inner_size(self, size):
        return self.choice.between(1, max(1, min(size, 10)))

    def in_new_region(self, make):
        """What make() gives, whose parts run under a condition: tiles of outside are not assigned."""
        before = self.context.region
        self.context.new_region()
        made = make()
        self.context.region = before
        if any(has_exit(each) for each in made):
            self.context.new_region()
        return made

    # ---- Scalars -----------------------------------------------------------------------------

    def value_for(self, type_, depth=EXPRESSION_DEPTH, assigned=None):
        """The right side of an assignment, which may change other variables on the way."""
        if is_number(type_):
            return self.full(lambda: self.of_element(type_.element, depth, converts=True), assigned)
        if type_.kind == "mask":
            return self.mask(type_, depth)
        return self.full(lambda: self.tile(type_, depth))

    def state_declare(self, size):
        type_ = scalar(self.choice.weighted({**{each: 1 for each in ELEMENTS}, "i32": 4, "f32": 2}))
        declared = self.context.new_variable(type_)
        initial = self.value_for(type_)
        self.context.bring(declared)
        return [Node("declare", None, [initial], declared)]

    def state_assign(self, size):
        targets = self.context.assignable(is_number)
        if not targets:
            return self.state_declare(size)
        target = self.choice.pick(targets)
        other = self.choice.pick(targets)
        if other is not target and self.choice.chance(0.1):
            return [statement(self.assign_both(target, other))]
        value = self.value_for(target.type, assigned=target)
        return [statement(Node("assign", target.type, [variable(target), value], "="))]

    def assign_both(self, target, other):
        """target = other = value"""
        value = self.of_element(other.type.element, 2, converts=True)
        value = Node("assign", other.type, [variable(other), value], "=")
        if other.type != target.type:
            value = self.convert(value, target.type.element, "implicit")
        return Node("assign", target.type, [variable(target), value], "=")

    def state_compound(self, size):
        targets = self.context.assignable(is_number)
        if not targets:
            return self.state_declare(size)
        target = self.choice.pick(targets)
        return [statement(self.full(lambda: self.compound_of(variable(target), 2), target))]

    def state_step(self, size):
        targets = self.context.assignable(is_number)
        return [statement(self.step(self.choice.pick(targets)))] if targets else []

    def state_choice(self, size):
        """`c && (x = e);`, `c ? x++ : (y = e);` and the like."""
        targets = self.context.assignable(is_number)
        if not targets:
            return []
        first, second = self.change(self.choice.pick(targets)), self.change(self.choice.pick(targets))
        condition = self.condition(2)
        kind = self.choice.pick(["&&", "||", "?:", ","])
        if kind == "?:":
            type_ = scalar(common(first.type.element, second.type.element))
            return [statement(Node("conditional", type_, [condition, first, second]))]
        if kind == ",":
            return [statement(Node("binary", second.type, [first, second], ","))]
        return [statement(Node("binary", I32, [condition, first], kind))]

    def change(self, target):
        """An expression that changes a scalar."""
        if self.choice.chance(0.4):
            return self.step(target)
        if self.choice.chance(0.4):
            return self.compound_of(variable(target), 1)
        value = self.of_element(target.type.element, 2, converts=True)
        return Node("assign", target.type, [variable(target), value], "=")

    def mix(self, number):
        """Makes the accumulator depend on a scalar: h = (h ^ x) * 16777619u."""
        if is_float(number.type):
            scaled = constant(scalar(number.type.element), 4.0)
            number = Node("binary", number.type, [number, scaled], "*")
            number = self.convert(number, "i32", "cast")
        type_ = self.context.accumulator.type
        mixed = Node("binary", type_,
                     [variable(self.context.accumulator), self.convert(number, "u32", "cast")], "^")
        product = Node("binary", type_, [mixed, constant(type_, 16777619)], "*")
        return statement(Node("assign", type_, [variable(self.context.accumulator), product], "="))

    def state_mix(self, size):
        readable = self.context.scalars()
        return [self.mix(variable(self.choice.pick(readable)))] if readable else []

    def mix_locals(self):
        """What a block computed in its own variables goes on in the accumulator."""
        local = [each for each in self.context.frames[-1]
                 if is_number(each.type) and each is not self.context.accumulator]
        return [self.mix(variable(each)) for each in local if self.choice.chance(0.4)]

    # ---- Memory and pointers -----------------------------------------------------------------

    def state_memory(self, size):
        elements = self.context.pointer_elements()
        if not elements:
            return []
        element = self.choice.pick(elements)
        updates = "memory-updates" in self.context.features and self.choice.chance(0.3)

        def store():
            place = self.memory(element, 1)
            if updates and self.choice.chance(0.3):
                return statement(self.step_of(place))
            if updates:
                return statement(self.compound_of(place, 2))
            value = self.of_element(element, EXPRESSION_DEPTH, converts=True)
            return statement(Node("assign", place.type, [place, value], "="))
        return [self.full(store)]

    def state_pointer(self, size):
        """Declares a pointer beside another one, or moves one."""
        context, choice = self.context, self.choice
        elements = context.pointer_elements()
        if not elements:
            return []
        type_ = pointer(choice.pick(elements))
        known = context.pointers(type_.element)
        if choice.chance(0.3):
            declared = context.new_variable(type_, "q")
            value = self.full(lambda: self.pointer_value(known))
            context.bring(declared)
            return [Node("declare", None, [value], declared)]
        target = variable(choice.pick([each for each in known]))
        if choice.chance(0.3):
            value = self.full(lambda: self.pointer_value(known))
            return [statement(Node("assign", type_, [target, value], "="))]
        direction, distance = choice.pick(["up", "down"]), choice.pick([1, 1, 2, 3, 5])
        if not context.move(direction, distance):
            return []
        if distance == 1:
            operators = ["x++", "++x"] if direction == "up" else ["x--", "--x"]
            return [statement(Node("step", type_, [target], choice.pick(operators)))]
        step = constant(I32, distance)
        sign = "+" if direction == "up" else "-"
        if choice.chance(0.5):
            return [statement(Node("assign", type_, [target, step], sign + "="))]
        moved = Node("binary", type_, [variable(target.data), step], sign)
        return [statement(Node("assign", type_, [target, moved], "="))]

    def pointer_value(self, known):
        """One of the pointers, chosen here or when the program runs."""
        one, other = self.choice.pick(known), self.choice.pick(known)
        if self.choice.chance(0.5):
            return variable(one)
        return Node("conditional", one.type, [self.condition(1), variable(one), variable(other)])

    def state_call(self, size):
        """A helper that reads and writes memory stands alone in its statement."""
        context = self.context
        helpers = [each for each in context.helpers
                   if each.uses_memory and context.affords(each.cost)
                   and all(context.pointers(each.element) for each in
                           [p.type for p in each.parameters] if each.kind == "pointer")]
        if not helpers:
            return self.state_mix(size)
        helper = self.choice.pick(helpers)
        called = self.call(helper, 1)
        targets = context.assignable(is_number)
        if not helper.result or not targets or self.choice.chance(0.2):
            return [statement(called)]
        target = self.choice.pick(targets)
        value = self.convert(called, target.type.element, "implicit")
        return [statement(Node("assign", target.type, [variable(target), value], "="))]

    # ---- Tiles -------------------------------------------------------------------------------

    def any_tile_type(self):
        results = [each.result for each in self.callable_helpers(is_tile)]
        if results and self.choice.chance(0.4):
            return self.choice.pick(results)
        element = self.choice.weighted({**{each: 1 for each in ELEMENTS}, "i32": 3, "f32": 3})
        return tile(element, self.choice.pick(self.context.shapes))

    def state_tile_declare(self, size):
        if not self.context.shapes:
            return self.state_declare(size)
        self.context.spend(4)
        type_ = self.any_tile_type()
        if self.choice.chance(0.1):
            type_ = mask(lane_of_mask(self.choice.pick(INTEGERS)), type_.shape)
        declared = self.context.new_variable(type_)
        initial = self.value_for(type_, 2)
        self.context.bring(declared)
        return [Node("declare", None, [initial], declared)]

    def state_tile_assign(self, size):
        targets = self.context.assignable(lambda type_: type_.kind == "tile")
        if not targets:
            return self.state_tile_declare(size)
        self.context.spend(4)
        target = self.choice.pick(targets)
        type_ = target.type
        if self.choice.chance(0.6):
            value, operator = self.value_for(type_, 2), "="
        elif type_.element == "bool":
            value, operator = self.bool_tile(type_.shape, 1), self.choice.pick(["&=", "|=", "^="])
        elif type_.element in FLOATS:
            value, operator = self.operand(type_, 1), self.choice.pick(["+=", "-=", "/="])
        else:
            value = self.operand(type_, 1)
            operator = self.choice.pick(["+=", "-=", "*=", "&=", "|=", "^="])
        return [statement(Node("assign", type_, [variable(target), value], operator))]

    def state_tile_store(self, size):
        tiles = self.context.readable(is_tile)
        if not tiles or not self.context.pointer_elements():
            return self.state_tile_declare(size)
        self.context.spend(4)
        elements = self.context.pointer_elements()
        stored = [each for each in tiles if each.type.kind == "tile" and each.type.element in elements]
        if stored and self.choice.chance(0.5):
            type_ = self.choice.pick(stored).type
        else:
            type_ = tile(self.choice.pick(elements), self.choice.pick(self.context.shapes))
        return [self.store(type_, self.tile(type_, 2))]

    def store(self, type_, value):
        base = variable(self.choice.pick(self.context.pointers(type_.element)))
        children = [base, self.row_offsets(type_.shape), value]
        if self.choice.chance(0.5):
            children.append(self.any_mask(type_.shape, 1))
        return Node("store", None, children)

    # ---- Branches ----------------------------------------------------------------------------

    def state_block(self, size):
        return [self.body(self.inner_size(size))]

    def state_if(self, size):
        def make():
            condition = self.full(lambda: self.condition(2))
            children = [condition, self.body(self.inner_size(size))]
            if self.choice.chance(0.5):
                children.append(self.body(self.inner_size(size)))
            return [Node("if", None, children)]
        return self.in_new_region(make)

    def state_unset(self, size):
        """A variable that gets its value on the two sides of a branch."""
        type_ = scalar(self.choice.pick(ELEMENTS))
        declared = self.context.new_variable(type_)

        def side():
            value = self.value_for(type_, 2)
            return block([statement(Node("assign", type_, [variable(declared), value], "="))])
        condition = self.full(lambda: self.condition(1))
        branch = Node("if", None, [condition, side(), side()])
        self.context.bring(declared)
        return [Node("together", None, [Node("declare", None, [], declared), branch])]

    # ---- Switch ------------------------------------------------------------------------------

    def state_switch(self, size):
        return self.in_new_region(lambda: [self.switch(size)])

    def switch(self, size):
        context, choice = self.context, self.choice
        subject = self.full(lambda: self.switch_subject())
        context.around.append(("switch", False))
        free = list(range(-2, 8)) if subject.data != "&" else list(range(0, 8))
        sections, has_default = [], False
        for _ in range(choice.between(1, 4)):
            labels = self.labels(free)
            if not has_default and (not labels or choice.chance(0.3)):
                labels.insert(choice.between(0, len(labels)), "default")
                has_default = True
            if labels:
                sections.append(self.section(labels, self.inner_size(size // 2)))
        context.around.pop()
        return Node("switch", None, [subject, *sections])

    def switch_subject(self):
        if self.choice.chance(0.6):
            return self.bounded(7, 2)
        small = self.of_element(self.choice.pick(["i8", "u8", "i16", "i32", "i64", "u32", "u64"]), 2)
        type_ = small.type if small.type.element in ("i64", "u32", "u64") else I32
        return Node("binary", type_, [small, constant(I32, 6)], "%")

    def labels(self, free):
        """Numbers that no label has yet, as single ones and as ranges."""
        made = []
        for _ in range(self.choice.weighted({1: 5, 2: 2, 0: 1})):
            if not free:
                break
            first = last = free.pop(self.choice.below(len(free)))
            while last + 1 in free and self.choice.chance(0.3):
                last += 1
                free.remove(last)
            made.append((first, last))
        return made

    def section(self, labels, size):
        context = self.context
        made = self.body(size)
        end = self.choice.weighted({
            "break": 6, "fall": 3, "continue": 0.5 if self.may_continue() else 0,
            "return": 0.2})
        children = [made]
        if end == "return":
            children += self.exit_by_return()
        elif end != "fall":
            children.append(Node(end))
        context.new_region()
        return Node("section", None, children, labels)

    # ---- Early exits -------------------------------------------------------------------------

    def may_continue(self):
        loops = [allows for kind, allows in self.context.around if kind == "loop"]
        return bool(loops) and loops[-1]

    def state_exit(self, size):
        """`if (c) break;` and the like, with something done before it now and then."""
        context, choice = self.context, self.choice
        exit_ = choice.weighted({
            "break": 4 if context.around else 0, "continue": 4 if self.may_continue() else 0,
            "return": self.return_weight()})
        if exit_ is None:
            return []
        condition = self.full(lambda: self.condition(2))
        context.enter()
        before = self.run(choice.between(0, 2)) if choice.chance(0.4) else []
        end = self.exit_by_return() if exit_ == "return" else [Node(exit_)]
        if choice.chance(0.05):
            end += self.run(1)  # never reached
        context.leave()
        context.new_region()
        children = [condition, block(before + end)]
        if choice.chance(0.2):
            children.append(self.body(1))
        return [Node("if", None, children)]

    def may_return(self):
        returns_tile = self.context.returns is not None and is_tile(self.context.returns)
        return not returns_tile or "carried-tiles" in self.context.features

    def return_weight(self):
        if not self.may_return():
            return 0
        return 0.5 if self.context.returns is None else 2

    def exit_by_return(self):
        """Before a kernel returns, what it knows so far goes to memory."""
        if not self.may_return():
            return [Node("break")] if self.context.around else []
        if self.context.returns == NOTHING:
            return [Node("return")]
        if self.context.returns is not None:
            return [Node("return", None, [self.value_for(self.context.returns, 2)])]
        return [*self.save_accumulator(), Node("return")]


def has_exit(node):
    """Whether control may leave the statement early; a loop's or switch's own exits count, too."""
    return node.kind in ("break", "continue", "return") or any(
        has_exit(each) for each in node.children if each.type is None)
