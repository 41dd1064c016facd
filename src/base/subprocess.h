/* Runs a program to its end from inside any host process, and collects what it prints.
 *
 * The host is left as it was, and may do with SIGCHLD what it likes: ignore it, handle it, reap
 * every child. The program starts with default signal dispositions, an empty mask, /dev/null as its
 * input, no descriptor besides 0 to 2, no core dumps, and its own process group, which is killed
 * when the program ends or its time is up. Directory and environment are the host's. The calling
 * thread takes no signals while it waits. Thread-safe.
 */
#ifndef TEENY_BASE_SUBPROCESS_H
#define TEENY_BASE_SUBPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum teeny_process_end {
    TEENY_PROCESS_EXITED,    /* `code` is the exit status */
    TEENY_PROCESS_SIGNALED,  /* `code` is the signal */
    TEENY_PROCESS_TIMED_OUT, /* it was killed */
} teeny_process_end;

typedef struct teeny_process_result {
    teeny_process_end end;
    int code;
    char *output; /* what it wrote to 1 and 2, each with a zero byte behind it */
    char *errors;
    size_t output_size, errors_size;
    bool truncated; /* one of them was longer than the limit; the rest was dropped */
} teeny_process_result;

/* Runs arguments[0], a path, with the NULL-terminated arguments. `limit` bounds each output in
 * bytes. Returns 0, or the errno value that says why it could not be started. The result is freed
 * with teeny_process_result_free in either case. */
int teeny_process_run(const char *const *arguments, int64_t timeout_milliseconds, size_t limit,
    teeny_process_result *out_result);

void teeny_process_result_free(teeny_process_result *result);

#endif
