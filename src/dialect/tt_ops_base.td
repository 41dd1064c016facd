// What every tt operation file shares: the base class, traits, and type inference for the printed
// form. The C++ side of the traits is tt_traits.h.

#ifndef TEENY_TT_OPS_BASE_TD
#define TEENY_TT_OPS_BASE_TD

include "tt_attrs.td"
include "tt_types.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

// Every tile an operation touches has a power-of-two element count and a layout of its own rank.
def TT_TilesAreValid : NativeOpTrait<"TilesAreValid"> {
    let cppNamespace = "::teeny::tt";
}

// Operands and results agree in shape and layout; scalars and tiles do not mix.
def TT_SameShapeAndLayout : NativeOpTrait<"SameShapeAndLayout"> {
    let cppNamespace = "::teeny::tt";
}

// Operands and results agree in element type.
def TT_SameElementType : NativeOpTrait<"SameElementType"> {
    let cppNamespace = "::teeny::tt";
}

// The result types follow from operands and attributes, in C++: MLIR then compares them with those
// written, and mlirOperationStateEnableResultTypeInference() works.
def TT_InferInCode : TraitList<[
    DeclareOpInterfaceMethods<InferTypeOpInterface>, InferTypeOpAdaptor
]>;

// Computed element by element: result i needs only element i of each operand.
def TT_Elementwise : TraitList<[TT_SameShapeAndLayout, Elementwise, Pure]>;

// The type of `to` follows from that of `from`, so the text gives it once. Nothing is compared here
// (`to` may be an absent operand): the operation's own verifier does that, and says what it
// expected and found.
class TT_InferType<string to, string from, string rule>
    : TypesMatchWith<to # " follows from " # from, from, to, rule, "true || std::equal_to<>()">;

// Memory that a pointer argument of the kernel can reach.
def TT_GlobalMemory : Resource<"::teeny::tt::GlobalMemory">;

class TT_Op<string mnemonic, list<Trait> traits = []>
    : Op<TT_Dialect, mnemonic, !listconcat([TT_TilesAreValid], traits)>;

#endif // TEENY_TT_OPS_BASE_TD
