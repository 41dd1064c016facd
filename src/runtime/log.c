/* Who hears what libteeny has to say besides errors. */
#include "base/environment.h"
#include "base/string_builder.h"
#include "runtime/fork.h"
#include "runtime/report.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static teeny_log_function *listener;
static void *listener_context;

/* A listener that another thread was just setting may be half there. */
static void start_anew(void)
{
    if (pthread_mutex_trylock(&mutex) != 0)
        listener = NULL;
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
TEENY_AFTER_FORK(start_anew)

void teeny_set_log(teeny_log_function *function, void *context)
{
    pthread_mutex_lock(&mutex);
    listener = function;
    listener_context = context;
    pthread_mutex_unlock(&mutex);
}

/* Anything that TEENY_LOG is set to asks for warnings at least. */
static int stderr_level(void)
{
    const char *value = teeny_environment(TEENY_VARIABLE_TEENY_LOG);
    if (!value)
        return 0;
    return strcmp(value, "info") == 0 ? TEENY_LOG_INFO : TEENY_LOG_WARNING;
}

void teeny_log(teeny_log_level level, const char *format, ...)
{
    teeny_string line = {0};
    va_list list;
    va_start(list, format);
    teeny_string_format_list(&line, format, list);
    va_end(list);
    pthread_mutex_lock(&mutex);
    if (listener)
        listener(level, teeny_string_text(&line), listener_context);
    else if ((int)level <= stderr_level())
        fprintf(stderr, "teeny: %s%s\n", level == TEENY_LOG_WARNING ? "warning: " : "",
            teeny_string_text(&line));
    pthread_mutex_unlock(&mutex);
    teeny_string_free(&line);
}
