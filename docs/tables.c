/* Prints tables of the sources: teeny-tables statuses|environment|counters as Markdown, for
 * docs/reference.md; teeny-tables diagnostics as lines of five fields with tabs between, for
 * errors.py: section, id, message, note, explanation. */
#include <stdio.h>
#include <string.h>

#include "base/environment.h"

#include <teeny/cache.h>
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

static void print_counters(void)
{
    puts("| counter | word | what is counted |\n|---|---|---|");
#define ROW(name, word, explanation)                                                               \
    printf("| `TEENY_CACHE_%s` | %s | %s |\n", #name, #word, explanation);
    TEENY_CACHE_COUNTER_TABLE(ROW)
#undef ROW
}

static void print_diagnostics(void)
{
    const char *section = "";
#define DIAGNOSTIC_SECTION(title) section = (title);
#define DIAGNOSTIC(id, message, note, explanation)                                                 \
    printf("%s\t%s\t%s\t%s\t%s\n", section, #id, message, note, explanation);
#include "frontend/diagnostics.def"
#undef DIAGNOSTIC
}

int main(int count, char **words)
{
    if (count == 2 && strcmp(words[1], "statuses") == 0)
        print_statuses();
    else if (count == 2 && strcmp(words[1], "environment") == 0)
        print_environment();
    else if (count == 2 && strcmp(words[1], "counters") == 0)
        print_counters();
    else if (count == 2 && strcmp(words[1], "diagnostics") == 0)
        print_diagnostics();
    else
        return 2;
    return 0;
}
