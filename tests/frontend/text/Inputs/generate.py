"""Writes kernels that are large or deep, for limits.test, into the working directory."""

HEAD = "#include <teeny/kernel.h>\n\n"


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


def kernel(body, name="k"):
    return f"TEENY_KERNEL({name}, (f32 *p, const f32 *x, i32 n), META(), {{\n{body}\n}});\n"


def nested(name, body):
    write(f"{name}.c", HEAD + kernel(body))


def statements(count):
    for i in range(count // 2):
        yield f"tl_tile(f32, 64) a{i} = tl_load(x + {i}, tl_arange(0, 64), tl_arange(0, 64) < n);"
        yield f"tl_store(p + {i}, tl_arange(0, 64), a{i} * 2 + p[{i}], tl_arange(0, 64) < n);"


nested("parentheses", "p[0] = " + "(" * 5000 + "n" + ")" * 5000 + ";")
nested("braces", "{" * 5000 + "}" * 5000)
nested("some_parentheses", "p[0] = " + "(" * 2000 + "n" + ")" * 2000 + ";")
nested("minus_signs", "p[0] = " + "- " * 5000 + "n;")
nested("endless_minus_signs", "p[0] = " + "- " * 1000000 + "n;")
nested("dimensions", "tl_tile(f32, " * 12 + "8" + ")" * 12 + " v;")
nested("assignments", "f32 a;\np[0] = " + "a = " * 3000 + "n;")
nested("else_ifs", "".join(f"if (n == {i}) p[{i}] = 1; else " for i in range(300)) + ";")
for terms in (1000, 10000):
    nested(f"sum_{terms}", "p[0] = " + " + ".join(f"x[{i}]" for i in range(terms)) + ";")
nested("commas", "p[0] = (" + ", ".join(["n"] * 10000) + ");")
nested("long_line", "p[0] = n;" + " " * 1000000 + "p[1] = missing;")
write("helpers.c", HEAD + "TEENY_DEVICE(f32, h0, (f32 a), { return a; });\n" + "".join(
    f"TEENY_DEVICE(f32, h{i}, (f32 a), {{ return h{i - 1}(a) + {i}; }});\n"
    for i in range(1, 300)) + kernel("p[0] = h299(n);"))
for lines in (1000, 3000):
    nested(f"lines_{lines}", "\n".join(statements(lines)))
    one_line = kernel(" ".join(statements(lines))).replace("\n", " ")
    write(f"one_line_{lines}.c", f'{HEAD}#line 7 "gone.c"\n{one_line}\n')
for count in (200, 600):
    write(f"kernels_{count}.c", HEAD + "".join(
        kernel("p[0] = x[n];", f"k{i}") for i in range(count)))
