/* Every environment variable that teeny reads; see environment.h. */
#define _GNU_SOURCE 1 /* secure_getenv */
#include "base/environment.h"

#include <stdlib.h>
#include <string.h>

#define ROW(name, explanation) {#name, explanation},
static const struct {
    const char *name;
    const char *explanation;
} table[TEENY_VARIABLE_COUNT] = {TEENY_ENVIRONMENT_TABLE(ROW)};

const char *teeny_environment(teeny_variable variable)
{
    const char *value = secure_getenv(table[variable].name);
    return value && value[0] ? value : NULL;
}

bool teeny_environment_is_on(teeny_variable variable)
{
    const char *value = teeny_environment(variable);
    return value && strcmp(value, "0") != 0;
}

const char *teeny_environment_name(teeny_variable variable)
{
    return table[variable].name;
}

const char *teeny_environment_explanation(teeny_variable variable)
{
    return table[variable].explanation;
}
