/* What kernels leave in a program: see describe.c. */
#ifndef PROGRAM_DESCRIBE_H
#define PROGRAM_DESCRIBE_H

#include <stdio.h>

#include "kernels.h"

/* Checks the records of this module: 0, or 1 after a message. */
int describe_program(void);

#endif
