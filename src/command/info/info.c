/* teeny info: what libteeny finds on this machine, and what it would use. Each part is a file. */
#include "command/command.h"

#include "command/info/info.h"
#include "runtime/request.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPTION_JSON = 256 };

static const struct option options[] = {
    {"json", no_argument, NULL, OPTION_JSON}, {"help", no_argument, NULL, 'h'}, {0}};

static void print_help(void)
{
    puts(
        "usage: teeny info [--json]\n"
        "Prints what libteeny finds: devices, the CUDA driver, the compiler and where it was "
        "looked\n"
        "for, the cache, the processor, and the variables that it reads. To know whether a kernel\n"
        "can run it compiles and runs a small one on the device that `auto` opens.\n\n"
        "      --json  prints JSON\n"
        "  -h, --help  prints this\n\n"
        "exit status: 0 a kernel can run, 1 none can, and `missing` says why, 2 usage");
}

/* The order in which it is printed. */
static const struct {
    const char *name;
    json_t *(*make)(void);
} parts[] = {
    {"trial", info_trial},
    {"auto", info_auto},
    {"devices", info_devices},
    {"driver", info_driver},
    {"compiler", info_compiler},
    {"cache", info_cache},
    {"cpu", info_cpu},
    {"ptxas", info_ptxas},
    {"variables", info_variables},
};

static json_t *make_report(void)
{
    json_t *report = json_pack(
        "{s:s, s:i}", "teeny", TEENY_COMMAND_VERSION, "environment", TEENY_ENVIRONMENT_VERSION);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        json_object_set_new(report, parts[i].name, parts[i].make());
    return report;
}

static int print_report(bool as_json)
{
    json_t *report = make_report();
    bool is_usable = json_is_true(json_object_get(json_object_get(report, "trial"), "usable"));
    if (as_json) {
        json_dumpf(report, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        info_render(report);
    }
    json_decref(report);
    return is_usable ? COMMAND_RIGHT : COMMAND_WRONG;
}

int command_info(int count, char **words)
{
    bool as_json = false;
    opterr = 0;
    for (int value; (value = getopt_long(count, words, ":h", options, NULL)) != -1;) {
        if (value == 'h') {
            print_help();
            return COMMAND_RIGHT;
        }
        if (value != OPTION_JSON)
            return command_refuse(value, words);
        as_json = true;
    }
    if (optind < count)
        return command_usage("info", "it takes no arguments: '%s'", words[optind]);
    return print_report(as_json);
}
