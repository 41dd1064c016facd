/* One compilation: an input, a kernel and a target on their way through the stages. */
#ifndef TEENY_DRIVER_COMPILATION_H
#define TEENY_DRIVER_COMPILATION_H

#include <mlir-c/IR.h>

#include "driver/mlir_diagnostics.h"
#include "driver/options.h"
#include "driver/stopwatch.h"
#include "frontend/frontend.h"

/* The product of a stage; `data` NULL: not made. In the arena. */
typedef struct product {
    const char *data;
    size_t size;
} product;

typedef struct compilation {
    arena *arena;
    const driver_options *options;
    diagnostics *diagnostics;
    stopwatch *stopwatch;
    mlir_reporter reporter;
    MlirContext context;
    MlirModule module;       /* null until there is one */
    const capture *captures; /* of a C input, once it was read, and the kernel's own */
    const capture *capture;
    frontend_kernel kernel;          /* all zero where the input was MLIR */
    const struct nvidia_target *gpu; /* NULL: the target is a CPU */
    const struct host_target *cpu;   /* the level of CPUs; NULL: this CPU, or a GPU */
    bool is_emulated;                /* the target is emu: `gpu` is what it stands in for */
    bool option_is_refused;          /* one that only the kernel can judge */
    bool argument_is_missing;        /* one that --specialise names */
    unsigned shared_bytes;           /* of a program, once there is code */
    bool specialised_is_found_out;   /* by launches: they would choose this variant */
    const char *specialised; /* what --specialise says, by position: "0=16,3=1"; "": nothing */
    product products[STAGE_COUNT];
} compilation;

/* How a run ends, as the process's exit status. USAGE is also an option that is not the kernel's.
 * UNWRITTEN says nothing against the input: main has it where output.h tells of a failure. */
enum {
    COMPILE_RIGHT = 0,
    COMPILE_WRONG = 1,
    COMPILE_USAGE = 2,
    COMPILE_UNKNOWN_TARGET = 3,
    COMPILE_UNWRITTEN = 4,
};

/* Says on standard error what is wrong with the command line; `format` takes `what`. COMPILE_USAGE.
 */
int compile_usage(const char *format, const char *what) __attribute__((format(printf, 1, 0)));

/* Compiles as the given options say and writes what they ask for; or checks. An exit status; what
 * is wrong was said on standard error. */
int compile(arena *arena, const driver_options *given);

/* The same, but writes nothing: products, kernel and specialisation are in `out_compilation`, in
 * the arena. */
int compile_in_memory(arena *arena, const driver_options *options, compilation *out_compilation);

/* Compiles the kernel of a C input that was read once more, with other options, without a word.
 * `finish` is handed what was made, which is gone afterwards but for what it wrote into the
 * compilation, `out_again`. */
bool compile_again(const compilation *first, const driver_options *options,
    bool (*finish)(compilation *again), compilation *out_again);

/* Whether the code generator takes the module, which is in ttg form, and is not behind this. */
bool compile_is_accepted(compilation *compilation);

#endif
