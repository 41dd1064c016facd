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

static void make_key(void)
{
    pthread_key_create(&key, free);
}

/* Takes over `text`, which may be NULL. */
static void set_message(char *text, const char *otherwise)
{
    pthread_once(&key_once, make_key);
    static_message = text ? NULL : otherwise;
    if (text && pthread_setspecific(key, text) != 0) {
        free(text);
        text = NULL;
        static_message = otherwise;
        pthread_setspecific(key, NULL);
    }
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
