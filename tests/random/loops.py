"""Loops that end: every form, direction and type of a counter, with at most a few turns each."""

from elements import BITS, I32, is_number, is_signed, limits, scalar
from tree import Node, block, constant, statement, variable

COUNTERS = {"i32": 5, "i64": 2, "u32": 2, "u64": 1, "i8": 1, "u8": 1, "i16": 1, "u16": 1}


class Loops:
    """A part of Generator (generator.py)."""

    def loop_body(self, size, turns, first=(), allows_continue=True):
        """The body of a loop of at most `turns` turns."""
        context, before = self.context, self.context.trips
        context.trips *= max(turns, 1)
        context.around.append(("loop", allows_continue))
        made = self.body(self.inner_size(size), first)
        context.around.pop()
        context.trips = before
        return made

    def count_turns(self):
        """At most how many turns: a power of two less 1, so that `e & turns` is in bounds."""
        most = min(self.context.most_trips(), 9)
        return self.choice.pick([each for each in (1, 3, 7) if each <= most] or [1])

    # ---- for ---------------------------------------------------------------------------------

    def state_for(self, size):
        return self.in_new_region(lambda: self.make_for(size))

    def make_for(self, size):
        """`for (T i = begin; i < end; i += step)` and its relatives."""
        choice = self.choice
        element = choice.weighted(COUNTERS)
        form = choice.weighted({"up": 6, "down": 4, "not_equal": 1, "edge": 1, "no_condition": 1,
                                "in_condition": 1})
        return getattr(self, "for_" + form)(element, size)

    def number(self, element, number):
        return constant(scalar(element), number)

    def ranged(self, element, least, width, inline=True):
        """A number from least to least + width, where width is a power of two less 1: a constant, or
        an expression that `inline` may be computed in every turn."""
        if self.choice.chance(0.35):
            return self.number(element, self.choice.between(least, least + width))
        moved = Node("binary", scalar(element),
                     [self.convert(self.bounded(width, 2 if inline else 1), element, "cast"),
                      self.number(element, least)], "+")
        return self.convert(moved, element, "cast")

    def ranged_or_known(self, element, least, width):
        """The same, and the statement that computes it first, where it is not the loop that does."""
        if self.choice.chance(0.5):
            return [], self.ranged(element, least, width)
        known = self.context.new_variable(scalar(element), "n", is_protected=True)
        value = self.full(lambda: self.ranged(element, least, width, inline=False))
        self.context.bring(known)
        return [Node("declare", None, [value], known)], variable(known)

    def stepping(self, counter, by):
        """`i += by` in one of its spellings."""
        if abs(by) == 1 and self.choice.chance(0.6):
            operators = ["x++", "++x"] if by > 0 else ["x--", "--x"]
            return Node("step", counter.type, [variable(counter)], self.choice.pick(operators))
        sign, distance = ("+", by) if by > 0 else ("-", -by)
        if is_signed(counter.type.element) and self.choice.chance(0.2):
            sign, distance = ("-", -by) if by > 0 else ("+", by)
        step = constant(I32, distance)
        if self.choice.chance(0.6):
            return Node("assign", counter.type, [variable(counter), step], sign + "=")
        type_ = scalar(self.promoted_sum(counter.type.element))
        moved = Node("binary", type_, [variable(counter), step], sign)
        moved = self.convert(moved, counter.type.element, "implicit")
        return Node("assign", counter.type, [variable(counter), moved], "=")

    def promoted_sum(self, element):
        return "i32" if BITS[element] < 32 else element

    def compared(self, left, operator, right):
        """A comparison, at times with its sides exchanged."""
        if self.choice.chance(0.2):
            mirrored = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!=", "==": "=="}
            return Node("binary", I32, [right, left], mirrored[operator])
        return Node("binary", I32, [left, right], operator)

    def with_other_condition(self, condition):
        if self.choice.chance(0.8):
            return condition
        return Node("binary", I32, [condition, self.condition(1)], "&&")

    def with_other_step(self, step):
        targets = self.context.assignable(is_number)
        if not targets or self.choice.chance(0.85):
            return step
        other = self.step(self.choice.pick(targets))
        children = [step, other] if self.choice.chance(0.5) else [other, step]
        return Node("binary", children[1].type, children, ",")

    def build_for(self, form, element, size, turns, before, begin, parts):
        """parts(counter) gives the condition, the step and what the body begins with. The counter is
        declared in the loop, or before it and seen after it."""
        context, empty = self.context, Node("empty")
        is_outside = self.choice.chance(0.25)
        context.enter()
        counter = context.new_variable(scalar(element), "c", is_protected=True)
        context.bring(counter)
        condition, step, first = parts(counter)
        body = self.loop_body(size, turns, first)
        context.leave()
        init = Node("declare", None, [begin], counter)
        if is_outside:
            context.frames[-1].append(counter)
            before = [Node("declare", None, [constant(counter.type, 0)], counter), *before]
            begins = Node("assign", counter.type, [variable(counter), begin], "=")
            init = Node("expression", None, [begins])
        loop = Node("for", None, [init, condition or empty, step or empty, body], (form, element))
        return [*before, loop]

    def counting(self, element, size, begin_at, end_at, by, operator, form):
        """A loop from about begin_at to about end_at; both are (least, width) of ranges."""
        turns = (abs(begin_at[0] - end_at[0]) + begin_at[1] + end_at[1]) // abs(by) + 2
        before, end = self.ranged_or_known(element, *end_at)
        begin = self.full(lambda: self.ranged(element, *begin_at))

        def parts(counter):
            condition = self.compared(variable(counter), operator, end)
            first = []
            if form in ("up", "down") and self.choice.chance(0.3):
                skips = statement(self.stepping(counter, by))
                first = [Node("if", None, [self.condition(1), block([skips])])]
            step = self.with_other_step(self.stepping(counter, by))
            return self.with_other_condition(condition), step, first
        return self.build_for(form, element, size, turns, before, begin, parts)

    def origin(self, element):
        """Around which number a loop counts: 0, or one that needs all 64 bits."""
        if element == "i64" and self.choice.chance(0.4):
            return self.choice.pick([1 << 33, -(1 << 40)])
        if element == "u64" and self.choice.chance(0.4):
            return (1 << 63) + 5
        if element == "u32" and self.choice.chance(0.2):
            return (1 << 31) - 2
        return self.choice.between(-3, 3) if is_signed(element) else self.choice.between(3, 8)

    def for_up(self, element, size):
        least, turns = self.origin(element), self.count_turns()
        by = self.choice.pick([1, 1, 2, 3])
        begin_at = (least, self.choice.pick([0, 0, 1, 3]))
        end_at = (least + self.choice.between(-2, 1), turns)
        return self.counting(element, size, begin_at, end_at, by, self.choice.pick(["<", "<", "<="]),
                             "up")

    def for_down(self, element, size):
        least, turns = self.origin(element), self.count_turns()
        by = -self.choice.pick([1, 1, 2, 3])
        if not is_signed(element):
            least = max(least, 1 - 2 * by)  # two steps below the end are still no wrap
        begin_at = (least + self.choice.between(-1, 2), turns)
        end_at = (least, self.choice.pick([0, 0, 1]))
        operator = self.choice.pick([">", ">="])
        return self.counting(element, size, begin_at, end_at, by, operator, "down")

    def for_not_equal(self, element, size):
        """`i != end`, by one, upwards; past the largest number where the type has no sign."""
        least, most = limits(element)
        turns = self.count_turns()
        wraps = not is_signed(element) and self.choice.chance(0.5)
        begin_at = most - 1 if wraps else self.choice.between(max(least, -3), 3)
        distance = self.convert(self.bounded(turns, 1), element, "cast")
        end = Node("binary", scalar(self.promoted_sum(element)),
                   [distance, self.number(element, begin_at)], "+")
        known = self.context.new_variable(scalar(element), "n", is_protected=True)
        before = [Node("declare", None, [self.convert(end, element, "cast")], known)]
        self.context.bring(known)

        def parts(counter):
            condition = self.compared(variable(counter), "!=", variable(known))
            return condition, self.with_other_step(self.stepping(counter, 1)), []
        begin = self.number(element, begin_at)
        return self.build_for("not_equal", element, size, turns, before, begin, parts)

    def for_edge(self, element, size):
        """Up to the largest number, or down to the smallest, by one."""
        least, most = limits(element)
        turns = self.count_turns()
        if self.choice.chance(0.5):
            return self.counting(element, size, (most - turns - 2, 0), (most - turns, turns), 1, "<",
                                 "edge")
        return self.counting(element, size, (least + 1, turns), (least, 0), -1, ">", "edge")

    def for_no_condition(self, element, size):
        """for (T i = 0;; i++) { if (i >= end) break; ... }"""
        turns = self.count_turns()
        before, end = self.ranged_or_known(element, 0, turns)

        def parts(counter):
            is_over = Node("binary", I32, [variable(counter), end], ">=")
            return None, self.with_other_step(self.stepping(counter, 1)), [self.leave_if(is_over)]
        begin = self.number(element, 0)
        return self.build_for("no_condition", element, size, turns + 1, before, begin, parts)

    def leave_if(self, condition):
        leaves = Node("block", None, [Node("break", is_pinned=True)], is_pinned=True)
        return Node("if", None, [condition, leaves], is_pinned=True)

    def for_in_condition(self, element, size):
        """for (T i = begin; i-- > 0;)"""
        turns = self.count_turns()
        begin = self.full(lambda: self.ranged(element, 0, turns))

        def parts(counter):
            down = Node("step", counter.type, [variable(counter)], "x--")
            condition = Node("binary", I32, [down, constant(I32, 0)], ">")
            return self.with_other_condition(condition), None, []
        return self.build_for("in_condition", element, size, turns, [], begin, parts)

    # ---- while and do ------------------------------------------------------------------------

    def countdown(self, turns):
        """A counter for a loop of at most `turns` turns, with its declaration."""
        element = self.choice.weighted(COUNTERS)
        counter = self.context.new_variable(scalar(element), "w", is_protected=True)
        initial = self.full(lambda: self.ranged(element, 0, turns))
        self.context.bring(counter)
        return counter, Node("declare", None, [initial], counter)

    def state_while(self, size):
        return self.in_new_region(lambda: self.make_while(size))

    def make_while(self, size):
        turns = self.count_turns()
        counter, declared = self.countdown(turns)
        form = self.choice.weighted({"step": 3, "first": 3, "last": 2, "endless": 2, "halving": 1})
        down = Node("step", counter.type, [variable(counter)], self.choice.pick(["x--", "--x"]))
        is_left = Node("binary", I32, [variable(counter), constant(I32, 0)], ">")
        after = Node("step", counter.type, [variable(counter)], "x--")
        first, last, condition = [], [], is_left
        if form == "step":
            condition = Node("binary", I32, [after, constant(I32, 0)], ">")
        elif form == "first":
            first = [statement(down, is_pinned=True)]
        elif form == "last":
            last = [statement(down, is_pinned=True)]
        elif form == "endless":
            is_over = Node("binary", I32, [after, constant(I32, 0)], "<=")
            first = [self.leave_if(is_over)]
            condition = constant(I32, 1)
        else:
            condition = variable(counter)
            halved = Node("assign", counter.type, [variable(counter), constant(I32, 1)], ">>=")
            first = [statement(halved, is_pinned=True)]
        if form in ("step", "first"):
            condition = self.full(lambda: self.with_other_condition(condition))
        body = self.loop_body(size, turns + 1, first, allows_continue=form != "last")
        body.children += last
        return [declared, Node("while", None, [condition, body], form)]

    def state_do(self, size):
        return self.in_new_region(lambda: self.make_do(size))

    def make_do(self, size):
        if self.choice.chance(0.2):
            body = self.loop_body(size, 1)
            return [Node("do", None, [body, constant(I32, 0)], "once")]
        turns = self.count_turns()
        counter, declared = self.countdown(turns)
        down = Node("step", counter.type, [variable(counter)], "x--")
        condition = Node("binary", I32, [down, constant(I32, 0)], ">")
        form = "step"
        body = self.loop_body(size, turns + 2)
        if self.choice.chance(0.4):
            form = "two"
            sides = [condition, self.condition(1)]
            if self.choice.chance(0.5):
                sides.reverse()
            condition = Node("binary", I32, sides, "&&")
        return [declared, Node("do", None, [body, condition], form)]
