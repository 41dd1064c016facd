"""Makes a failing program small: takes pieces away as long as it still fails in the same way.

Nothing taken away may make a program undefined: pinned statements stay, what is `together` stays
whole, a number becomes 1, which is a good divisor and index, and loops keep their bounds.
"""

import re
import time

from tree import Helper, Node, Program, block, constant, helper_of, walk

CANDIDATES_A_RUN = 40
COMPOUNDS = ("if", "for", "while", "do", "switch", "block")
LOOPS = ("for", "while", "do")


def kind_of_failure(message):
    """Failures are alike where their messages are, numbers and names aside."""
    return re.sub(r"[0-9]+|'[^']*'|0x\w+", "", re.sub(r"\w+\[.*", "memory differs", message))[:60]


def bodies(program):
    return [each.body for each in program.helpers] + [program.body]


def size_of(node):
    """A variable is larger than a number: taking it away may free its declaration."""
    return sum(2 if each.kind == "variable" else 1 for each in walk(node))


def size_of_all(nodes):
    return sum(size_of(each) for each in nodes)


# ---- Which programs are whole ---------------------------------------------------------------------

class Checker:
    """Whether every name is declared where it is used, and every exit has its loop."""

    def __init__(self, program):
        self.helpers = set(program.helpers)
        self.outer = {each for each in program.buffers}
        self.outer |= {each for each, _ in program.scalars + program.meta}

    def is_whole(self, node, scopes, around):
        kind = node.kind
        if kind == "variable":
            return any(node.data in scope for scope in scopes)
        if helper_of(node) and helper_of(node) not in self.helpers:
            return False
        if kind == "break":
            return bool(around)
        if kind == "continue":
            return "loop" in around
        if kind in LOOPS or kind == "switch":
            around = around + ["loop" if kind in LOOPS else "switch"]
        if kind in ("block", "block_value", "for"):
            scopes = scopes + [set()]
        if not all(self.is_whole(each, scopes, around) for each in node.children):
            return False
        if kind == "declare":
            if any(each.name == node.data.name for each in scopes[-1]):
                return False
            scopes[-1].add(node.data)
        return True

    def check(self, program):
        for helper in program.helpers:
            self.helpers = set(program.helpers[:program.helpers.index(helper)])
            if not self.is_whole(helper.body, [set(helper.parameters)], []):
                return False
        self.helpers = set(program.helpers)
        return self.is_whole(program.body, [self.outer], [])


# ---- Smaller programs -----------------------------------------------------------------------------

def smaller_statements(node):
    """Statements that may stand in place of one that has statements inside."""
    if node.kind == "block":
        return [node.children]
    inside = [each for each in node.children if each.kind in ("block", "section")]
    return [[block(each.children) if each.kind == "section" else each] for each in inside]


def smaller_expressions(node):
    """Expressions of the same type that may stand in place of one."""
    found = []
    if node.type.kind == "scalar" and node.kind != "constant":
        found.append(constant(node.type, 1))
    if node.type.kind == "tile" and not (node.kind == "full" and node.children[:1]
                                         and node.children[0].kind == "constant"):
        one = constant(node.type._replace(kind="scalar", shape=()), 1)
        found.append(Node("full", node.type, [one]))
    inner = [each for each in walk(node) if each is not node and each.type == node.type]
    return found + inner[:6]


def is_mask_of_bits(node):
    """`e & constant` keeps a number in bounds."""
    return node.kind == "binary" and node.data == "&" and node.children[1].kind == "constant"


def edits(node, in_header=False, is_whole=False):
    """Ways to make what is below the node smaller: (parent, child, what stands in its place)."""
    for index, child in enumerate(node.children):
        if child.type is None:
            yield from statement_edits(node, index, child, is_whole)
        else:
            yield from expression_edits(node, index, child, in_header or node.kind in LOOPS)


def statement_edits(parent, index, child, is_whole):
    is_listed = parent.kind in ("block", "section", "block_value") and not is_whole
    is_else = parent.kind == "if" and index == 2
    if not child.is_pinned and (is_listed or is_else or child.kind == "section"):
        yield parent, child, []
        if is_listed and child.kind in COMPOUNDS:
            for replacement in smaller_statements(child):
                yield parent, child, replacement
    in_header = parent.kind == "for" and index < 3
    yield from edits(child, in_header, is_whole or child.kind == "together")


