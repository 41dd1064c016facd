/* Reads the command line of `teeny run`; see options.h. */
#include "command/run/options.h"

#include "command/command.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_DEVICE = 256,
    OPTION_CHECK,
    OPTION_GRID,
    OPTION_TYPE,
    OPTION_NUM_WARPS,
    OPTION_NUM_STAGES,
    OPTION_TARGET,
    OPTION_PRINT,
    OPTION_ULP,
    OPTION_TIMES,
    OPTION_WARM_UP,
    OPTION_BYTES,
    OPTION_SEED,
    OPTION_DEFINE = 'D',
    OPTION_HELP = 'h',
};

static const struct option longs[] = {
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"check", required_argument, NULL, OPTION_CHECK},
    {"grid", required_argument, NULL, OPTION_GRID},
    {"define", required_argument, NULL, OPTION_DEFINE},
    {"type", required_argument, NULL, OPTION_TYPE},
    {"num-warps", required_argument, NULL, OPTION_NUM_WARPS},
    {"num-stages", required_argument, NULL, OPTION_NUM_STAGES},
    {"target", required_argument, NULL, OPTION_TARGET},
    {"print", required_argument, NULL, OPTION_PRINT},
    {"ulp", required_argument, NULL, OPTION_ULP},
    {"times", required_argument, NULL, OPTION_TIMES},
    {"warm-up", required_argument, NULL, OPTION_WARM_UP},
    {"bytes", required_argument, NULL, OPTION_BYTES},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"help", no_argument, NULL, OPTION_HELP},
    {0},
};

static const char help[] =
    "usage: teeny run KERNEL.c[:NAME] [options] [PARAMETER=VALUE ...]\n"
    "Compiles a kernel of a C file, runs it on inputs made up here, and compares what it wrote "
    "with\n"
    "what it writes on another device. Every parameter of the kernel is given a value.\n"
    "\n"
    "  n=1000                     a scalar: an integer, or a number for floats\n"
    "  x=f32[1000]                a buffer of 1000 floats for a pointer, filled with zeros\n"
    "  x=f32[1000]:FILL           filled with: zero; a number; arange or arange:START:STEP;\n"
    "                             random or random:FROM:TO (floats -1 to 1, signed integers -100 "
    "to\n"
    "                             100, unsigned ones 0 to 100); file:PATH, raw little-endian "
    "bytes\n"
    "  t=f16[64,128]:FILL         a tl_tensor of this shape, row-major, or a pointer to as much\n"
    "  t=f16[64,128;256,1]:FILL   with strides of its own, in elements\n"
    "\n"
    "  --grid X[,Y[,Z]]           programs along each dimension (1): each a number, a name of a "
    "scalar\n"
    "                             or of META, or A/B of these, rounded up: --grid n/BLOCK\n"
    "  -D, --define NAME=VALUE    the value of a META, an integer\n"
    "  --type NAME=TYPE           the element type that a TEENY_TYPE stands for\n"
    "  --num-warps N, --num-stages N, --target TARGET   as teenyc takes them\n"
    "  --device DEVICE            auto, cpu, emu, cuda:0, ... (auto)\n"
    "  --check DEVICE|none        what to compare with (cpu; nothing where that is the device "
    "itself).\n"
    "                             Integers must be equal. Floats may differ by --ulp units in the "
    "last\n"
    "                             place, or by one such unit of the buffer's largest value; NaN "
    "is\n"
    "                             equal to NaN\n"
    "  --ulp N                    how far floats may be apart (4)\n"
    "  --print NAME[=COUNT]       prints a buffer as the kernel left it, 16 elements, COUNT, or "
    "`all`\n"
    "  --times N                  samples of the time of a launch (20); 0: the kernel runs once\n"
    "  --warm-up N                launches before they are timed (3)\n"
    "  --bytes N|auto             also prints GB/s, for N bytes moved by a launch; auto: each "
    "buffer once\n"
    "  --seed N                   another N gives other random values (1)\n"
    "  -h, --help                 prints this\n"
    "\n"
    "Every buffer lies between guard words: a kernel that writes in front of it or behind it is "
    "told\n"
    "so. Times are the device's, of batches of launches; they come after the check, so that what "
    "a\n"
    "kernel does in place is compared after one launch.\n"
    "\n"
    "exit status: 0 right, 1 wrong or could not run, 2 usage";

static bool read_count(const char *option, const char *text, long least, long *out_number)
{
    char *end;
    errno = 0;
    *out_number = strtol(text, &end, 10);
    if (end != text && !*end && !errno && *out_number >= least && *out_number <= 1000000000)
        return true;
    command_usage("run", "--%s takes a number from %ld on, not '%s'", option, least, text);
    return false;
}

/* Cuts NAME=VALUE at its `=`. */
static bool cut(char *text, char **out_value)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) {
        command_usage("run", "'%s' is not of the form NAME=VALUE", text);
        return false;
    }
    *equals = '\0';
    *out_value = equals + 1;
    return true;
}

