/* What libteeny must know to launch a compiled kernel, as text. */
#ifndef TEENY_DRIVER_METADATA_H
#define TEENY_DRIVER_METADATA_H

#include <mlir-c/IR.h>

#include "base/arena.h"
#include "frontend/ast.h"
#include "frontend/source.h"

typedef struct metadata_facts {
    MlirOperation function;   /* the tt.func: its arguments are the parameters */
    const char *target;       /* as asked for */
    const char *resolved;     /* the exact chip, or CPU with its features */
    unsigned num_warps;       /* 1 on a CPU */
    unsigned shared_bytes;    /* 0 on a CPU */
    const char *specialised;  /* as --specialise has it; NULL: nothing */
    const ast_function *tree; /* for the META values; NULL where the input was MLIR */
    const source_settings *settings;
} metadata_facts;

/* The parameters lie as the fields of a C struct: each aligned to its own size. */
const char *metadata_text(arena *arena, const metadata_facts *facts);

/* The name of an argument of the function, which the frontend or Triton put into its location;
 * "argument0", ... where there is none. In the arena. */
const char *metadata_argument_name(arena *arena, MlirValue argument, intptr_t index);

#endif
