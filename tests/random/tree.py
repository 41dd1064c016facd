"""The tree of a program, which is printed twice.

A Node has a kind, a type (None for statements), its children, and `data`, which depends on the kind:

  expressions
    constant      a number                                  variable     a Variable
    unary         the operator                              binary       the operator (`,` is one)
    conditional   [condition, yes, no]                      convert      how: implicit, cast, tl_cast
    index         [pointer, index]: p[index]                dereference  [pointer]: *p
    assign        the operator: [target, value]             step         the operator: `x++` and so on
    call          a Helper: its arguments                   block_value  statements, and a value
    function      the name: tl_NAME(children)               program      axis: program_id, num_programs
    reduce        (name or Helper, axis): [tile]             dot          [a, b, sum]
    arange        (begin, end)                              full         [scalar], `zeros` without
    mask_lanes    [mask]: what C sees in a comparison       where        [mask, yes, no]
    shape         (name, axis or order): [tile]             load         [pointer, offsets, mask, other]
  statements
    block, declare (a Variable), expression, if, for, while, do, switch, section, break, continue,
    return, store ([pointer, offsets, value, mask]), together (statements that stay or go as one)

`is_pinned` marks statements that a loop needs to end: they are never taken away alone.
"""


class Node:
    __slots__ = ("kind", "type", "children", "data", "is_pinned")

    def __init__(self, kind, type_=None, children=(), data=None, is_pinned=False):
        self.kind = kind
        self.type = type_
        self.children = list(children)
        self.data = data
        self.is_pinned = is_pinned


class Variable:
    """A variable; two of one name are told apart by identity."""
    __slots__ = ("name", "type", "is_protected")

    def __init__(self, name, type_, is_protected=False):
        self.name = name
        self.type = type_
        self.is_protected = is_protected  # a loop needs it: only its own statements assign it


class Helper:
    """A TEENY_DEVICE. `cost` is how many statements a call runs at most; one that `is_combine` gives the
    same for its two arguments, and for many in a row, in whatever order they come."""
    __slots__ = ("name", "result", "parameters", "body", "cost", "uses_memory", "is_combine")

    def __init__(self, name, result, parameters):
        self.name = name
        self.result = result
        self.parameters = parameters
        self.body = None
        self.cost = 1
        self.uses_memory = False
        self.is_combine = False


class Program:
    """A kernel: its buffers (Variables of pointers) and scalars with their arguments, helpers, body."""
    __slots__ = ("seed", "buffers", "scalars", "meta", "helpers", "body", "grid")

    def __init__(self, seed):
        self.seed = seed
        self.buffers = []
        self.scalars = []  # (Variable, constant Node)
        self.meta = []     # (Variable, constant Node)
        self.helpers = []
        self.body = None
        self.grid = (1, 1, 1)


def walk(node):
    """The node and all below it, parents first."""
    stack = [node]
    while stack:
        each = stack.pop()
        yield each
        stack.extend(reversed(each.children))


def helper_of(node):
    """The Helper that a node calls or reduces by, or None."""
    if node.kind == "call":
        return node.data
    by = node.data[0] if node.kind == "reduce" else None
    return by if isinstance(by, Helper) else None


def variable(of):
    return Node("variable", of.type, data=of)


def constant(type_, number):
    return Node("constant", type_, data=number)


def statement(expression, is_pinned=False):
    return Node("expression", None, [expression], is_pinned=is_pinned)


def block(statements):
    return Node("block", None, statements)
