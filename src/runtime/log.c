/* Who hears what libteeny has to say besides errors. */
#include "base/environment.h"
#include "base/string_builder.h"
#include "runtime/callback.h"
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
    if (teeny_callback_ignores(__func__))
        return;
    pthread_mutex_lock(&mutex);
    listener = function;
    listener_context = context;
    pthread_mutex_unlock(&mutex);
}

static const struct {
    const char *name;
    teeny_log_level level;
    const char *prefix; /* of a line on stderr */
} levels[] = {
    {"warning", TEENY_LOG_WARNING, "warning: "},
    {"info", TEENY_LOG_INFO, ""},
    {"debug", TEENY_LOG_DEBUG, ""},
};

enum { LEVELS = sizeof levels / sizeof levels[0] };

static const char *prefix_of(teeny_log_level level)
{
    for (size_t i = 0; i < LEVELS; i++)
        if (levels[i].level == level)
            return levels[i].prefix;
    return "";
}

/* 0 where TEENY_LOG is not set. Anything that is no level asks for warnings. */
static int chosen_level(void)
{
    const char *value = teeny_environment(TEENY_VARIABLE_TEENY_LOG);
    if (!value)
        return 0;
    for (size_t i = 0; i < LEVELS; i++)
        if (strcmp(levels[i].name, value) == 0)
            return (int)levels[i].level;
    return TEENY_LOG_WARNING;
}

static bool is_wanted(teeny_log_level level)
{
    if ((int)level <= chosen_level())
        return true;
    pthread_mutex_lock(&mutex);
    bool has_listener = listener != NULL;
    pthread_mutex_unlock(&mutex);
    return has_listener && level != TEENY_LOG_DEBUG;
}

bool teeny_log_has_launches(void)
{
    return chosen_level() >= TEENY_LOG_DEBUG;
}

void teeny_log_check(void)
{
    const char *value = teeny_environment(TEENY_VARIABLE_TEENY_LOG);
    for (size_t i = 0; value && i < LEVELS; i++)
        if (strcmp(levels[i].name, value) == 0)
            return;
    if (value)
        teeny_log(TEENY_LOG_WARNING,
            "TEENY_LOG is `%s`, which is none of warning, info and debug: it is taken for warning",
            value);
}

/* With the mutex held. */
static void tell_listener(teeny_log_level level, const char *line)
{
    teeny_callback before = teeny_callback_begin(TEENY_CALLBACK_LOG);
    listener(level, line, listener_context);
    teeny_callback_end(before);
}

void teeny_log(teeny_log_level level, const char *format, ...)
{
    if (!is_wanted(level))
        return;
    teeny_string line = {0};
    va_list list;
    va_start(list, format);
    teeny_string_format_list(&line, format, list);
    va_end(list);
    pthread_mutex_lock(&mutex);
    if (listener)
        tell_listener(level, teeny_string_text(&line));
    else if ((int)level <= chosen_level())
        fprintf(stderr, "teeny: %s%s\n", prefix_of(level), teeny_string_text(&line));
    pthread_mutex_unlock(&mutex);
    teeny_string_free(&line);
}
