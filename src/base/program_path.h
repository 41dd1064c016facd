/* Programs on PATH. */
#ifndef TEENY_BASE_PROGRAM_PATH_H
#define TEENY_BASE_PROGRAM_PATH_H

#include <stdbool.h>

/* Whether the path is that of a file that can be run; and what it is instead, as a phrase, or NULL
 * where it is one. */
bool teeny_is_program(const char *path);
const char *teeny_program_problem(const char *path);

/* The first program of this name in the directories of PATH, or NULL. The relative ones are passed
 * over: what they mean depends on where the process happens to be. The caller frees it. */
char *teeny_program_path(const char *name);

/* ptxas of the CUDA toolkit: on PATH, else where the toolkit's installer puts it; or NULL. The
 * caller frees it. */
char *teeny_ptxas_path(void);

#endif
