/* The processor, ptxas and the environment; see info.h. */
#include "command/info/info.h"

#include "base/environment.h"
#include "base/program_path.h"
#include "runtime/artifact.h"
#include "runtime/host_cpu.h"
#include "runtime/host_threads.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <teeny/teeny.h>

static const char probe_text[] = "TEENY_KERNEL(teeny_info_cpu, (i32 *x), META(), { x[0] = 1; });\n";

/* "znver4 +avx512f,-sse4a,..." */
static void add_resolved(json_t *answer, const char *resolved)
{
    json_t *features = json_array();
    size_t length = strcspn(resolved, " ");
    json_object_set_new(answer, "compiled_as", json_stringn(resolved, length));
    for (const char *word = resolved + length; *word; word += length) {
        word += strspn(word, " ,");
        length = strcspn(word, " ,");
        if (word[0] == '+')
            json_array_append_new(features, json_stringn(word + 1, length - 1));
    }
    json_object_set_new(answer, "features", features);
}

/* What teenyc makes of this processor: it is what kernels are compiled for. */
static void add_features(json_t *answer)
{
    const teeny_kernel *kernel = NULL;
    teeny_artifact *artifact = NULL;
    if (teeny_kernel_from_text(probe_text, "teeny-info.c", NULL, &kernel) == TEENY_OK &&
        teeny_compile_kernel(kernel, "cpu", NULL, &artifact) == TEENY_OK)
        add_resolved(answer, artifact->metadata.resolved ? artifact->metadata.resolved : "");
    teeny_artifact_destroy(artifact);
    teeny_kernel_release(kernel);
}

json_t *info_cpu(void)
{
    char model[128];
    unsigned threads;
    struct utsname names;
    teeny_host_cpu_model(model, sizeof model);
    json_t *answer = json_pack("{s:s, s:s, s:i}", "model", model, "machine",
        uname(&names) == 0 ? names.machine : "unknown", "cores", (int)teeny_host_cores());
    if (teeny_host_threads(&threads) == TEENY_OK)
        json_object_set_new(answer, "threads", json_integer(threads));
    else
        json_object_set_new(answer, "reason", json_string(teeny_message()));
    add_features(answer);
    return answer;
}

json_t *info_ptxas(void)
{
    char *path = teeny_ptxas_path();
    json_t *answer = json_pack("{s:s?, s:s}", "path", path, "needed_for",
        "teenyc --emit cubin and --emit c --embed cubin alone: the driver compiles PTX itself");
    free(path);
    return answer;
}

json_t *info_variables(void)
{
    json_t *variables = json_array();
    for (int i = 0; i < TEENY_VARIABLE_COUNT; i++) {
        teeny_variable variable = (teeny_variable)i;
        json_array_append_new(variables,
            json_pack("{s:s, s:s?, s:s}", "name", teeny_environment_name(variable), "value",
                teeny_environment(variable), "meaning", teeny_environment_explanation(variable)));
    }
    return variables;
}
