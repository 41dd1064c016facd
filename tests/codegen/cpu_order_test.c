/* Program order of memory accesses on the cpu: random kernels over one memory, in which loads and
 * stores overlap in all ways, against an interpreter that runs one operation after the other.
 * CPU_ORDER_SEED=N and CPU_ORDER_CASES=N in the environment choose other cases.
 */
#include "cpu_support.h"
#include "order_kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void fill(char *memory)
{
    for (unsigned i = 0; i < MEMORY_BYTES; i++)
        memory[i] = (char)random_below(256);
}

/* Close together, so that they overlap; sometimes not even aligned alike. */
static void choose_arguments(struct arguments *arguments, char *memory)
{
    for (int i = 0; i < POINTERS; i++)
        arguments->pointers[i] = memory + MEMORY_BYTES / 2 + 4 * (int)random_below(20);
    if (random_below(3) == 0)
        arguments->pointers[1] = arguments->pointers[0];
    if (random_below(3) == 0)
        arguments->pointers[2] += MEMORY_BYTES / 4;
    bool is_step = random_below(2);
    arguments->argument = is_step ? (int32_t)random_below(20) - 4 : (int32_t)random_below(300);
}

/* Runs one kernel on a few memories; hands back how many counted. */
static unsigned compare(
    const struct kernel *kernel, const struct compiled *compiled, const char *text)
{
    static char before[MEMORY_BYTES], expected[MEMORY_BYTES], memory[MEMORY_BYTES];
    unsigned counted = 0;
    for (unsigned run = 0; run < 8; run++) {
        struct arguments arguments;
        fill(before);
        memcpy(memory, before, sizeof memory);
        choose_arguments(&arguments, memory);
        if (!interpret(kernel, &arguments, memory))
            continue;
        memcpy(expected, memory, sizeof memory);
        memcpy(memory, before, sizeof memory);
        cpu_run(compiled, &arguments, PROGRAMS, 1, 1);
        if (memcmp(memory, expected, sizeof memory) != 0) {
            fprintf(stderr, "pointers %td %td %td, n %d\n%s", arguments.pointers[0] - memory,
                arguments.pointers[1] - memory, arguments.pointers[2] - memory, arguments.argument,
                text);
            fail();
        }
        counted++;
    }
    return counted;
}

static unsigned long environment_number(const char *name, unsigned long otherwise)
{
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 0) : otherwise;
}

static bool is_worth_compiling(const struct kernel *kernel)
{
    static char memory[MEMORY_BYTES];
    struct arguments arguments;
    for (unsigned tries = 0; tries < 20; tries++) {
        fill(memory);
        choose_arguments(&arguments, memory);
        if (interpret(kernel, &arguments, memory))
            return true;
    }
    return false;
}

static void test_program_order(void **state)
{
    (void)state;
    unsigned long cases = environment_number("CPU_ORDER_CASES", 150), counted = 0;
    random_state = environment_number("CPU_ORDER_SEED", 1);
    printf("CPU_ORDER_SEED=%llu CPU_ORDER_CASES=%lu\n", (unsigned long long)random_state, cases);
    for (unsigned long done = 0; done < cases;) {
        struct kernel kernel = random_kernel();
        if (!is_worth_compiling(&kernel))
            continue;
        char *text = kernel_text(&kernel);
        struct compiled compiled = cpu_compile(text);
        if (!compiled.entry)
            fail_msg("does not compile:\n%s", text);
        counted += compare(&kernel, &compiled, text);
        cpu_release(&compiled);
        free(text);
        done++;
    }
    printf("%lu runs compared\n", counted);
    assert_true(counted > cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_program_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
