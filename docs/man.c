/* The manual pages, from the tables that the programs themselves are made of:
 *
 *   teeny-man teenyc            teenyc.1 on standard output: options.def, stages.def, the targets
 *   teeny-man teeny PROGRAM     teeny.1: what the teeny command at PROGRAM says of itself
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"

#define SECTION(name) printf(".SH %s\n", name)

/* Roff takes a dash for a hyphen, a backslash for an escape and a leading dot or quote for a
 * request. */
static void print_text(const char *text)
{
    bool is_start = true;
    for (; *text; is_start = *text++ == '\n') {
        if (is_start && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\\')
            fputs("\\e", stdout);
        else
            putchar(*text);
    }
}

static void print_line(const char *text)
{
    print_text(text);
    putchar('\n');
}

static void print_title(const char *name, const char *summary)
{
    printf(
        ".\\\" Made by docs/man.c.\n.TH %s 1 \"\" \"teeny %s\" \"teeny\"\n", name, TEENY_VERSION);
    SECTION("NAME");
    printf("%s \\- %s\n", name, summary);
}

static void print_environment(void)
{
    SECTION("ENVIRONMENT");
#define ROW(name, explanation)                                                                     \
    puts(".TP\n.B " #name);                                                                        \
    print_line(explanation);
    TEENY_ENVIRONMENT_TABLE(ROW)
#undef ROW
}

static void print_statuses(const char *const (*rows)[2], size_t count)
{
    SECTION("EXIT STATUS");
    for (size_t i = 0; i < count; i++)
        printf(".TP\n.B %s\n%s\n", rows[i][0], rows[i][1]);
}

/* ---- teenyc ---------------------------------------------------------------------------------- */

static void print_option(const char *name, char letter, const char *argument, const char *summary)
{
    puts(".TP");
    if (letter)
        printf(".BR \\-%c \", \" ", letter);
    else
        fputs(".BR ", stdout);
    fputs("\\-\\-", stdout);
    print_text(name);
    if (*argument) {
        fputs(" \" ", stdout);
        print_text(argument);
        putchar('"');
    }
    putchar('\n');
    print_line(summary);
}

static void print_row(const char *name, const char *summary)
{
    fputs(".TP\n.B ", stdout);
    print_line(name);
    print_line(summary);
}

static void print_teenyc(void)
{
    static const char *const statuses[][2] = {
        {"0", "All is right."},
        {"1", "The input is wrong; diagnostics on standard error say where."},
        {"2", "The command line is wrong, or names an option that is not the kernel's."},
        {"3", "There is no such target."},
        {"4", "Output cannot be written; nothing is said about the input."},
        {"70", "A fault of teenyc's own, which names the pass and how to see it again."},
    };
    print_title("teenyc", "compiles kernels in C for GPUs and CPUs");
    SECTION("SYNOPSIS");
    puts(".B teenyc\n.I FILE\n.RB [ options ]\n.br\n.B teenyc \\-\\-list\n.I WHAT");
    SECTION("DESCRIPTION");
    puts("teenyc compiles one kernel of a C file (or of MLIR text, .ttir or .ttgir) for a target,\n"
         "and prints the stages that are asked for.\n"
         "Programs that use libteeny start it by themselves; with\n"
         ".B \\-\\-emit c\nit makes C files of compiled kernels, for programs that are to run "
         "without it.");
    SECTION("OPTIONS");
#define OPTION(id, name, letter, argument, summary) print_option(name, letter, argument, summary);
#include "driver/options.def"
#undef OPTION
    SECTION("STAGES");
#define STAGE(name, targets, summary) print_row(#name, summary);
#include "driver/stages.def"
#undef STAGE
    print_statuses(statuses, sizeof statuses / sizeof statuses[0]);
    print_environment();
    SECTION("SEE ALSO");
    puts(".BR teeny (1)");
}

/* ---- teeny ----------------------------------------------------------------------------------- */

enum { COMMAND_SIZE = 4096, LINE_SIZE = 1024, MOST_COMMANDS = 64 };

typedef void use_line(const char *line, void *user);

/* Hands each line of what PROGRAM [subcommand] --help prints to `use`. */
static bool read_help(const char *program, const char *subcommand, use_line *use, void *user)
{
    char command[COMMAND_SIZE], line[LINE_SIZE];
    snprintf(command, sizeof command, "'%s' %s --help", program, subcommand);
    FILE *help = popen(command, "r");
    if (!help)
        return false;
    while (fgets(line, sizeof line, help))
        use(line, user);
    return pclose(help) == 0;
}

static void print_verbatim(const char *line, void *user)
{
    (void)user;
    print_text(line);
}

struct commands {
    char names[MOST_COMMANDS][32];
    size_t count;
    bool is_behind; /* the list of commands: options follow */
};

/* "  name  summary" is a command, "  --name  summary" no longer. */
static void note_command(const char *line, void *user)
{
    struct commands *commands = user;
    commands->is_behind |= strncmp(line, "  -", 3) == 0;
    if (commands->is_behind || commands->count == MOST_COMMANDS)
        return;
    if (sscanf(line, "  %31[a-z-]", commands->names[commands->count]) == 1 && line[0] == ' ')
        commands->count++;
}

static bool print_help(const char *program, const char *subcommand)
{
    puts(".nf");
    bool is_read = read_help(program, subcommand, print_verbatim, NULL);
    puts(".fi");
    return is_read;
}

static bool print_teeny(const char *program)
{
    struct commands commands = {0};
    print_title("teeny", "shows what libteeny sees, and tries it");
    SECTION("SYNOPSIS");
    puts(".B teeny\n.I COMMAND\n.RB [ options ]");
    SECTION("DESCRIPTION");
    bool is_read = print_help(program, "") && read_help(program, "", note_command, &commands);
    SECTION("COMMANDS");
    for (size_t i = 0; is_read && i < commands.count; i++) {
        printf(".SS %s\n", commands.names[i]);
        is_read = print_help(program, commands.names[i]);
    }
    print_environment();
    SECTION("SEE ALSO");
    puts(".BR teenyc (1)");
    return is_read && commands.count > 0;
}

int main(int count, char **words)
{
    if (count == 2 && strcmp(words[1], "teenyc") == 0) {
        print_teenyc();
        return 0;
    }
    if (count == 3 && strcmp(words[1], "teeny") == 0)
        return print_teeny(words[2]) ? 0 : 1;
    fputs("usage: teeny-man teenyc | teeny PROGRAM\n", stderr);
    return 2;
}
