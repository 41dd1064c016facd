"""What random programs contained."""

from collections import Counter

from tree import helper_of, walk

FORMS = ("for", "while", "do")
NAMED = ("unary", "binary", "function", "reduce", "shape", "assign", "step", "convert")


def what(node):
    """The name under which a node is counted."""
    kind = node.kind
    if kind == "for":
        return f"for {node.data[0]} {node.data[1]}"
    if kind in FORMS:
        return f"{kind} {node.data}"
    is_tile = node.type is not None and node.type.kind in ("tile", "mask")
    if kind == "reduce" and helper_of(node):
        return f"{'tile ' if is_tile else ''}reduce by a helper"
    if kind in NAMED:
        name = node.data if isinstance(node.data, str) else node.data[0]
        return f"{'tile ' if is_tile else ''}{kind} {name}"
    if kind == "section":
        return "section that falls through" if falls_through(node) else "section"
    if kind == "declare":
        return f"declare {node.data.type.kind} {node.data.type.element}"
    return f"{'tile ' if is_tile else ''}{kind}"


def falls_through(section):
    return section.children[-1].kind not in ("break", "continue", "return")


def depth(node):
    """How deeply statements with statements inside are nested."""
    inside = max((depth(each) for each in node.children if each.type is None), default=0)
    return inside + (node.kind in ("if", "for", "while", "do", "switch"))


def properties(program):
    """{what: how often} of one program."""
    counted = Counter()
    bodies = [program.body] + [each.body for each in program.helpers]
    for body in bodies:
        for node in walk(body):
            counted[what(node)] += 1
            if node.kind == "section":
                for label in node.data:
                    if label == "default":
                        counted["label default"] += 1
                    else:
                        counted["label case" if label[0] == label[1] else "label range"] += 1
        counted[f"nested {depth(body)} deep"] += 1
    for helper in program.helpers:
        kind = helper.result.kind if helper.result else "nothing"
        counted[f"helper that returns {kind}"] += 1
        if any(node.kind == "return" and not node.is_pinned for node in walk(helper.body)):
            counted["helper that returns early"] += 1
    return counted


class Histogram:
    def __init__(self):
        self.programs = Counter()
        self.times = Counter()

    def add(self, program):
        counted = properties(program)
        self.programs.update(counted.keys())
        self.times.update(counted)

    def lines(self):
        """Three columns, by name: what, in how many programs, how often."""
        cells = [f"{name:<28} {self.programs[name]:>6} {self.times[name]:>7}"
                 for name in sorted(self.times)]
        rows = (len(cells) + 2) // 3
        columns = [cells[i * rows:(i + 1) * rows] for i in range(3)]
        head = f"{'what':<28} {'in':>6} {'times':>7}"
        yield "   ".join([head] * 3)
        for i in range(rows):
            yield "   ".join(column[i] for column in columns if i < len(column))
