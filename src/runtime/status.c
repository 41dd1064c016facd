/* Status codes and the calling thread's message. */
#include "base/string_builder.h"
#include "runtime/report.h"

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

/* The message belongs to its thread: `key` frees it when the thread ends. */
static _Thread_local char *message;
static _Thread_local const char *static_message;
static pthread_key_t key;
static bool has_key; /* a process has some 1000, and others use them too */
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

#define ROW(name, value, explanation) [value] = {#name, explanation},
static const struct {
    const char *name;
    const char *explanation;
} table[] = {TEENY_STATUS_TABLE(ROW)};

static bool is_known(teeny_status status)
{
    return (unsigned)status < sizeof table / sizeof table[0];
}

const char *teeny_status_name(teeny_status status)
{
    return is_known(status) ? table[status].name : "unknown status";
}

const char *teeny_status_explanation(teeny_status status)
{
    return is_known(status) ? table[status].explanation : "unknown status";
}

const char *teeny_message(void)
{
    if (static_message)
        return static_message;
    return message ? message : "";
}

/* Behind it destructors of other keys may still call libteeny, and set a message anew. */
static void end_message(void *text)
{
    free(text);
    message = NULL;
    static_message = NULL;
}

static void make_key(void)
{
    has_key = pthread_key_create(&key, end_message) == 0;
}

/* Takes over `text`, which may be NULL. What could not be freed at the thread's end is not kept. */
static void set_message(char *text, const char *otherwise)
{
    pthread_once(&key_once, make_key);
    if (!has_key || pthread_setspecific(key, text) != 0) {
        free(text);
        text = NULL;
        if (has_key)
            pthread_setspecific(key, NULL);
    }
    static_message = text ? NULL : otherwise;
    free(message);
    message = text;
}

void teeny_message_set(teeny_status status, const char *format, ...)
{
    teeny_string text = {0};
    va_list list;
    va_start(list, format);
    teeny_string_format_list(&text, format, list);
    va_end(list);
    teeny_string_trim(&text);
    set_message(teeny_string_take(&text), teeny_status_explanation(status));
}

void teeny_message_set_static(const char *text)
{
    set_message(NULL, text);
}
