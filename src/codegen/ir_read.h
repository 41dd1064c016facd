/* Reading tt and ttg operations: attributes, element types, and errors at an operation. */
#ifndef TEENY_CODEGEN_IR_READ_H
#define TEENY_CODEGEN_IR_READ_H

#include "analysis/block_order.h"
#include "analysis/pointer_map.h"
#include "base/arena.h"
#include "dialect/dialect.h"

#include <stdbool.h>
#include <stdint.h>

/* An error at the operation's place, through MLIR's diagnostics. Always false, for `return`. */
bool ir_error(MlirOperation op, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The usual one: an operation that the target's code generator does not have. */
bool ir_error_not_built(MlirOperation op, const char *what);

/* "FILE:LINE:COLUMN" of what the user wrote; "" where the location is null or does
 * not say. In the arena. */
const char *ir_place(arena *arena, MlirLocation location);

/* The same taken apart. What is not known is zero; the strings point into the context. */
struct ir_user_place {
    MlirStringRef file;
    unsigned line, column;
    MlirStringRef helper; /* that it is in, where that is known */
    MlirLocation caller;  /* and where it was called */
};
struct ir_user_place ir_user_place(MlirLocation location);

/* An integer or enumeration attribute, or `otherwise`. */
int64_t ir_integer_attribute(MlirOperation op, const char *name, int64_t otherwise);
bool ir_bool_attribute(MlirOperation op, const char *name);

MlirAttribute ir_attribute(MlirOperation op, const char *name);

/* How many operands are in each group of an operation such as tt.load(ptr, mask?, other?). */
int32_t ir_segment_size(MlirOperation op, unsigned segment);

bool ir_is_tile(MlirType type);
MlirType ir_element_type(MlirType type);  /* of a tile; any other type itself */
bool ir_is_float(MlirType type);          /* of any width */
bool ir_is_integer(MlirType type);        /* or index */
unsigned ir_integer_width(MlirType type); /* index has 64 */

/* tt.load, tt.store and the global side of an asynchronous copy taken apart; what is absent is
 * null. */
struct memory_access {
    MlirValue pointer, value, mask, other; /* value: what a store writes */
    MlirType element;                      /* what lies in memory */
    int64_t cache, evict;
    bool is_volatile;
};
struct memory_access ir_memory_access(MlirOperation op);

/* The function to compile: of the given name, or the only public one when `name` is NULL. Null
 * after an error. */
MlirOperation ir_find_kernel(MlirModule module, const char *name);

/* Its symbol name; points into the context. */
MlirStringRef ir_function_name(MlirOperation function);

#endif
