/* One run of teenyc, whatever becomes of it; see compiler.h. */
#include "runtime/compiler.h"

#include "base/environment.h"
#include "runtime/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_SECONDS = 60,
    MOST_SECONDS = 24 * 60 * 60,
    OUTPUT_LIMIT = 1024 * 1024, /* of each output, in bytes */
};

static teeny_status read_time_limit(int64_t *out_seconds)
{
    const char *value = teeny_environment(TEENY_VARIABLE_TEENYC_TIMEOUT);
    *out_seconds = DEFAULT_SECONDS;
    if (!value)
        return TEENY_OK;
    char *end;
    long seconds = strtol(value, &end, 10);
    if (end == value || *end || seconds < 1 || seconds > MOST_SECONDS)
        return teeny_fail(TEENY_OPTION_INVALID,
            "TEENYC_TIMEOUT is `%s`, not a number of seconds from 1 to %d", value, MOST_SECONDS);
    *out_seconds = seconds;
    return TEENY_OK;
}

int64_t teeny_compiler_time_limit(void)
{
    int64_t seconds;
    return read_time_limit(&seconds) == TEENY_OK ? seconds : 0;
}

/* What it had to say before its end, behind a line break. */
static const char *last_words(const teeny_process_result *result, teeny_string *text)
{
    if (result->errors_size)
        teeny_string_format(text, "; it printed:\n%s", result->errors);
    return teeny_string_text(text);
}

teeny_status teeny_compiler_spawn(
    const char *const *arguments, const char *purpose, teeny_process_result *out_result)
{
    int64_t seconds;
    teeny_status status = read_time_limit(&seconds);
    if (status != TEENY_OK)
        return status;
    teeny_process_result result;
    int error = teeny_process_run(arguments, seconds * 1000, OUTPUT_LIMIT, &result);
    if (error)
        return teeny_fail(error == ENOMEM ? TEENY_OUT_OF_MEMORY : TEENY_COMPILER_FAILED,
            "%s could not be started %s: %s", arguments[0], purpose, strerror(error));
    teeny_string words = {0};
    if (result.end == TEENY_PROCESS_TIMED_OUT)
        status = teeny_fail(TEENY_COMPILER_TIMEOUT,
            "%s, run %s, was stopped after %lld s (TEENYC_TIMEOUT)%s", arguments[0], purpose,
            (long long)seconds, last_words(&result, &words));
    else if (result.end == TEENY_PROCESS_SIGNALED)
        status = teeny_fail(TEENY_COMPILER_FAILED, "%s, run %s, crashed with signal %d (%s)%s",
            arguments[0], purpose, result.code, strsignal(result.code),
            last_words(&result, &words));
    teeny_string_free(&words);
    if (status == TEENY_OK)
        *out_result = result;
    else
        teeny_process_result_free(&result);
    return status;
}