static bool read_define(char *text, teeny_options *options)
{
    char *value, *end;
    if (!cut(text, &value))
        return false;
    errno = 0;
    long long number = strtoll(value, &end, 0);
    if (*end || errno) {
        command_usage("run", "-D %s takes an integer, not '%s'", text, value);
        return false;
    }
    for (int i = 0; i < TEENY_META_LIMIT; i++) {
        if (options->meta[i].name)
            continue;
        options->meta[i] = (teeny_meta_value){text, number};
        return true;
    }
    command_usage("run", "-D is given more than %d times", TEENY_META_LIMIT);
    return false;
}

static bool read_type(char *text, teeny_options *options)
{
    char *value;
    if (!cut(text, &value))
        return false;
    for (int i = 0; i < TEENY_TYPE_LIMIT; i++) {
        if (options->types[i].name)
            continue;
        options->types[i] = (teeny_type_choice){text, value};
        return true;
    }
    command_usage("run", "--type is given more than %d times", TEENY_TYPE_LIMIT);
    return false;
}

static bool read_grid(char *text, run_options *options)
{
    int count = 0;
    for (char *part; (part = strsep(&text, ","));) {
        if (count == 3 || !*part) {
            command_usage("run",
                *part ? "--grid has three dimensions at most" : "--grid: a dimension is empty");
            return false;
        }
        options->grid[count++] = part;
    }
    return true;
}

static bool read_print(const char *text, run_options *options)
{
    if (options->print_count == MOST_PRINTS) {
        command_usage("run", "--print is given more than %d times", MOST_PRINTS);
        return false;
    }
    print_request *request = &options->prints[options->print_count++];
    size_t length = strcspn(text, "=");
    long most = 16;
    snprintf(request->name, sizeof request->name, "%.*s", (int)length, text);
    if (text[length] && strcmp(text + length + 1, "all") == 0)
        most = -1;
    else if (text[length] && !read_count("print", text + length + 1, 0, &most))
        return false;
    request->most = most < 0 ? SIZE_MAX : (size_t)most;
    return true;
}

static bool read_small(const char *option, const char *text, int *out_number)
{
    long number;
    if (!read_count(option, text, 1, &number))
        return false;
    *out_number = (int)number;
    return true;
}

static bool read_option(int value, char *text, run_options *options)
{
    long number = 0;
    switch (value) {
    case OPTION_DEVICE:
        options->device = text;
        return true;
    case OPTION_CHECK:
        options->check = text;
        return true;
    case OPTION_GRID:
        return read_grid(text, options);
    case OPTION_DEFINE:
        return read_define(text, &options->compile);
    case OPTION_TYPE:
        return read_type(text, &options->compile);
    case OPTION_NUM_WARPS:
        return read_small("num-warps", text, &options->compile.num_warps);
    case OPTION_NUM_STAGES:
        return read_small("num-stages", text, &options->compile.num_stages);
    case OPTION_TARGET:
        options->compile.target = text;
        return true;
    case OPTION_PRINT:
        return read_print(text, options);
    case OPTION_ULP:
        return read_count("ulp", text, 0, &options->ulp);
    case OPTION_TIMES:
        return read_count("times", text, 0, &options->times);
    case OPTION_WARM_UP:
        return read_count("warm-up", text, 0, &options->warm_up);
    case OPTION_BYTES:
        options->bytes = text;
        return strcmp(text, "auto") == 0 || read_count("bytes", text, 1, &number);
    case OPTION_SEED:
        if (!read_count("seed", text, 0, &number))
            return false;
        options->seed = (unsigned long)number;
        return true;
    default:
        return false;
    }
}

/* "FILE[:NAME]". A colon that is part of the file's name comes before a slash or a dot. */
static bool read_kernel(const char *word, run_options *options)
{
    const char *colon = strrchr(word, ':');
    if (colon && (colon[1] == '\0' || strpbrk(colon, "/.")))
        colon = NULL;
    options->file = colon ? strndup(word, (size_t)(colon - word)) : strdup(word);
    options->kernel = colon ? colon + 1 : NULL;
    return options->file != NULL;
}

bool run_options_read(int count, char **words, run_options *out_options, int *out_status)
{
    *out_options = (run_options){
        .device = "auto", .grid = {"1", "1", "1"}, .ulp = 4, .times = 20, .warm_up = 3, .seed = 1};
    opterr = 0;
    *out_status = COMMAND_USAGE;
    for (int value; (value = getopt_long(count, words, ":hD:", longs, NULL)) != -1;) {
        if (value == ':' || value == '?') {
            command_refuse(value, words);
            return false;
        }
        if (value == OPTION_HELP) {
            puts(help);
            *out_status = COMMAND_RIGHT;
            return false;
        }
        if (!read_option(value, optarg, out_options))
            return false;
    }
    if (optind == count) {
        command_usage("run", "no file with a kernel is given");
        return false;
    }
    return read_kernel(words[optind], out_options) &&
           arguments_read(words + optind + 1, count - optind - 1, &out_options->arguments);
}

void run_options_free(run_options *options)
{
    free(options->file);
    arguments_free(&options->arguments);
}
