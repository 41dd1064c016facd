/* teeny info: what libteeny finds on this machine. */
#include "command/command.h"

#include "base/environment.h"

#include <getopt.h>
#include <stdio.h>
#include <teeny/teeny.h>

enum { OPTION_HELP = 256 };

static const struct option options[] = {{"help", no_argument, NULL, OPTION_HELP}, {0}};

static void print_help(void)
{
    puts("usage: teeny info\n"
         "Prints the devices that kernels can run on, and the variables that libteeny reads.\n\n"
         "  -h, --help  prints this\n\n"
         "exit status: 0 a kernel could run, 1 something is missing, 2 usage");
}

static void print_device(const char *name)
{
    teeny_device *device;
    if (teeny_device_open(name, &device) != TEENY_OK) {
        printf("%s: none: %s\n", name, teeny_message());
        return;
    }
    printf("%s: %s, compiled for %s\n", teeny_device_name(device), teeny_device_model(device),
        teeny_device_target(device));
    teeny_device_close(device);
}

static void print_variables(void)
{
    for (int i = 0; i < TEENY_VARIABLE_COUNT; i++) {
        const char *value = teeny_environment((teeny_variable)i);
        if (value)
            printf("%s=%s\n", teeny_environment_name((teeny_variable)i), value);
    }
}

int command_info(int count, char **words)
{
    opterr = 0;
    for (int value; (value = getopt_long(count, words, ":h", options, NULL)) != -1;) {
        if (value != 'h' && value != OPTION_HELP)
            return command_refuse(value, words);
        print_help();
        return COMMAND_RIGHT;
    }
    if (optind < count)
        return command_usage("info", "it takes no arguments: '%s'", words[optind]);
    print_device("cuda:0");
    print_device("cpu");
    print_variables();
    return COMMAND_RIGHT;
}
