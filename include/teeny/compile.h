/* Compiling a captured kernel to a file, through the cache.
 *
 * libteeny runs teenyc only where the cache has no entry for the kernel's text, options and target.
 * Which teenyc: TEENYC_PATH; else the only directory whose name contains "teenyc" in the toolchain
 * directories (PREFIX/lib/teeny/toolchains of the prefix that libteeny.so is in, else of one that
 * the program is in, at any depth, else of the one that libteeny was built for;
 * $XDG_DATA_HOME/teeny/toolchains or ~/.local/share/teeny/toolchains), as NAME/bin/teenyc; else
 * `teenyc` on PATH. Around libteeny.so and the program only directories count that are the user's,
 * root's or their owner's. With none at all, the newest entry that fits and is intact is taken; but
 * a TEENYC_PATH that names no program is an error. TEENYC_TIMEOUT limits a run, in seconds (60).
 * TEENY_NO_COMPILE, or the option `no_compile`, says that no teenyc is to be started, whatever
 * there is: what the cache does not have is TEENY_NOT_COMPILED then, with a message that names all
 * of it.
 *
 * The cache is TEENYC_CACHE_DIR, else /tmp/teenyc_cache, or /tmp/teenyc_cache-UID where that name
 * is somebody else's. It must be a real directory of the user's own that nobody else may write to.
 * One that is full, read-only or unreadable costs a compilation each time and a warning
 * (teeny_set_log), which is not repeated, nothing more. It is kept below TEENYC_CACHE_SIZE (1G) by
 * removing what was not used for longest. docs/caching.md has all that it promises, cache.h what it
 * counts.
 */
#ifndef TEENY_COMPILE_H
#define TEENY_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <teeny/descriptor.h>
#include <teeny/status.h>

TEENY_BEGIN_C

#define TEENY_META_LIMIT 32 /* values that options can set */
#define TEENY_TYPE_LIMIT 8  /* types that options can choose */

typedef struct teeny_meta_value {
    const char *name; /* of the kernel's META */
    int64_t value;
} teeny_meta_value;

typedef struct teeny_type_choice {
    const char *name; /* of a TEENY_TYPE */
    const char *type; /* "f16", "bf16", "f32", ... */
} teeny_type_choice;

/* How to compile a kernel. All zero means the defaults, so that
 *     teeny_options options = {.num_warps = 8, .meta = {{"BLOCK", 256}}};
 * says all there is to say. Only read during the call that it is given to. */
typedef struct teeny_options {
    int num_warps;           /* a program's warps, a power of two; 0: the compiler's choice */
    int num_stages;          /* of software pipelines; 0: the compiler's choice */
    const char *target;      /* instead of the device's own, such as "sm_80"; NULL: that one */
    const char *ptx_version; /* such as "8.2", for an older driver; NULL: the compiler's choice */
    /* Parameters, by position from 0, that launches do not specialise on: "0,3"; "*" for all of
     * them; NULL for none (see teeny_launch). It changes no compilation. */
    const char *do_not_specialise;
    bool debug;      /* on cpu and emu: code that gdb can step, slower; else no change */
    bool no_compile; /* only take what was compiled before, as with TEENY_NO_COMPILE */
    /* Further stages to keep: "ttgir,llir"; NULL: none. One that the target does not have, such as
     * "ttgir" on cpu, is an error. */
    const char *keep;
    teeny_meta_value meta[TEENY_META_LIMIT];   /* up to the first without a name */
    teeny_type_choice types[TEENY_TYPE_LIMIT]; /* up to the first without a name */
} teeny_options;

/* What a compilation made: files, and what is known about them. Never changes; thread-safe. Of NULL
 * the functions below that have no status know nothing: NULL, 0 or false. */
typedef struct teeny_artifact teeny_artifact;

/* Compiles `kernel` for `target`: "sm_80", "sm_90a", ..., or "cpu" (this machine's). `options` may
 * be NULL; its own target is not looked at. teeny_artifact_destroy frees the result.
 *
 * Safe in any program: whatever it does with SIGCHLD, its descriptors, directory and signal mask
 * stay its own. Of the threads and processes that want the same kernel at once one compiles it, and
 * the others wait for it.
 *
 * Errors: TEENY_KERNEL_INVALID, TEENY_OPTION_INVALID, TEENY_UNKNOWN_TARGET, the TEENY_COMPILER_
 * codes, TEENY_NOT_COMPILED, TEENY_CACHE_UNSAFE, TEENY_IO_FAILED. */
