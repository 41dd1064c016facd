/* What a program sees that runs with another user's rights: run by setuid_test.sh.
 *
 * Prints the variables that teeny takes notice of, the environment that it would give a compiler,
 * where it looks for one, and what comes of a compilation.
 */
#include "kernels.h"

#include "base/environment.h"
#include "base/subprocess.h"

#include <stdio.h>
#include <sys/auxv.h>
#include <teeny/teeny.h>

static void print_variables(void)
{
    for (int i = 0; i < TEENY_VARIABLE_COUNT; i++)
        if (teeny_environment((teeny_variable)i))
            printf("sees %s\n", teeny_environment_name((teeny_variable)i));
}

static void print_child_environment(void)
{
    const char *arguments[] = {"/usr/bin/env", NULL};
    teeny_process_result result;
    if (teeny_process_run(arguments, 10000, 65536, &result) != 0)
        return;
    printf("passes on:\n%s", result.output);
    teeny_process_result_free(&result);
}

int main(void)
{
    teeny_artifact *artifact = NULL;
    printf("secure %lu\n", getauxval(AT_SECURE));
    print_variables();
    print_child_environment();
    teeny_status status =
        teeny_compile_kernel(TEENY_KERNEL_OF(vector_add), "sm_90", NULL, &artifact);
    printf("%s: %s\n", teeny_status_name(status), status == TEENY_OK ? "" : teeny_message());
    teeny_artifact_destroy(artifact);
    return 0;
}
