"""A whole random program: its helpers, and a kernel that uses them.

Where memory is: each program of the grid has SLICE elements of every buffer to itself. Pointers start
in the middle of its slice; no more than 160 moves in the kernel and 50 in each of three helpers, with
lanes at -18..271, keep all accesses inside. What the kernel knows at its end is stored from RESULTS on.
"""

from choice import Choice
from combines import Combines
from context import Context
from elements import (ELEMENTS, I32, NOTHING, is_integer, is_number, lanes, pointer, scalar,
                      tile)
from loops import Loops
from scalars import Scalars
from statements import Statements
from tiles import Tiles
from tree import Helper, Node, Program, Variable, block, constant, statement, variable

RESULTS = 1024
MOST_MOVES_OF_KERNEL, MOST_MOVES_OF_HELPER = 160, 50
MOST_RESULT_TILES = 3

# What programs may contain, each a thing that a compiler may have or not have yet.
FEATURES = ["carried-tiles", "reductions", "memory-updates", "dot"]


class Generator(Scalars, Tiles, Statements, Loops, Combines):
    def __init__(self, seed, features):
        self.choice = Choice(seed)
        self.features = features
        self.program = Program(seed)
        self.pending = []
        self.context = None
        self.shapes = self.choose_shapes()

    def choose_shapes(self):
        """Shapes that turn into one another. One program in four has no tiles."""
        if self.choice.chance(0.25):
            return []
        a, b = self.choice.pick([1, 2, 4, 8, 16]), self.choice.pick([2, 4, 8, 16])
        shapes = [(a * b,), (a, b), (b, a), (b,)]
        if self.choice.chance(0.3):
            shapes += [(2, a, b // 2)]
        if self.choice.chance(0.3):
            shapes += [(1, b), (a, 1)]
        unique = []
        for shape in shapes:
            if shape not in unique:
                unique.append(shape)
        return unique

    # ---- Functions ---------------------------------------------------------------------------

    def begin_function(self, returns, moves):
        self.context = Context(self.choice, self.features, moves)
        self.context.returns = returns
        self.context.shapes = self.shapes
        self.context.helpers = list(self.program.helpers)

    def begin_accumulator(self):
        accumulator = self.context.new_variable(scalar("u32"), "h", is_protected=True)
        self.context.bring(accumulator)
        self.context.accumulator = accumulator
        return Node("declare", None, [constant(scalar("u32"), 2166136261)], accumulator)

    def helper(self):
        """A TEENY_DEVICE: over scalars, over tiles, or one that works on memory."""
        choice = self.choice
        kind = choice.weighted({"scalar": 4, "tile": 4 if self.shapes else 0, "memory": 2})
        result = scalar(choice.pick(ELEMENTS))
        if kind == "tile":
            result = self.any_tile_type_of(self.shapes)
        elif kind == "memory" and choice.chance(0.4):
            result = None
        self.begin_function(result or NOTHING, MOST_MOVES_OF_HELPER)
        helper = Helper(self.context.fresh_name("helper") + f"_{len(self.program.helpers)}", result, [])
        types = [scalar(choice.pick(ELEMENTS)) for _ in range(choice.between(1, 3))]
        if kind == "tile":
            types.append(result if choice.chance(0.6) else self.any_tile_type_of(self.shapes))
        if kind == "memory":
            types += [pointer(choice.pick(ELEMENTS)) for _ in range(choice.between(1, 2))]
            helper.uses_memory = True
        for type_ in types:
            parameter = self.context.new_variable(type_, "a")
            self.context.bring(parameter)
            helper.parameters.append(parameter)
        first = self.begin_accumulator()
        helper.body = self.function_body(first, choice.between(1, 8), result)
        helper.cost = 1 + self.context.work
        return helper

    def any_tile_type_of(self, shapes):
        return tile(self.choice.pick(ELEMENTS), self.choice.pick(shapes))

    def function_body(self, first, size, result):
        self.context.enter()
        statements = [first, *self.run(size)]
        if result:
            mixes = is_number(result) and is_integer(result)
            value = self.mixed_value(result) if mixes else self.value_for(result, 2)
            statements.append(Node("return", None, [value], is_pinned=True))
        self.context.leave()
        return block(statements)

    def mixed_value(self, type_):
        """A number that depends on much of what the function did."""
        value = self.convert(self.full(lambda: self.scalar(2)), "u32", "cast")
        mixed = Node("binary", scalar("u32"), [value, variable(self.context.accumulator)], "^")
        return self.convert(mixed, type_.element, "implicit")

    # ---- The kernel --------------------------------------------------------------------------

    def make(self):
        for _ in range(self.choice.weighted({0: 3, 1: 3, 2: 2, 3: 1})):
            self.program.helpers.append(self.helper())
        if self.shapes and "reductions" in self.features and self.choice.chance(0.4):
            self.program.helpers.append(self.combine())
        self.begin_function(None, MOST_MOVES_OF_KERNEL)
        self.program.grid = self.choice.pick([(1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (1, 2, 2)])
        body = self.kernel_parameters()
        body += self.start_values()
        body += self.run(self.choice.weighted({5: 1, 10: 2, 20: 3, 30: 2, 45: 1}))
        body += self.save_all()
        self.program.body = block(body)
        return self.program

    def kernel_parameters(self):
        """Buffers, each with a pointer into this program's slice; scalars; constants of META."""
        choice, program = self.choice, self.program
        elements = [each for each in ELEMENTS if choice.chance(0.5) or each in ("u32", "i32")]
        self.at = Variable("at", I32, is_protected=True)
        made = [Node("declare", None, [Node("program_slice", I32)], self.at, is_pinned=True)]
        self.buffer_of = {}
        for element in elements:
            buffer = Variable(f"b_{element}", pointer(element))
            program.buffers.append(buffer)
            self.buffer_of[element] = buffer
            inner = self.context.new_variable(pointer(element), "p")
            self.context.bring(inner)
            start = Node("binary", buffer.type, [variable(buffer), variable(self.at)], "+")
            made.append(Node("declare", None, [start], inner))
        for _ in range(choice.between(1, 4)):
            parameter = self.context.new_variable(scalar(choice.pick(ELEMENTS)), "s")
            self.context.bring(parameter)
            program.scalars.append((parameter, self.constant(parameter.type.element)))
        if self.shapes and choice.chance(0.5):
            meta = self.context.new_variable(I32, "META", is_protected=True)
            self.context.bring(meta)
            program.meta.append((meta, constant(I32, lanes(tile("i32", self.shapes[0])))))
        return made

    def start_values(self):
        made = [self.begin_accumulator()]
        for _ in range(self.choice.between(1, 4)):
            made += self.state_declare(0)
        for _ in range(self.choice.between(1, 3) if self.shapes else 0):
            made += self.state_tile_declare(0)
        return made

    # ---- Results -----------------------------------------------------------------------------

    def result_pointer(self, element):
        buffer = self.buffer_of[element]
        return Node("binary", buffer.type, [variable(buffer), variable(self.at)], "+")

    def save(self, value, number):
        element = value.type.element
        place = Node("index", scalar(element),
                     [self.result_pointer(element), constant(I32, RESULTS + number)])
        return statement(Node("assign", place.type, [place, value], "="))

    def save_accumulator(self):
        return [self.save(variable(self.context.accumulator), 0)]

    def save_all(self):
        """What is visible at the end, each in a place of its own."""
        made, tiles = self.save_accumulator(), 0
        for each in self.context.visible():
            has_buffer = each.type.element in self.buffer_of
            if is_number(each.type) and has_buffer and each is not self.context.accumulator:
                made.append(self.save(variable(each), 1 + len(made)))
            elif each.type.kind == "tile" and has_buffer and tiles < MOST_RESULT_TILES:
                tiles += 1
                made.append(self.save_tile(variable(each), tiles))
        return made

    def save_tile(self, value, number):
        shape = value.type.shape
        count = lanes(value.type)
        begin = RESULTS + 256 * number
        flat = Node("arange", tile("i32", (count,)), data=(begin, begin + count))
        index = Node("shape", tile("i32", shape), [flat], ("reshape", shape))
        return Node("store", None, [self.result_pointer(value.type.element), index, value])


def generate(seed, features):
    """The program of a seed. The same seed and features give the same program, everywhere."""
    return Generator(seed, features).make()
