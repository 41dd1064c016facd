/* See cmocka.h. */
#include "cmocka.h"

#include <stdio.h>
#include <stdlib.h>

enum { PASSED, FAILED, SKIPPED };

static jmp_buf end;

void print_message(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

void print_error(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

void _fail(const char *file, int line)
{
    print_error("[   LINE   ] --- %s:%d: error: Failure!\n", file, line);
    if (getenv("CMOCKA_TEST_ABORT"))
        abort();
    longjmp(end, FAILED);
}

void cross_skip(void)
{
    longjmp(end, SKIPPED);
}

static int run_one(const struct CMUnitTest *test)
{
    void *state = NULL;
    if (test->setup && test->setup(&state) != 0)
        return FAILED;
    int outcome = setjmp(end);
    if (outcome == PASSED)
        test->test(&state);
    if (test->teardown && test->teardown(&state) != 0)
        return FAILED;
    return outcome;
}

int cross_run(
    const struct CMUnitTest *tests, size_t count, cmocka_fixture *setup, cmocka_fixture *teardown)
{
    static const char *const names[] = {"       OK ", "  FAILED  ", "  SKIPPED "};
    int outcomes[3] = {0};
    void *state = NULL;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (setup && setup(&state) != 0)
        return 1;
    for (size_t i = 0; i < count; i++) {
        int outcome = run_one(&tests[i]);
        outcomes[outcome]++;
        printf("[%s] %s\n", names[outcome], tests[i].name);
    }
    if (teardown)
        teardown(&state);
    printf("[  PASSED  ] %d test(s).\n", outcomes[PASSED]);
    if (outcomes[SKIPPED])
        printf("[  SKIPPED ] %d test(s)\n", outcomes[SKIPPED]);
    if (outcomes[FAILED])
        printf("[  FAILED  ] %d test(s)\n", outcomes[FAILED]);
    return outcomes[FAILED];
}
