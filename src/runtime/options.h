/* From options to teenyc's arguments. */
#ifndef TEENY_RUNTIME_OPTIONS_H
#define TEENY_RUNTIME_OPTIONS_H

#include <stddef.h>
#include <teeny/compile.h>

/* Checks the options and spells them out, always in the same order, with values by name;
 * `specialise` is teenyc's option of that name, or NULL. The NULL-terminated list is freed with
 * teeny_arguments_free. Errors: TEENY_OPTION_INVALID. */
teeny_status teeny_options_arguments(const teeny_options *options, const char *kernel,
    const char *target, const char *object, const char *specialise, char ***out_arguments,
    size_t *out_count);

/* A copy with copies of all strings, in one block: free() frees it. NULL where memory is out. */
teeny_options *teeny_options_copy(const teeny_options *options);

void teeny_arguments_free(char **arguments);

/* Whether code that the host runs is to be for a debugger: by the option, or by TEENY_DEBUG. */
bool teeny_options_debug(const teeny_options *options);

#endif
