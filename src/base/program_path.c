/* See program_path.h. */
#include "base/program_path.h"

#include "base/environment.h"
#include "base/string_builder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define USUAL_PTXAS "/usr/local/cuda/bin/ptxas"

const char *teeny_program_problem(const char *path)
{
    struct stat status;
    if (stat(path, &status) < 0)
        return errno == ENOENT || errno == ENOTDIR ? "not there"
               : errno == ELOOP                    ? "a loop of symbolic links"
                                                   : "not to be reached";
    if (S_ISDIR(status.st_mode))
        return "a directory, not an executable file";
    if (!S_ISREG(status.st_mode) || access(path, X_OK) < 0)
        return "not an executable file";
    return NULL;
}

bool teeny_is_program(const char *path)
{
    return teeny_program_problem(path) == NULL;
}

char *teeny_program_path(const char *name)
{
    const char *at = teeny_environment(TEENY_VARIABLE_PATH);
    while (at) {
        size_t length = strcspn(at, ":");
        teeny_string path = {0};
        teeny_string_append(&path, at, length);
        teeny_string_format(&path, "/%s", name);
        if (at[0] == '/' && teeny_is_program(teeny_string_text(&path)))
            return teeny_string_take(&path);
        teeny_string_free(&path);
        at = at[length] ? at + length + 1 : NULL;
    }
    return NULL;
}

char *teeny_ptxas_path(void)
{
    char *found = teeny_program_path("ptxas");
    return found || !teeny_is_program(USUAL_PTXAS) ? found : strdup(USUAL_PTXAS);
}
