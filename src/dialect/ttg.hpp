// The ttg dialect in C++: what mlir-tblgen makes of ttg.td. For src/dialect/ alone; the rest of the
// compiler sees dialect.h.

#ifndef TEENY_DIALECT_TTG_HPP
#define TEENY_DIALECT_TTG_HPP

#include "tt.hpp"
#include "ttg_layout.hpp"

#include "ttg_dialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ttg_attrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ttg_types.h.inc"

namespace teeny::ttg
{

// The effect resource behind every !ttg.memdesc.
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
    llvm::StringRef getName() final
    {
        return "<ttg shared memory>";
    }
};

} // namespace teeny::ttg

#define GET_OP_CLASSES
#include "ttg_ops.h.inc"

#endif // TEENY_DIALECT_TTG_HPP
