// Functions, calls, and the place of a program in the grid.

#ifndef TEENY_TT_OPS_FUNCTION_TD
#define TEENY_TT_OPS_FUNCTION_TD

include "tt_ops_base.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

def TT_FuncOp : TT_Op<"func", [
    AffineScope, AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove,
    HasParent<"::mlir::ModuleOp">
]> {
    let summary = "A kernel or a function that kernels call";
    let description = [{
        A public function is a kernel: the host launches it over a grid, and every program of the
        grid runs the body once. A private function is reached through `tt.call` only. Argument
        attributes carry what the launcher checked on the actual arguments, such as
        `tt.divisibility`.

        Example:

        ```mlir
        tt.func public @scale(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32)
                attributes {noinline = false} {
            tt.return
        }
        ```
    }];

    let arguments = (ins SymbolNameAttr:$sym_name,
                         TypeAttrOf<FunctionType>:$function_type,
                         OptionalAttr<StrAttr>:$sym_visibility,
                         OptionalAttr<DictArrayAttr>:$arg_attrs,
                         OptionalAttr<DictArrayAttr>:$res_attrs);
    let regions = (region AnyRegion:$body);
    let extraClassDeclaration = [{
        // FunctionOpInterface and CallableOpInterface.
        ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
        ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
        ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
        // SymbolOpInterface.
        bool isDeclaration() { return isExternal(); }
    }];
    let hasCustomAssemblyFormat = 1;
}

def TT_ReturnOp : TT_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
    let summary = "Ends a function";
    let description = [{
        Hands back as many values as the function has results, of the same types.

        Example:

        ```mlir
        tt.return
        tt.return %quotient, %remainder : i32, i32
        ```
    }];

    let arguments = (ins Variadic<AnyType>:$srcs);
    let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
    let hasVerifier = 1;
}

def TT_CallOp : TT_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
    let summary = "Calls a function of the same module";
    let description = [{
        Scalars and tiles pass by value. The callee runs once for the calling program, not once an
        element.

        Example:

        ```mlir
        %area = tt.call @multiply(%width, %height) : (i32, i32) -> i32
        ```
    }];

    let arguments = (ins FlatSymbolRefAttr:$callee,
                         Variadic<AnyType>:$operands,
                         OptionalAttr<DictArrayAttr>:$arg_attrs,
                         OptionalAttr<DictArrayAttr>:$res_attrs);
    let results = (outs Variadic<AnyType>);
    let assemblyFormat = [{
        $callee `(` $operands `)` attr-dict `:` functional-type($operands, results)
    }];
    let extraClassDeclaration = [{
        // CallOpInterface.
        operand_range getArgOperands() { return getOperands(); }
        ::mlir::MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
        ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
        void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
            auto symbol = ::llvm::cast<::mlir::SymbolRefAttr>(callee);
            setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(symbol));
        }
    }];
}

def TT_GetProgramIdOp : TT_Op<"get_program_id", [Pure]> {
    let summary = "The place of this program along one axis of the grid";
    let description = [{
        The same value for the whole program, from 0 to the axis' number of programs less one.

        Example:

        ```mlir
        %row = tt.get_program_id x : i32
        ```
    }];

    let arguments = (ins TT_ProgramDimAttr:$axis);
    let results = (outs I32:$result);
    let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def TT_GetNumProgramsOp : TT_Op<"get_num_programs", [Pure]> {
    let summary = "How many programs the grid has along one axis";
    let description = [{
        The same value in every program of a launch, at least 1.

        Example:

        ```mlir
        %rows = tt.get_num_programs x : i32
        ```
    }];

    let arguments = (ins TT_ProgramDimAttr:$axis);
    let results = (outs I32:$result);
    let assemblyFormat = "$axis attr-dict `:` type($result)";
}

#endif // TEENY_TT_OPS_FUNCTION_TD
