/* The compiler that is used, and every place where one was looked for; see info.h. */
#include "command/info/info.h"

#include "base/environment.h"
#include "base/program_path.h"
#include "runtime/compiler.h"

#include <stdlib.h>
#include <string.h>

static void add_place(const teeny_compiler_place *place, void *user)
{
    json_t *entry = json_pack("{s:s, s:b}", "path", place->path, "found", !place->problem);
    if (place->problem)
        json_object_set_new(entry, "reason", json_string(place->problem));
    json_array_append_new(user, entry);
}

/* What it answers to --version. */
static void add_version(json_t *answer, const char *path)
{
    const char *arguments[] = {path, "--version", NULL};
    teeny_compiler_version version;
    teeny_process_result result;
    if (teeny_compiler_spawn(arguments, "for its version", &result) != TEENY_OK)
        return;
    if (teeny_compiler_read_version(result.output, &version)) {
        json_object_set_new(answer, "version", json_string(version.version));
        json_object_set_new(answer, "build_id", json_string(version.build_id));
        json_object_set_new(answer, "llvm", json_string(version.llvm));
        json_object_set_new(answer, "environment", json_string(version.environment));
    }
    teeny_process_result_free(&result);
}

/* Whether this libteeny can use it: libteeny's own judgement. */
static void add_judgement(json_t *answer, const char *path)
{
    const teeny_cache none = {.directory = -1};
    teeny_compiler compiler;
    teeny_status status = teeny_compiler_identify(&none, path, &compiler);
    json_object_set_new(answer, "usable", json_boolean(status == TEENY_OK));
    if (status == TEENY_OK)
        teeny_compiler_free(&compiler);
    else
        json_object_set_new(answer, "reason", json_string(teeny_message()));
}

static const char *choice_reason(const char *path)
{
    if (teeny_environment(TEENY_VARIABLE_TEENYC_PATH))
        return "TEENYC_PATH says so";
    char *on_path = teeny_program_path("teenyc");
    bool is_on_path = on_path && strcmp(on_path, path) == 0;
    free(on_path);
    return is_on_path ? "the first on PATH, and there is no toolchain" : "the only toolchain";
}

json_t *info_compiler(void)
{
    json_t *answer, *places = json_array();
    char *path;
    teeny_compiler_search(add_place, places);
    if (teeny_compiler_find(&path) == TEENY_OK) {
        answer = json_pack("{s:s, s:s}", "chosen", path, "chosen_because", choice_reason(path));
        add_judgement(answer, path);
        add_version(answer, path);
        free(path);
    } else {
        answer = json_pack("{s:n, s:b, s:s}", "chosen", "usable", 0, "reason", teeny_message());
    }
    json_object_set_new(answer, "environment_wanted", json_integer(TEENY_ENVIRONMENT_VERSION));
    json_object_set_new(answer, "looked_at", places);
    return answer;
}