def expression_edits(parent, index, child, in_header):
    is_place = (parent.kind in ("assign", "step") and index == 0) or (
        parent.kind in ("index", "load", "store", "dereference") and index == 0)
    is_injective = parent.kind == "store" and index == 1
    if not (is_place or is_injective or in_header):
        for replacement in smaller_expressions(child):
            yield parent, child, [replacement]
    if not is_injective:
        yield from edits(child, in_header and not is_mask_of_bits(child))


class Copy:
    """A program whose nodes and helpers are new, and which new node stands for which old one."""

    def __init__(self, program):
        self.helpers = {}
        self.nodes = {}
        self.program = made = Program(program.seed)
        made.buffers, made.scalars, made.meta = program.buffers, program.scalars, program.meta
        made.grid = program.grid
        for old in program.helpers:
            new = Helper(old.name, old.result, old.parameters)
            new.is_combine = old.is_combine
            new.body = self.copy(old.body)
            self.helpers[old] = new
            made.helpers.append(new)
        made.body = self.copy(program.body)

    def copy(self, node):
        children = [self.copy(each) for each in node.children]
        data = node.data
        if helper_of(node):
            helper = self.helpers[helper_of(node)]
            data = helper if node.kind == "call" else (helper, *data[1:])
        made = Node(node.kind, node.type, children, data, node.is_pinned)
        self.nodes[id(node)] = made
        return made

    def apply(self, edit):
        """Makes an edit of the old program, where an earlier one has not taken its place away."""
        parent, child, replacement = edit
        parent, child = self.nodes[id(parent)], self.nodes[id(child)]
        for index, each in enumerate(parent.children):
            if each is child:
                parent.children[index:index + 1] = [self.copy(new) for new in replacement]

    def finish(self):
        made = self.program
        used = {helper_of(node) for body in bodies(made) for node in walk(body)}
        made.helpers = [each for each in made.helpers if each in used]
        return made


def edited(program, chosen):
    """The program with some edits made, or None where it is not whole then."""
    copy = Copy(program)
    for each in chosen:
        copy.apply(each)
    made = copy.finish()
    return made if Checker(made).check(made) else None


def edits_of(program):
    """All edits, the largest first. Helpers that combine stay: a part of one may depend on an order."""
    edited_bodies = [each.body for each in program.helpers if not each.is_combine] + [program.body]
    found = [each for body in edited_bodies for each in edits(body)]
    return sorted(found, key=lambda edit: size_of_all(edit[2]) - size_of(edit[1]))


# ---- The search -----------------------------------------------------------------------------------

class Search:
    def __init__(self, harness, message, deadline):
        self.harness = harness
        self.wanted = kind_of_failure(message)
        self.deadline = deadline
        self.message = message

    def is_over(self):
        return time.monotonic() > self.deadline

    def failures(self, programs):
        """For each program how it fails, where that is as the first one did; None is no program."""
        named = [(f"k{i}", each) for i, each in enumerate(programs) if each]
        results = self.harness.run(named) if named else {}
        failed = {name: message for name, (status, message) in results.items()
                  if status == "failed" and kind_of_failure(message) == self.wanted}
        return [failed.get(f"k{i}") for i in range(len(programs))]

    def good_edits(self, program):
        """The edits of the first run in which any keeps the failure, each by itself."""
        found = edits_of(program)
        for begin in range(0, len(found), CANDIDATES_A_RUN):
            some = found[begin:begin + CANDIDATES_A_RUN]
            tries = [edited(program, [each]) for each in some]
            good = [edit for edit, fails in zip(some, self.failures(tries)) if fails]
            if good or self.is_over():
                return good
        return []

    def together(self, program, good):
        """The program with as many of the edits as keep the failure when they are made at once."""
        counts = sorted({len(good) // divisor for divisor in (1, 2, 4, 8, 16, 32)} | {1}, reverse=True)
        tries = [edited(program, good[:count]) for count in counts if count]
        for made, message in zip(tries, self.failures(tries)):
            if message:
                self.message = message
                return made
        return program

    def run(self, program):
        while not self.is_over():
            good = self.good_edits(program)
            smaller = self.together(program, good) if good else program
            if size_of_all(bodies(smaller)) >= size_of_all(bodies(program)):
                return program
            program = smaller
        return program


def minimise(harness, program, message, seconds):
    """The smallest program found in the time that fails as this one does, and how it fails."""
    search = Search(harness, message, time.monotonic() + seconds)
    single = Copy(program).program
    single.grid = (1, 1, 1)
    if search.failures([single])[0]:
        program = single
    return search.run(program), search.message
