/* How libteeny's own code reports errors and says what it does. */
#ifndef TEENY_RUNTIME_REPORT_H
#define TEENY_RUNTIME_REPORT_H

#include <stdbool.h>
#include <teeny/status.h>

/* teeny_fail(status, format, ...) sets the calling thread's message and is `status`:
 * `return teeny_fail(...)`. The message may quote the one before it (teeny_message()). A macro, so
 * that compilers and analysers see which status a call returns. */
#define teeny_fail(status, ...) (teeny_message_set((status), __VA_ARGS__), (status))

/* TEENY_OUT_OF_MEMORY for the host's memory, with a message that needs none. */
#define teeny_fail_memory() (teeny_message_set_static("out of host memory"), TEENY_OUT_OF_MEMORY)

/* Without memory for the text, the message becomes what `status` means. */
void teeny_message_set(teeny_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void teeny_message_set_static(const char *text);

/* One line for whoever listens (teeny_set_log). It begins with what it is about, one of the words
 * compile, cache, embedded, load, launch and device, and a
 * colon; but for warnings, which say it all. */
void teeny_log(teeny_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Warns where TEENY_LOG has a value that it does not take. */
void teeny_log_check(void);

/* Whether every launch is to be told: TEENY_LOG is `debug`. */
bool teeny_log_has_launches(void);

#endif
