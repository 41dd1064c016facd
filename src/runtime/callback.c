/* Which of the host program's functions the thread is in; see callback.h. */
#include "runtime/callback.h"

#include "runtime/report.h"

static _Thread_local teeny_callback current;

teeny_callback teeny_callback_begin(teeny_callback callback)
{
    teeny_callback before = current;
    current = callback;
    return before;
}

void teeny_callback_end(teeny_callback before)
{
    current = before;
}

static void refuse(const char *call)
{
    static const char *const names[] = {
        [TEENY_CALLBACK_LOG] = "a log function",
        [TEENY_CALLBACK_STREAM] = "a function of teeny_stream_call",
        [TEENY_CALLBACK_ALLOCATOR] = "the caller's allocator",
    };
    teeny_message_set(TEENY_IN_CALLBACK,
        "%s was called in %s, where it could wait for ever: do it on another thread, or later",
        call, names[current]);
}

bool teeny_callback_refuses(const char *call)
{
    if (current == TEENY_CALLBACK_NONE)
        return false;
    refuse(call);
    return true;
}

bool teeny_callback_ignores(const char *call)
{
    if (!teeny_callback_refuses(call))
        return false;
    if (current != TEENY_CALLBACK_LOG)
        teeny_log(TEENY_LOG_WARNING, "%s", teeny_message());
    return true;
}
