"""What a kernel and its reference have in common: C's statements and scalar expressions, as text."""

from elements import limits

SUFFIXES = {"u32": "u", "i64": "l", "u64": "ul"}
INDENT = "    "


def print_integer(element, number):
    if element in ("i32", "i64") and number == limits(element)[0]:
        return f"({number + 1}{SUFFIXES.get(element, '')} - 1)"
    text = f"{number}{SUFFIXES.get(element, '')}"
    if element in ("i32", "u32", "i64", "u64"):
        return f"({text})" if number < 0 else text
    return f"(({element}){text})" if number >= 0 else f"(({element})({text}))"


def print_constant(node):
    element = node.type.element
    if element not in ("f32", "f64"):
        return print_integer(element, node.data)
    text = repr(float(node.data)) + ("f" if element == "f32" else "")
    return f"({text})" if text[0] == "-" else text


class Printer:
    """`prefix` goes before the names of helpers: a file holds many programs."""

    def __init__(self, prefix):
        self.prefix = prefix
        self.lines = []
        self.depth = 1

    def line(self, text):
        self.lines.append(INDENT * self.depth + text)

    # ---- Types and declarations --------------------------------------------------------------

    def type_text(self, type_):
        raise NotImplementedError

    def declarator(self, variable):
        text = self.type_text(variable.type)
        return f"{text}{variable.name}" if text.endswith("*") else f"{text} {variable.name}"

    def parameters(self, variables):
        return ", ".join(self.declarator(each) for each in variables)

    # ---- Statements --------------------------------------------------------------------------

    def statement(self, node):
        getattr(self, "print_" + node.kind)(node)

    def statements(self, nodes):
        for each in nodes:
            self.statement(each)

    def braced(self, head, node, tail="}"):
        self.line(head + "{")
        self.depth += 1
        self.statements(node.children if node.kind == "block" else [node])
        self.depth -= 1
        self.line(tail)

    def print_block(self, node):
        self.braced("", node)

    def print_together(self, node):
        self.statements(node.children)

    def print_empty(self, node):
        self.line(";")

    def print_declare(self, node):
        self.line(self.declaration(node) + ";")

    def declaration(self, node):
        text = self.declarator(node.data)
        return f"{text} = {self.expression(node.children[0])}" if node.children else text

    def print_expression(self, node):
        self.line(self.expression(node.children[0]) + ";")

    def print_if(self, node):
        self.braced(f"if ({self.expression(node.children[0])}) ", node.children[1],
                    "} else {" if len(node.children) > 2 else "}")
        if len(node.children) > 2:
            self.depth += 1
            self.statements(node.children[2].children)
            self.depth -= 1
            self.line("}")

    def print_for(self, node):
        init, condition, step, body = node.children
        begin = {"empty": lambda: "", "declare": lambda: self.declaration(init),
                 "expression": lambda: self.expression(init.children[0])}[init.kind]()
        parts = ["" if each.kind == "empty" else self.expression(each) for each in (condition, step)]
        self.braced(f"for ({begin}; {parts[0]}; {parts[1]}) ", body)

    def print_while(self, node):
        self.braced(f"while ({self.expression(node.children[0])}) ", node.children[1])

    def print_do(self, node):
        self.braced("do ", node.children[0], f"}} while ({self.expression(node.children[1])});")

    def print_switch(self, node):
        self.line(f"switch ({self.expression(node.children[0])}) {{")
        self.statements(node.children[1:])
        self.line("}")

    def print_section(self, node):
        for label in node.data:
            if label == "default":
                self.line("default:")
            elif label[0] == label[1]:
                self.line(f"case {label[0]}:")
            else:
                self.line(f"case {label[0]} ... {label[1]}:")
        self.depth += 1
        if node.children:
            self.statements(node.children)
        else:
            self.line(";")
        self.depth -= 1

    def print_break(self, node):
        self.line("break;")

    def print_continue(self, node):
        self.line("continue;")

    def print_return(self, node):
        self.line(f"return {self.expression(node.children[0])};" if node.children else "return;")

    # ---- Expressions -------------------------------------------------------------------------

    def expression(self, node):
        return getattr(self, "text_" + node.kind)(node)

    def list(self, nodes):
        return ", ".join(self.expression(each) for each in nodes)

    def text_constant(self, node):
        return print_constant(node)

    def text_variable(self, node):
        return node.data.name

    def text_unary(self, node):
        return f"({node.data}{self.expression(node.children[0])})"

    def text_binary(self, node):
        left, right = (self.expression(each) for each in node.children)
        return f"({left} {node.data} {right})"

    def text_conditional(self, node):
        condition, yes, no = (self.expression(each) for each in node.children)
        return f"({condition} ? {yes} : {no})"

    def text_index(self, node):
        base, index = node.children
        return f"{self.expression(base)}[{self.expression(index)}]"

    def text_dereference(self, node):
        return f"(*{self.expression(node.children[0])})"

    def text_assign(self, node):
        target, value = (self.expression(each) for each in node.children)
        return f"({target} {node.data} {value})"

    def text_step(self, node):
        return f"({node.data.replace('x', self.expression(node.children[0]))})"

    def text_call(self, node):
        return f"{self.prefix}{node.data.name}({self.list(node.children)})"

    def text_block_value(self, node):
        outer, self.lines = self.lines, []
        self.statements(node.children[:-1])
        inner, self.lines = self.lines, outer
        body = " ".join(each.strip() for each in inner)
        return f"({{ {body} {self.expression(node.children[-1])}; }})"
