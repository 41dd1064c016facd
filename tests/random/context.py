"""What the generator knows where it stands: names in scope, budgets, and what may be assigned.

Budgets keep programs small and memory in bounds: `work` counts statements that may run, `moves` is
how far all pointers together may still move. No expression reads a variable that it also changes
elsewhere: what changes is `reserved` until the full expression ends.
"""

from tree import Variable
from elements import is_number, is_tile, pointer

MOST_WORK = 20000  # statements that one program of the grid runs
MOST_TRIPS = 500   # of nested loops, multiplied


class Context:
    def __init__(self, choice, features, moves):
        self.choice = choice
        self.features = features
        self.frames = [[]]
        self.names = 0
        self.reserved = []
        self.unready = []       # declared, but without a value yet
        self.around = []        # "loop" and "switch", from outside in
        self.returns = None     # the type that the function returns; "kernel" returns nothing
        self.trips = 1
        self.work = 0
        self.moves = {"up": moves, "down": moves}
        self.region = 0         # changes where control flow does
        self.regions = {}       # variable -> the region that it was declared in
        self.shapes = []
        self.helpers = []
        self.depth = 0          # of nested statements
        self.accumulator = None # an u32 that much goes into

    # ---- Scopes ------------------------------------------------------------------------------

    def enter(self):
        self.frames.append([])

    def leave(self):
        self.frames.pop()

    def visible(self):
        """The variables that their names still stand for, inner ones first."""
        seen, found = set(), []
        for frame in reversed(self.frames):
            for variable in reversed(frame):
                if variable.name not in seen:
                    seen.add(variable.name)
                    found.append(variable)
        return found

    def new_region(self):
        self.region += 1

    def fresh_name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def new_variable(self, type_, prefix="v", is_protected=False):
        """A variable whose name stands for it from here on; it may be used after bring()."""
        outer = [each for frame in self.frames[:-1] for each in frame]
        here = {each.name for each in self.frames[-1]}
        name = self.fresh_name(prefix)
        if outer and prefix == "v" and self.choice.chance(0.1):
            hidden = self.choice.pick(outer)
            if hidden.name not in here and hidden.name.startswith("v"):
                name = hidden.name
        made = Variable(name, type_, is_protected)
        self.frames[-1].append(made)
        self.unready.append(made)
        return made

    def bring(self, variable):
        self.unready.remove(variable)
        self.regions[variable] = self.region

    # ---- What may be read and assigned -------------------------------------------------------

    def readable(self, accepts):
        held = [self.accumulator, *self.reserved, *self.unready]
        return [each for each in self.visible() if each not in held and accepts(each.type)]

    def assignable(self, accepts):
        return [each for each in self.readable(accepts)
                if not each.is_protected and self.may_assign(each)]

    def may_assign(self, variable):
        if not is_tile(variable.type) or "carried-tiles" in self.features:
            return True
        return self.regions[variable] == self.region

    def scalars(self, accepts=lambda type_: True):
        return self.readable(lambda type_: is_number(type_) and accepts(type_))

    def pointers(self, element):
        return self.readable(lambda type_: type_ == pointer(element))

    def pointer_elements(self):
        return sorted({each.type.element for each in self.readable(lambda t: t.kind == "pointer")})

    # ---- Budgets -----------------------------------------------------------------------------

    def spend(self, cost=1):
        self.work += cost * self.trips

    def affords(self, cost=1):
        return self.work + cost * self.trips <= MOST_WORK

    def most_trips(self):
        return MOST_TRIPS // self.trips

    def move(self, direction, distance):
        """Whether a pointer may move here, as often as this place is reached; then it is paid."""
        price = distance * self.trips
        if self.moves[direction] < price:
            return False
        self.moves[direction] -= price
        return True
