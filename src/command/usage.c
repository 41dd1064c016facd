/* How subcommands refuse a command line; see command.h. */
#include "command/command.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>

int command_usage(const char *name, const char *format, ...)
{
    const char *space = name[0] ? " " : "";
    va_list list;
    fprintf(stderr, "teeny%s%s: ", space, name);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "; see teeny%s%s --help\n", space, name);
    return COMMAND_USAGE;
}

/* getopt_long has moved on behind a long option; a short one may share its word with others. */
int command_refuse(int value, char **words)
{
    const char *word = words[optind - 1];
    if (value == ':')
        return command_usage(words[0], "%s needs an argument", word);
    if (optopt > 0 && optopt < 256)
        return command_usage(words[0], "there is no option '-%c'", optopt);
    if (optopt)
        return command_usage(words[0], "'%s' takes no argument", word);
    return command_usage(words[0], "there is no option '%s'", word);
}
