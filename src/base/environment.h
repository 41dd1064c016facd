/* Every environment variable that teeny reads, in one table: nothing else calls getenv. */
#ifndef TEENY_BASE_ENVIRONMENT_H
#define TEENY_BASE_ENVIRONMENT_H

#include <stdbool.h>

/* X(name, what it does). The last few are not teeny's own. */
#define TEENY_ENVIRONMENT_TABLE(X)                                                                 \
    X(TEENYC_PATH, "the teenyc to run, instead of searching for one")                              \
    X(TEENYC_CACHE_DIR, "the directory of compiled kernels (/tmp/teenyc_cache)")                   \
    X(TEENYC_CACHE_SIZE, "bytes that it may hold, such as 500M or 2G, or `unlimited` (1G)")        \
    X(TEENY_NO_COMPILE,                                                                            \
        "1: no teenyc is started, what is in no cache is an error (0 or empty is off)")            \
    X(TEENYC_TIMEOUT, "seconds that one run of teenyc may take (60)")                              \
    X(TEENY_LOG, "what libteeny says on stderr: warning, info or debug (nothing)")                 \
    X(TEENY_NVTX, "1: NVTX ranges for a profiler, 0: none (1 under a profiler that asks)")         \
    X(TEENY_DEBUG, "1: kernels on cpu and emu can be stepped in gdb, see docs/debugging.md (0 or " \
                   "empty is off)")                                                                \
    X(TEENY_CPU_THREADS, "threads of the devices cpu and emu (all cores it may use)")              \
    X(TEENY_AUTO_DEVICE, "the device that `auto` opens, such as emu (cuda:0, else cpu)")           \
    X(TEENY_EMU_SEED, "the order of threads on emu, as its reports name it (another each time)")   \
    X(TEENY_LIBCUDA_PATH, "the CUDA driver library to open, for tests (libcuda.so.1)")             \
    X(NVTX_INJECTION64_PATH, "the profiler's library, which it sets itself")                       \
    X(TMPDIR,                                                                                      \
        "where the compiler's files lie while it runs (/tmp, also where this cannot be used)")     \
    X(XDG_DATA_HOME, "the user's data directory, for toolchains (~/.local/share)")                 \
    X(HOME, "the user's directory")                                                                \
    X(PATH, "where programs are")

#define TEENY_VARIABLE_ENUMERATOR(name, explanation) TEENY_VARIABLE_##name,
typedef enum teeny_variable {
    TEENY_ENVIRONMENT_TABLE(TEENY_VARIABLE_ENUMERATOR) TEENY_VARIABLE_COUNT
} teeny_variable;
#undef TEENY_VARIABLE_ENUMERATOR

/* The value, or NULL where it is not set, is empty, or the program runs with another user's rights.
 * The environment owns the string. */
const char *teeny_environment(teeny_variable variable);

/* Of a switch: whether it has a value, and one that is not 0. */
bool teeny_environment_is_on(teeny_variable variable);

const char *teeny_environment_name(teeny_variable variable);
const char *teeny_environment_explanation(teeny_variable variable);

#endif
