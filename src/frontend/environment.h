/* The teeny environment: the headers that a kernel sees, built into teenyc so that they are always
 * those of this compiler, whatever is installed. */
#ifndef TEENY_FRONTEND_ENVIRONMENT_H
#define TEENY_FRONTEND_ENVIRONMENT_H

#include <stddef.h>

#include "frontend/clang/bridge.h"

extern const clang_header environment_headers[];
extern const size_t num_environment_headers;

#endif