TEENY_API teeny_status teeny_compile_kernel(const teeny_kernel *kernel, const char *target,
    const teeny_options *options, teeny_artifact **out_artifact);

/* Frees it; NULL is allowed. The files of an artifact that could not be cached go with it. */
TEENY_API void teeny_artifact_destroy(teeny_artifact *artifact);

/* The absolute path of the code: a .ptx file, or a .image for cpu. The artifact owns the string.
 * The file stays as long as the artifact does: no process evicts it from the cache meanwhile. */
TEENY_API const char *teeny_artifact_path(const teeny_artifact *artifact);

/* The absolute path of another stage ("source", "ttir", "metadata", and those that `keep` named),
 * or NULL where it was not kept, and for NULL. The artifact owns the string. */
TEENY_API const char *teeny_artifact_stage(const teeny_artifact *artifact, const char *stage);

/* The metadata as teenyc wrote it: `key = value` lines. The artifact owns the string. */
TEENY_API const char *teeny_artifact_metadata(const teeny_artifact *artifact);

/* True where the cache had it and no compiler ran. */
TEENY_API bool teeny_artifact_hit(const teeny_artifact *artifact);

/* True where it is in the cache now; false where the cache could not be written to. */
TEENY_API bool teeny_artifact_cached(const teeny_artifact *artifact);

/* The value that a name of META has in the compiled code. Errors: TEENY_OPTION_INVALID lists the
 * names that there are. */
TEENY_API teeny_status teeny_artifact_meta(
    const teeny_artifact *artifact, const char *name, int64_t *out_value);

/* One field of the packed struct of a kernel's parameters. A tl_tensor is several of one name: its
 * base, an i64 for each dimension of its shape, and an i64 for each of its strides. */
typedef struct teeny_parameter {
    const char *name;
    const char *kind;    /* "pointer", "bool", "i8" to "u64", "f16", "bf16", "f32", "f64",
                          * "f8e4m3", "f8e5m2" */
    const char *element; /* of a pointer: what it points to, such as "f32"; else "" */
    size_t offset;       /* in bytes, as its size */
    size_t bytes;
} teeny_parameter;

/* How many parameters the kernel has. */
TEENY_API size_t teeny_artifact_parameter_count(const teeny_artifact *artifact);

/* Parameter number `index`, from 0; the artifact owns the strings. Errors: TEENY_INVALID_ARGUMENT.
 */
TEENY_API teeny_status teeny_artifact_parameter(
    const teeny_artifact *artifact, size_t index, teeny_parameter *out_parameter);

/* The size of the packed struct, in bytes: what a launch takes. */
TEENY_API size_t teeny_artifact_arguments_size(const teeny_artifact *artifact);

/* One compilation of a list. */
typedef struct teeny_compile_item {
    const teeny_kernel *kernel;
    const char *target;           /* as of teeny_compile_kernel */
    const teeny_options *options; /* NULL: the defaults; their target is not looked at */
    /* What is known of the arguments, as teenyc --specialise has it, by position: "0=16,3=1", as
     * messages name it. It is the variant that launches with such arguments use (see teeny_launch);
     * NULL: the code that fits any. */
    const char *specialise;
} teeny_compile_item;

/* How it ended. */
typedef struct teeny_compile_result {
    teeny_status status;
    bool hit;      /* the cache had it, and no compiler ran */
    char *message; /* NULL where it is right; freed with teeny_compile_results_free */
} teeny_compile_result;

/* Fills the cache with all items, several at once: at most `processes` runs of teenyc by this call,
 * 0 for as many as the process may use cores. Each item ends as teeny_compile_kernel would,
 * whatever becomes of the others; one that cannot be cached is TEENY_IO_FAILED. Thread-safe;
 * returns when all are done.
 *
 * out_results: `count` results, in the order of the items, always written; or NULL. The status is
 * the first one of an item that is not TEENY_OK, with a message that says how many failed and why
 * the first did. Errors besides: TEENY_OUT_OF_MEMORY, where out_results is NULL. */
TEENY_API teeny_status teeny_compile_many(const teeny_compile_item *items, size_t count,
    unsigned processes, teeny_compile_result *out_results);

/* Frees the messages of `count` results; NULL is allowed. */
TEENY_API void teeny_compile_results_free(teeny_compile_result *results, size_t count);

TEENY_END_C

#endif
