/* Prints libteeny's tables as Markdown, for docs/reference.md:  teeny-tables statuses|environment
 */
#include <stdio.h>
#include <string.h>

#include "base/environment.h"

#include <teeny/status.h>

static void print_statuses(void)
{
    puts("| code | value | meaning |\n|---|---|---|");
#define ROW(name, value, explanation) printf("| `%s` | %d | %s |\n", #name, value, explanation);
    TEENY_STATUS_TABLE(ROW)
#undef ROW
}

static void print_environment(void)
{
    puts("| variable | meaning |\n|---|---|");
#define ROW(name, explanation) printf("| `%s` | %s |\n", #name, explanation);
    TEENY_ENVIRONMENT_TABLE(ROW)
#undef ROW
}

int main(int count, char **words)
{
    if (count == 2 && strcmp(words[1], "statuses") == 0)
        print_statuses();
    else if (count == 2 && strcmp(words[1], "environment") == 0)
        print_environment();
    else
        return 2;
    return 0;
}
