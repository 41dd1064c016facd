/* `--emit c`: kernels compiled ahead, as C that a program builds in (teeny/embedded.h). */
#ifndef TEENY_DRIVER_EMBED_H
#define TEENY_DRIVER_EMBED_H

#include "driver/compilation.h"

/* One image: a target, what is known of the arguments, and a stage of that compilation. */
typedef struct embedded_image {
    const char *target;
    const char *specialised; /* by position; "": nothing */
    stage stage;             /* ptx, cubin or image */
    const char *metadata;
    product code;
    const struct embedded_image *next;
} embedded_image;

typedef struct embedded_kernel {
    const char *name;          /* the kernel's own */
    const char *c_name;        /* in the header */
    diagnostic_place place;    /* in the user's file */
    const ast_function *tree;  /* its parameters and META values */
    const char **c_parameters; /* their names in the header */
    size_t arguments_bytes;
    const embedded_image *images;
    const struct embedded_kernel *next;
} embedded_kernel;

/* Compiles each kernel of the file, or the one of --kernel, for each target and each --specialise,
 * and writes the pair that --output names. An exit status; what is wrong was said. */
int embed(arena *arena, const driver_options *options);

/* The text of the header and of the C file that includes it as `header_name`. In the arena. */
product embed_header(
    arena *arena, const embedded_kernel *kernels, const char *header_name, const char *source_name);
product embed_source(
    arena *arena, const embedded_kernel *kernels, const char *header_name, const char *source_name);

#endif
