/* Which teenyc this is. */
#ifndef TEENY_DRIVER_VERSION_H
#define TEENY_DRIVER_VERSION_H

#include <stddef.h>

#define TEENYC_VERSION "0.1.0"

/* The version of the environment: what kernels see, and what libteeny keys its cache by. */
#define TEENYC_ENVIRONMENT_VERSION 1

/* The linker's build id in hexadecimal: it differs where any byte of the program does. "unknown"
 * where the linker made none. */
const char *version_build_id(char *buffer, size_t size);

void version_print(void);

#endif
