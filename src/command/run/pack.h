/* A kernel's parameters and the arguments that are given for them. */
#ifndef TEENY_COMMAND_RUN_PACK_H
#define TEENY_COMMAND_RUN_PACK_H

#include "command/run/arguments.h"

#include <teeny/teeny.h>

/* Checks that each parameter has an argument of its kind, and each argument a parameter. False
 * after a message that quotes the wrong word or names the missing parameter. `artifact` is of the
 * kernel. */
bool arguments_check(arguments *arguments, const teeny_artifact *artifact);

/* Writes the packed struct of parameters: checked arguments, with the address of each buffer on its
 * device, in the order of the arguments; NULL for scalars. */
void arguments_pack(const arguments *arguments, const teeny_artifact *artifact,
    void *const *addresses, void *out_packed);

#endif
