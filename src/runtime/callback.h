/* The host program's functions that libteeny must not be called from: the log function, which is
 * called with locks held, functions of teeny_stream_call, for which the stream stands still, and
 * the caller's allocator, which libteeny would ask again. To wait in one, or to call it anew, would
 * be for ever, so whatever works with devices, streams or the cache refuses.
 *
 * On cuda functions of teeny_stream_call are called by the driver, which itself refuses then.
 */
#ifndef TEENY_RUNTIME_CALLBACK_H
#define TEENY_RUNTIME_CALLBACK_H

#include <stdbool.h>
#include <teeny/status.h>

typedef enum teeny_callback {
    TEENY_CALLBACK_NONE,
    TEENY_CALLBACK_LOG,
    TEENY_CALLBACK_STREAM,
    TEENY_CALLBACK_ALLOCATOR,
} teeny_callback;

/* Around a call of such a function, on its thread; `before` is what begin returned. */
teeny_callback teeny_callback_begin(teeny_callback callback);
void teeny_callback_end(teeny_callback before);

/* True where the thread is in one: the message says that `call` is not allowed there, and the call
 * does nothing. Its status is TEENY_IN_CALLBACK; without one it is ignored, and the log hears of
 * it. */
bool teeny_callback_refuses(const char *call);
bool teeny_callback_ignores(const char *call);

#endif
