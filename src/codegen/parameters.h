/* How a kernel's parameters lie in the packed struct of arguments, as C lays it out. */
#ifndef TEENY_CODEGEN_PARAMETERS_H
#define TEENY_CODEGEN_PARAMETERS_H

#include "codegen/emit.h"

struct parameter {
    MlirType type;
    unsigned offset, size; /* bytes; a bool takes one */
};

struct parameters {
    unsigned count;
    struct parameter *list;
    unsigned bytes; /* of the whole struct */
};

/* False after an error at the function: a parameter that cannot be passed. */
bool parameters_read(
    const struct emitter *emitter, MlirOperation function, struct parameters *out_parameters);

#endif
