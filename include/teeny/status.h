/* How libteeny reports: a status code from every call that can fail, a message for people.
 *
 * A call that fails leaves its outputs as they were and a message that says what was wrong and what
 * to do about it; a compiler's diagnostics are in it in full. Codes are for programs, the message
 * is for people. Valid in C and in C++.
 */
#ifndef TEENY_STATUS_H
#define TEENY_STATUS_H

/* Marks what libteeny.so exports; everything else in it is hidden. */
#define TEENY_API __attribute__((visibility("default")))

#ifdef __cplusplus
#define TEENY_BEGIN_C extern "C" {
#define TEENY_END_C }
#else
#define TEENY_BEGIN_C
#define TEENY_END_C
#endif

TEENY_BEGIN_C

/* X(name, value, explanation). Values never change meaning; new ones are added at the end. */
#define TEENY_STATUS_TABLE(X)                                                                      \
    X(TEENY_OK, 0, "no error")                                                                     \
    X(TEENY_INVALID_ARGUMENT, 1, "an argument of the call is not allowed")                         \
    X(TEENY_OUT_OF_MEMORY, 2, "the host or the device has too little memory")                      \
    X(TEENY_OUT_OF_BOUNDS, 3, "a copy reaches outside of its buffer")                              \
    X(TEENY_INVALID_GRID, 4, "a grid dimension is negative or larger than the device takes")       \
    X(TEENY_UNKNOWN_DEVICE, 5, "no device has this name")                                          \
    X(TEENY_UNKNOWN_TARGET, 6, "no target has this name")                                          \
    X(TEENY_NO_DRIVER, 7, "the device's driver is missing or cannot be used")                      \
    X(TEENY_NO_DEVICE, 8, "the driver has no such device")                                         \
    X(TEENY_DRIVER_TOO_OLD, 9, "the driver is too old for what it was given")                      \
    X(TEENY_DEVICE_FAILED, 10, "the driver refused a call, or a kernel failed on the device")      \
    X(TEENY_COMPILER_NOT_FOUND, 11, "there is no teenyc, and the cache has no entry")              \
    X(TEENY_COMPILER_AMBIGUOUS, 12, "there are several teenyc toolchains")                         \
    X(TEENY_COMPILER_FAILED, 13, "teenyc crashed, or did not do what a teenyc does")               \
    X(TEENY_COMPILER_TIMEOUT, 14, "teenyc ran past its time limit and was stopped")                \
    X(TEENY_KERNEL_INVALID, 15, "the kernel's text has errors; the message has the diagnostics")   \
    X(TEENY_OPTION_INVALID, 16, "a compile option or its value is not allowed")                    \
    X(TEENY_ARTIFACT_INVALID, 17, "compiled code does not fit this kernel, device or version")     \
    X(TEENY_CACHE_UNSAFE, 18, "others could change what the cache directory holds")                \
    X(TEENY_IO_FAILED, 19, "a file could not be read or written")                                  \
    X(TEENY_UNSUPPORTED, 20, "this device, or this version of teeny, cannot do this")              \
    X(TEENY_NOT_COMPILED, 21,                                                                      \
        "this variant of the kernel was not compiled before, and may not be now")                  \
    X(TEENY_DEVICE_LOST, 22, "the device is lost to this process: open it anew, in another one")   \
    X(TEENY_IN_CALLBACK, 23,                                                                       \
        "libteeny was called in a function that it must not be called in: it could wait for ever")

#define TEENY_STATUS_ENUMERATOR(name, value, explanation) name = value,
typedef enum teeny_status { TEENY_STATUS_TABLE(TEENY_STATUS_ENUMERATOR) } teeny_status;
#undef TEENY_STATUS_ENUMERATOR

/* The enumerator's name, such as "TEENY_NO_DRIVER"; "unknown status" for any other value. The
 * string is static. Thread-safe. */
TEENY_API const char *teeny_status_name(teeny_status status);

/* What a code means, as one phrase of the table above. The string is static. Thread-safe. */
TEENY_API const char *teeny_status_explanation(teeny_status status);

/* What the last failed call of the calling thread had to say; "" where none has failed. Several
 * lines where a compiler's diagnostics are part of it; no newline at its end. libteeny owns the
 * string: it stands until the thread's next failed call or the thread's end. */
TEENY_API const char *teeny_message(void);

typedef enum teeny_log_level {
    TEENY_LOG_WARNING = 1, /* something works, but not as it should: no cache, say */
    TEENY_LOG_INFO = 2,    /* what was done: compilations, loads, devices */
    TEENY_LOG_DEBUG = 3,   /* each step of it, and every launch */
} teeny_log_level;

/* Receives one line without a newline, which begins with what it is about: "compile: ...". Called
 * from any thread that uses libteeny, by one at a time. Of libteeny it may only call functions that
 * tell something of an object, such as a name, a size, the message; those of artifacts and of
 * kernels' texts (teeny_artifact_..., teeny_kernel_from_..., teeny_kernel_release,
 * teeny_embedded_choose); and counters (teeny_cache_count). What works with devices, streams,
 * kernels' code or the cache is TEENY_IN_CALLBACK there, or does nothing where it returns no
 * status. */
typedef void teeny_log_function(teeny_log_level level, const char *line, void *context);

/* Sets who hears what libteeny has to say besides errors; NULL brings the default back. By default
 * libteeny is silent, unless the environment has TEENY_LOG: `warning`, `info` or `debug` sends
 * lines up to that level to stderr, each as one write; never to stdout. A function hears warnings
 * and information always, and TEENY_LOG_DEBUG where TEENY_LOG is `debug`: launches pay for it.
 * `context` is handed on as it is. Waits for a call of the function before, on another thread: when
 * this returns, that one is called no more, and what its `context` was may be freed. Thread-safe.
 */
TEENY_API void teeny_set_log(teeny_log_function *function, void *context);

TEENY_END_C

#endif
