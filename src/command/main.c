/* teeny: the command that shows what libteeny sees, and tries it. The table is all there is. */
#include "command/command.h"

#include "base/environment.h"
#include "runtime/request.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct subcommand {
    const char *name;
    const char *summary;
    int (*run)(int count, char **words);
} subcommands[] = {
    {"cache", "compiled kernels: list, verify, gc, clear", command_cache},
    {"run", "tries a kernel of a C file on inputs made up here", command_run},
    {"info", "devices, compilers, cache and variables: what would be used, and why", command_info},
};

enum { SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

static void print_help(FILE *out)
{
    fputs("usage: teeny COMMAND [options]\n\n", out);
    for (int i = 0; i < SUBCOMMANDS; i++)
        fprintf(out, "  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
    fputs("\n"
          "  --help     prints this; teeny COMMAND --help says what a command takes\n"
          "  --version  prints the versions of teeny and of the kernel environment\n\n"
          "exit status: 0 right, 1 wrong or no, 2 usage\n",
        out);
}

static int run(int count, char **words)
{
    if (count < 2) {
        print_help(stderr);
        return COMMAND_USAGE;
    }
    const char *word = words[1];
    bool is_help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
    bool is_version = strcmp(word, "--version") == 0;
    if ((is_help || is_version) && count > 2)
        return command_usage("", "%s takes no arguments: '%s'", word, words[2]);
    if (is_help) {
        print_help(stdout);
        return COMMAND_RIGHT;
    }
    if (is_version) {
        printf("teeny %s\nenvironment: %d\n", TEENY_COMMAND_VERSION, TEENY_ENVIRONMENT_VERSION);
        return COMMAND_RIGHT;
    }
    for (int i = 0; i < SUBCOMMANDS; i++)
        if (strcmp(word, subcommands[i].name) == 0)
            return subcommands[i].run(count - 1, words + 1);
    return command_usage("", "there is no %s '%s'", word[0] == '-' ? "option" : "command", word);
}

int main(int count, char **words)
{
    int status = run(count, words);
    if (fflush(stdout) != 0 && status == COMMAND_RIGHT) {
        perror("teeny: standard output");
        return COMMAND_WRONG;
    }
    return status;
}
