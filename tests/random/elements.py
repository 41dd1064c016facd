"""Types of the kernel language, and what C makes of them.

A type is a tuple (kind, element, shape). Kinds: `scalar`, `pointer` (to an element), `tile`, and
`mask`, a comparison of tiles, whose element is the integer that its lanes are as wide as. A tile of
bool is a tile. Types are equal where their tuples are.
"""

from collections import namedtuple

Type = namedtuple("Type", "kind element shape")

INTEGERS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
FLOATS = ["f32", "f64"]
ELEMENTS = ["bool", *INTEGERS, *FLOATS]
BITS = {"bool": 8, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "u8": 8, "u16": 16, "u32": 32, "u64": 64,
        "f32": 32, "f64": 64}


def scalar(element):
    return Type("scalar", element, ())


def pointer(element):
    return Type("pointer", element, ())


def tile(element, shape):
    return Type("tile", element, tuple(shape))


def mask(element, shape):
    return Type("mask", element, tuple(shape))


I32 = scalar("i32")
NOTHING = Type("nothing", None, ())  # what a helper without a result returns


def is_tile(type_):
    return type_.kind in ("tile", "mask")


def is_number(type_):
    return type_.kind == "scalar"


def is_float(type_):
    return type_.element in FLOATS


def is_integer(type_):
    return type_.element in INTEGERS


def is_signed(element):
    return element in FLOATS or element[0] == "i"


def lanes(type_):
    count = 1
    for size in type_.shape:
        count *= size
    return count


def promoted(element):
    """What C computes with where a scalar of this element stands alone."""
    return "i32" if element == "bool" or BITS[element] < 32 else element


def common(left, right):
    """C's usual arithmetic conversions."""
    for element in ("f64", "f32"):
        if element in (left, right):
            return element
    left, right = promoted(left), promoted(right)
    if BITS[left] != BITS[right]:
        return left if BITS[left] > BITS[right] else right
    return left if not is_signed(left) else right


def lane_of_mask(element):
    """The integer that a comparison's lanes are."""
    return "i" + str(BITS[element]) if element != "bool" else "i32"


def limits(element):
    """The least and the largest integer."""
    if element == "bool":
        return 0, 1
    bits = BITS[element]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed(element) else (0, (1 << bits) - 1)
