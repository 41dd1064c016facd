"""Helpers for tl_reduce: two numbers in, one out, and no order of many numbers changes the result."""

from elements import FLOATS, INTEGERS, I32, common, scalar
from tree import Helper, Node, Variable, block, constant, statement, variable

OPERATORS = ["+", "*", "&", "|", "^"]


class Combines:
    """A part of Generator (generator.py)."""

    def combine(self):
        type_ = scalar(self.choice.pick(INTEGERS + FLOATS))
        made = Helper(f"combine_{len(self.program.helpers)}", type_,
                      [Variable("a", type_), Variable("b", type_)])
        made.is_combine = True
        forms = ["extreme"] if type_.element in FLOATS else ["extreme", "operator", "exit", "loop"]
        a, b = (variable(each) for each in made.parameters)
        made.body = block(getattr(self, "combine_by_" + self.choice.pick(forms))(type_, a, b))
        made.cost = 8
        return made

    def returned(self, type_, value):
        return Node("return", None, [self.convert(value, type_.element, "implicit")], is_pinned=True)

    def combine_by_extreme(self, type_, a, b):
        name = self.choice.pick(["maximum", "minimum"])
        element = common(type_.element, type_.element)
        return [self.returned(type_, Node("function", scalar(element), [a, b], name))]

    def combine_by_operator(self, type_, a, b):
        element = common(type_.element, type_.element)
        combined = Node("binary", scalar(element), [a, b], self.choice.pick(OPERATORS))
        return [self.returned(type_, combined)]

    def combine_by_exit(self, type_, a, b):
        """if (a < b) return b; return a;"""
        compared = Node("binary", I32, [a, b], self.choice.pick(["<", "<=", ">", ">="]))
        return [Node("if", None, [compared, block([self.returned(type_, b)])]), self.returned(type_, a)]

    def combine_by_loop(self, type_, a, b):
        """The loop runs `result op= b` in one of its turns."""
        result, turn = Variable("result", type_), Variable("turn", I32)
        change = Node("assign", type_, [variable(result), b], self.choice.pick(OPERATORS) + "=")
        skips = Node("binary", I32, [variable(turn), constant(I32, self.choice.below(3))], "!=")
        body = block([Node("if", None, [skips, block([Node("continue")])]), statement(change)])
        loop = Node("for", None, [
            Node("declare", None, [constant(I32, 0)], turn),
            Node("binary", I32, [variable(turn), constant(I32, 3)], "<"),
            Node("step", I32, [variable(turn)], "x++"), body], ("up", "i32"))
        return [Node("declare", None, [a], result), loop, self.returned(type_, variable(result))]
