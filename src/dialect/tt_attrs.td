// Enumerations of the tt dialect. Each is stored as an i32 integer attribute, as Triton stores
// them; dialect.h repeats the values for C, and bridge_types.cpp asserts that the two agree.

#ifndef TEENY_TT_ATTRS_TD
#define TEENY_TT_ATTRS_TD

include "mlir/IR/EnumAttr.td"

class TT_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
    let cppNamespace = "::teeny::tt";
}

def TT_ProgramDimAttr : TT_Enum<"ProgramDim", "axis of the grid", [
    I32EnumAttrCase<"X", 0, "x">,
    I32EnumAttrCase<"Y", 1, "y">,
    I32EnumAttrCase<"Z", 2, "z">,
]>;

def TT_CacheModifierAttr : TT_Enum<"CacheModifier", "which cache levels an access uses", [
    I32EnumAttrCase<"None", 1, "none">,
    I32EnumAttrCase<"AllLevels", 2, "ca">,
    I32EnumAttrCase<"GlobalLevel", 3, "cg">,
    I32EnumAttrCase<"WriteBack", 4, "wb">,
    I32EnumAttrCase<"Streaming", 5, "cs">,
    I32EnumAttrCase<"WriteThrough", 6, "wt">,
    I32EnumAttrCase<"Volatile", 7, "cv">,
]>;

def TT_EvictionPolicyAttr : TT_Enum<"EvictionPolicy", "how long a cache line should stay", [
    I32EnumAttrCase<"Normal", 1, "evict_normal">,
    I32EnumAttrCase<"First", 2, "evict_first">,
    I32EnumAttrCase<"Last", 3, "evict_last">,
]>;

def TT_RoundingModeAttr : TT_Enum<"RoundingMode", "rounding of a floating-point conversion", [
    I32EnumAttrCase<"TowardZero", 0, "rtz">,
    I32EnumAttrCase<"NearestEven", 1, "rtne">,
]>;

def TT_InputPrecisionAttr : TT_Enum<"InputPrecision", "how exact the factors of a product are", [
    I32EnumAttrCase<"TF32", 0, "tf32">,
    I32EnumAttrCase<"TF32x3", 1, "tf32x3">,
    I32EnumAttrCase<"IEEE", 2, "ieee">,
    I32EnumAttrCase<"BF16x3", 3, "bf16x3">,
    I32EnumAttrCase<"BF16x6", 4, "bf16x6">,
]>;

#endif // TEENY_TT_ATTRS_TD
