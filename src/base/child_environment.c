/* See child_environment.h. */
#define _GNU_SOURCE 1 /* environ */
#include "base/child_environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static const char *const dropped[] = {
    "LD_PRELOAD=", "LD_AUDIT=", "LD_DEBUG=", "LD_PROFILE=", "LD_SHOW_AUXV="};

static bool is_dropped(const char *variable)
{
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++)
        if (strncmp(variable, dropped[i], strlen(dropped[i])) == 0)
            return true;
    return false;
}

static char **copy(char *const *variables)
{
    size_t count = 0, kept = 0;
    while (variables && variables[count])
        count++;
    char **environment = calloc(count + 1, sizeof *environment);
    for (size_t i = 0; environment && i < count && variables[i]; i++)
        if (!is_dropped(variables[i]))
            environment[kept++] = variables[i];
    return environment;
}

char **teeny_child_environment(void)
{
    static char path[] = "PATH=/usr/bin:/bin";
    char *const safe[] = {path, NULL};
    return copy(getauxval(AT_SECURE) ? safe : environ);
}
