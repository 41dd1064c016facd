/* The last stages: from a module that codegen takes to LLVM IR, assembly and machine code. */
#ifndef TEENY_DRIVER_BACKEND_H
#define TEENY_DRIVER_BACKEND_H

#include <stdbool.h>

#include "driver/compilation.h"

/* Makes the products that the options ask for. False after a diagnostic. */
bool backend_run(compilation *compilation);

/* Whether the module becomes LLVM IR; nothing is made of it. False after a diagnostic. */
bool backend_accepts(compilation *compilation);

/* The chip, or the host's CPU with its features. */
const char *backend_resolved_target(compilation *compilation);

#endif
