/* How libteeny's own code reports errors and says what it does. */
#ifndef TEENY_RUNTIME_REPORT_H
#define TEENY_RUNTIME_REPORT_H

#include <teeny/status.h>

/* Sets the calling thread's message and returns `status`: `return teeny_fail(...)`. The message may
 * quote the one before it (teeny_message()). */
teeny_status teeny_fail(teeny_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* TEENY_OUT_OF_MEMORY for the host's memory, with a message that needs none. */
teeny_status teeny_fail_memory(void);

/* One line for whoever listens (teeny_set_log). */
void teeny_log(teeny_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
