/* Compiles the kernels of all examples for a target, into the cache: for a machine without teenyc.
 *
 *   compile_examples TARGET
 *
 * The sources of the examples are linked into it, with main() under another name, so that their
 * kernels are those of this program. Ends with `N passed, N failed`. */
#include <stdio.h>
#include <string.h>

#include <teeny/kernel.h>
#include <teeny/teeny.h>

/* What an example compiles beside its kernels' defaults. */
static const struct {
    const char *kernel;
    teeny_options options;
} others[] = {
    {"attention", {.meta = {{"CAUSAL", 0}}}},
    {"attention", {.meta = {{"CAUSAL", 1}}}},
};
enum { OTHERS = sizeof others / sizeof *others };

static int passed, failed;

static void compile(const teeny_kernel *kernel, const char *target, const teeny_options *options)
{
    teeny_artifact *artifact;
    if (teeny_compile_kernel(kernel, target, options, &artifact) != TEENY_OK) {
        printf("%s for %s: %s\n", kernel->text.name, target, teeny_message());
        failed++;
        return;
    }
    teeny_artifact_destroy(artifact);
    passed++;
}

int main(int count, char **words)
{
    if (count != 2) {
        fputs("compile_examples TARGET\n", stderr);
        return 2;
    }
    for (const struct teeny_text *const *text = teeny_module_begin; text != teeny_module_end;
        text++) {
        if ((*text)->kind != TEENY_TEXT_KERNEL)
            continue;
        const teeny_kernel *kernel = (const teeny_kernel *)*text; /* its first member */
        compile(kernel, words[1], NULL);
        for (int i = 0; i < OTHERS; i++)
            if (strcmp(others[i].kernel, kernel->text.name) == 0)
                compile(kernel, words[1], &others[i].options);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
