"""Random kernels that are meant to be right: typed expressions over scalars, tiles and pointers, in all
of C's structured control flow. For fuzz.py: a mutated text mostly fails in clang, these reach the
lowering, the passes and code generation.
"""

SIGNED = ["i8", "i16", "i32", "i64"]
INTEGERS = SIGNED + ["u8", "u16", "u32", "u64"]
FLOATS = ["f16", "f32", "f64"]
TILE_FLOATS = FLOATS + ["bf16"]
SHAPES = [(64,), (16,), (8, 8), (4, 16), (2, 4, 2), (1, 32), (128,)]
UNARY = "ceil cos erf exp exp2 floor log log2 round rsqrt sin sqrt tanh trunc".split()
MOST_DEPTH = 4


class Generator:
    def __init__(self, rng):
        self.rng = rng
        self.scopes = [[]]  # of (name, element, shape); shape None: a scalar
        self.count = 0
        self.loops = 0

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def find(self, element, shape):
        names = [name for scope in self.scopes for name, *kind in scope if kind == [element, shape]]
        return self.rng.choice(names) if names else None

    # ---- Scalars ----

    def number(self, element):
        if element in FLOATS:
            return f"({element}){self.rng.choice(['0.5', '1', '-2.25', '1e3', '0'])}"
        if element == "bool":
            return self.rng.choice(["true", "false"])
        return f"({element}){self.rng.choice(['0', '1', '3', '-1', '7', '100', '31'])}"

    def scalar(self, element, depth=0):
        rng = self.rng
        leaf = depth >= MOST_DEPTH or rng.random() < 0.2
        if leaf:
            return self.find(element, None) or self.number(element)
        sub = lambda kind=element: self.scalar(kind, depth + 1)
        choices = [lambda: f"({sub()} {rng.choice('+-*')} {sub()})"]
        if element in INTEGERS:
            choices += [
                lambda: f"({sub()} {rng.choice(['/', '%', '&', '|', '^', '<<', '>>'])} {sub()})",
                lambda: f"(~{sub()})",
                lambda: f"({sub('i64')} {rng.choice(['<', '>=', '==', '!='])} {sub('i64')})",
                lambda: f"({sub('f32')} < {sub('f32')})",
                lambda: f"({sub('bool')} {rng.choice(['&&', '||'])} {sub('i32')})",
                lambda: f"({element}){sub(rng.choice(FLOATS))}",
            ]
        elif element in FLOATS:
            choices += [
                lambda: f"({sub()} / {sub()})",
                lambda: f"tl_{rng.choice(UNARY)}({sub('f32')})",
                lambda: f"({element})tl_sum({self.tile('f32', rng.choice(SHAPES), depth + 1)})",
                lambda: f"({element}){sub(rng.choice(INTEGERS))}",
            ]
        choices += [
            lambda: f"(-{sub()})",
            lambda: f"({sub('bool')} ? {sub()} : {sub()})",
            lambda: f"tl_cast({element}, {sub(rng.choice(INTEGERS + FLOATS))})",
            lambda: f"({{ {element} {self.name('t')} = {sub()}; {sub()}; }})",
        ]
        if element == "bool":
            choices = [lambda: f"({sub('i32')} < {sub('i32')})", lambda: f"(!{sub('bool')})",
                       lambda: f"({sub('bool')} && {sub('bool')})"]
        if element == "i32":
            choices += [lambda: "tl_program_id(0)", lambda: "tl_num_programs(1)", lambda: "counts[0]"]
        if element == "f32":
            choices += [lambda: f"x[{sub('i32')}]", lambda: f"helper({sub()}, {sub()})"]
        return rng.choice(choices)()

    # ---- Tiles ----

    def dimensions(self, shape):
        return ", ".join(str(each) for each in shape)

    def mask(self, shape, depth):
        rng = self.rng
        kind = rng.choice(["i32", "f32", "u32"])
        compare = rng.choice(["<", "<=", ">", ">=", "==", "!="])
        one = lambda: f"({self.tile(kind, shape, depth + 1)} {compare} {self.tile(kind, shape, depth + 1)})"
        if rng.random() < 0.3:
            return f"({one()} {rng.choice('&|^')} {one()})"
        return self.find("bool", shape) or one()

    def offsets(self, shape, depth):
        size = 1
        for each in shape:
            size *= each
        if len(shape) == 1:
            return f"tl_arange(0, {size})"
        return f"tl_reshape(tl_arange(0, {size}), {self.dimensions(shape)})"

    def tile(self, element, shape, depth=0):
        rng = self.rng
        if depth >= MOST_DEPTH or rng.random() < 0.2:
            found = self.find(element, shape)
            if found:
                return found
            if element == "bf16":
                return f"tl_zeros(bf16, {self.dimensions(shape)})"
            return f"tl_full({element}, {self.scalar(element, MOST_DEPTH)}, {self.dimensions(shape)})"
        sub = lambda kind=element, of=shape: self.tile(kind, of, depth + 1)
        choices = [
            lambda: f"({sub()} {rng.choice('+-*')} {sub()})",
            lambda: f"(-{sub()})",
            lambda: f"tl_where({self.mask(shape, depth + 1)}, {sub()}, {sub()})",
            lambda: f"tl_cast({element}, {sub(rng.choice(INTEGERS + TILE_FLOATS))})",
            lambda: f"tl_maximum({sub()}, {sub()})",
        ]
        if element in INTEGERS:
            choices += [lambda: f"({sub()} {rng.choice(['/', '%', '&', '|', '^', '<<', '>>'])} {sub()})",
                        lambda: f"({sub()} {rng.choice(['<<', '>>'])} 3)"]
        if element in TILE_FLOATS:
            choices += [lambda: f"({sub()} / {sub()})"]
        if element in ("f32", "f64"):
            choices += [lambda: f"tl_{rng.choice(UNARY)}({sub()})",
                        lambda: f"tl_fma({sub()}, {sub()}, {sub()})"]
        if element == "i32" and len(shape) == 1:
            choices += [lambda: f"tl_arange(0, {shape[0]})", lambda: f"({sub()} + {self.mask(shape, depth)})"]
        if element == "f32":
            choices += [lambda: f"tl_load(x, {self.offsets(shape, depth)}, {self.mask(shape, depth + 1)})",
                        lambda: f"tl_load(x + {self.scalar('i32', 3)}, {self.offsets(shape, depth)})"]
        if len(shape) == 2:
            flipped = (shape[1], shape[0])
            choices += [lambda: f"tl_trans({sub(of=flipped)})",
                        lambda: f"tl_expand({sub(of=(shape[1],))}, 0, {shape[0]})",
                        lambda: f"tl_reshape({sub(of=(shape[0] * shape[1],))}, {self.dimensions(shape)})"]
        if shape == (16,):
            choices += [lambda: f"tl_cast({element}, tl_max({sub(of=(4, 16))}, 0, 16))"]
        if shape == (8, 8) and element == "f32":
            choices += [lambda: f"tl_dot({sub('f16')}, {sub('f16')}, {sub()})"]
        return rng.choice(choices)()

    # ---- Statements ----

    def block(self, depth):
        self.scopes.append([])
        lines = [self.statement(depth) for _ in range(self.rng.randrange(1, 5))]
        self.scopes.pop()
        return "{ " + "\n".join(lines) + " }"

    def declare(self):
        rng = self.rng
        name = self.name("v")
        if rng.random() < 0.4:
            element = rng.choice(INTEGERS + FLOATS + ["bool"])
            text = f"{element} {name} = {self.scalar(element)};"
            self.scopes[-1].append((name, element, None))
            return text
        shape = rng.choice(SHAPES)
        element = rng.choice(INTEGERS + TILE_FLOATS + ["bool"])
        value = self.mask(shape, 0) if element == "bool" else self.tile(element, shape)
        self.scopes[-1].append((name, element, shape))
        return f"tl_tile({element}, {self.dimensions(shape)}) {name} = {value};"

    def assign(self):
        rng = self.rng
        targets = [each for scope in self.scopes for each in scope if not each[0].startswith("c")]
        if not targets:
            return self.declare()
        name, element, shape = rng.choice(targets)
        if shape is None:
            operator = rng.choice(["=", "=", "+=", "-="]) if element != "bool" else "="
            return f"{name} {operator} {self.scalar(element)};"
        value = self.mask(shape, 0) if element == "bool" else self.tile(element, shape)
        return f"{name} = {value};"

    def store(self):
        rng = self.rng
        if rng.random() < 0.3:
            return f"counts[{self.scalar('i32', 3)}] = {self.scalar('i32')};"
        shape = rng.choice(SHAPES)
        mask = f", {self.mask(shape, 2)}" if rng.random() < 0.5 else ""
        return f"tl_store(out, {self.offsets(shape, 0)}, {self.tile('f32', shape)}{mask});"

    def loop(self, depth):
        rng = self.rng
        counter = self.name("c")
        self.loops += 1
        bound = rng.choice(["n", "4", self.scalar("i32", 3)])
        kind = rng.randrange(3)
        if kind == 0:
            self.scopes.append([(counter, "i32", None)])
            text = f"for (i32 {counter} = 0; {counter} < {bound}; {counter}++) {self.block(depth)}"
            self.scopes.pop()
        else:
            self.scopes[-1].append((counter, "i32", None))
            body = self.block(depth)[1:-1]
            text = (f"i32 {counter} = 0; while ({counter}++ < {bound}) {{ {body} }}" if kind == 1 else
                    f"i32 {counter} = 0; do {{ {body} }} while (++{counter} < {bound});")
        self.loops -= 1
        return text

    def statement(self, depth=0):
        rng = self.rng
        if depth >= 3 or rng.random() < 0.75:
            return rng.choice([self.declare, self.declare, self.assign, self.assign, self.store])()
        kind = rng.randrange(6)
        if kind == 0:
            return f"if ({self.scalar('bool')}) {self.block(depth + 1)}"
        if kind == 1:
            return f"if ({self.scalar('i32')}) {self.block(depth + 1)} else {self.block(depth + 1)}"
        if kind == 2:
            return self.loop(depth + 1)
        if kind == 3:
            return (f"switch ({self.scalar('i32')}) {{ case 1: {self.block(depth + 1)} break; case 3: "
                    f"{self.block(depth + 1)} default: {self.block(depth + 1)} }}")
        if kind == 4 and self.loops:
            return f"if ({self.scalar('bool')}) {rng.choice(['break', 'continue'])};"
        return f"if ({self.scalar('bool')}) return;"

    def kernel(self):
        self.scopes = [[("n", "i32", None), ("a", "f32", None), ("w", "i64", None), ("u", "u32", None)]]
        self.scopes.append([])
        body = "\n".join(self.statement() for _ in range(self.rng.randrange(2, 9)))
        return ("#include <teeny/kernel.h>\n"
                "TEENY_DEVICE(f32, helper, (f32 a, f32 b), { if (a < b) return a; return b * a; });\n"
                "TEENY_KERNEL(k, (f32 *out, const f32 *x, i32 *counts, i32 n, f32 a, i64 w, u32 u), "
                f"META(), {{\n{body}\n}});\n")


def generate(rng):
    """The text of a file with one kernel, `k`."""
    return Generator(rng).kernel()
