/* Reads the command line; see options.h. The table is options.def, the reading is getopt_long's. */
#include "driver/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_id {
#define OPTION(id, name, letter, argument, summary) OPTION_##id,
#include "driver/options.def"
#undef OPTION
    OPTION_COUNT,
} option_id;

const option_info option_infos[] = {
#define OPTION(id, name, letter, argument, summary) {name, letter, argument, summary},
#include "driver/options.def"
#undef OPTION
};
const size_t num_option_infos = OPTION_COUNT;

enum {
    FIRST_LONG_VALUE = 256,
    MOST_WARPS = 32,
    MOST_STAGES = 16,
    MOST_SETTINGS = 256,
    MOST_SPECIALISES = 64
};

/* The table in getopt's form: every option has the value FIRST_LONG_VALUE + its number. */
static void fill_getopt_tables(struct option *longs, char *shorts)
{
    *shorts++ = ':'; /* a missing argument is told from an unknown option */
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option_info *info = &option_infos[i];
        longs[i] = (struct option){.name = info->name,
            .has_arg = *info->argument ? required_argument : no_argument,
            .val = FIRST_LONG_VALUE + i};
        if (!info->letter)
            continue;
        *shorts++ = info->letter;
        if (*info->argument)
            *shorts++ = ':';
    }
    *shorts = '\0';
}

static int option_of(int value)
{
    if (value >= FIRST_LONG_VALUE)
        return value - FIRST_LONG_VALUE;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_infos[i].letter == value)
            return i;
    return OPTION_COUNT;
}

static bool usage(const char *format, const char *what)
{
    fputs("teenyc: ", stderr);
    fprintf(stderr, format, what);
    fputs("; see teenyc --help\n", stderr);
    return false;
}

static bool read_number(const char *name, const char *text, unsigned most, unsigned *out_number)
{
    char *end;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || number == 0 || number > most) {
        fprintf(stderr, "teenyc: --%s takes a number from 1 to %u, not '%s'\n", name, most, text);
        return false;
    }
    *out_number = (unsigned)number;
    return true;
}

static bool read_warps(const char *text, driver_options *options)
{
    if (!read_number("num-warps", text, MOST_WARPS, &options->num_warps))
        return false;
    if ((options->num_warps & (options->num_warps - 1)) != 0)
        return usage("--num-warps takes a power of two, not '%s'", text);
    return true;
}

/* "8.0" is 80. */
static bool read_ptx_version(const char *text, driver_options *options)
{
    static const char digits[] = "0123456789";
    size_t major = strspn(text, digits);
    bool is_version = major >= 1 && major <= 3 && text[0] != '0' && text[major] == '.' &&
                      strspn(text + major + 1, digits) == 1 && !text[major + 2];
    if (!is_version)
        return usage("--ptx-version takes a version such as 8.0, not '%s'", text);
    options->ptx_version =
        (unsigned)strtoul(text, NULL, 10) * 10 + (unsigned)(text[major + 1] - '0');
    return true;
}

/* NAME=VALUE into a list that grows in the arena. */
static bool read_setting(arena *arena, const char *text, source_setting **settings, size_t *count)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return usage("'%s' is not of the form NAME=VALUE", text);
    if (*count == MOST_SETTINGS)
        return usage("too many settings: '%s' is one more than 256", text);
    if (!*settings)
        *settings = arena_array(arena, source_setting, MOST_SETTINGS);
    const char *name = arena_copy(arena, text, (size_t)(equals - text));
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*settings)[i].name, name) == 0)
            return usage("'%s' is set twice", name);
    (*settings)[(*count)++] = (source_setting){.name = name, .value = equals + 1};
    return true;
}

static bool read_emit(arena *arena, const char *text, driver_options *options)
{
    for (;; text++) {
        size_t length = strcspn(text, ",");
        stage stage = stage_find(text, length);
        if (stage == STAGE_COUNT)
            return usage(
                "there is no stage '%s' (teenyc --list stages)", arena_copy(arena, text, length));
        options->num_emits += !options->emits[stage];
        options->emits[stage] = true;
        text += length;
        if (!*text)
            return true;
    }
}

static bool read_embed(arena *arena, const char *text, driver_options *options)
{
    for (;; text++) {
        size_t length = strcspn(text, ",");
        stage stage = stage_find(text, length);
        if (stage != STAGE_ptx && stage != STAGE_cubin)
            return usage(
                "--embed takes ptx, cubin or both, not '%s'", arena_copy(arena, text, length));
        options->embeds[stage] = true;
        text += length;
        if (!*text)
            return true;
    }
}

static bool read_specialise(arena *arena, const char *text, driver_options *options)
{
    if (options->num_specialises == MOST_SPECIALISES)
        return usage("too many --specialise: '%s' is one more than 64", text);
    if (!options->specialises)
        options->specialises = arena_array(arena, const char *, MOST_SPECIALISES);
    options->specialises[options->num_specialises++] = text;
    options->specialise = options->specialises[0];
    return true;
}

static bool read_override(const char *text, driver_options *options)
{
    size_t length = strcspn(text, "=");
    stage stage = stage_find(text, length);
    bool can_replace =
        stage == STAGE_ttir || stage == STAGE_ttgir || stage == STAGE_llir || stage == STAGE_ptx;
    if (!text[length] || !text[length + 1] || !can_replace)
        return usage(
            "--override takes ttir, ttgir, llir or ptx, and a file: STAGE=FILE, not '%s'", text);
    options->overrides[stage] = text + length + 1;
    return true;
}

static bool read_option(arena *arena, int id, const char *text, driver_options *options)
{
    source_settings *settings = &options->settings;
    switch (id) {
    case OPTION_kernel:
        options->kernel = text;
        return true;
    case OPTION_target:
        options->target = text;
        return true;
    case OPTION_define:
        return read_setting(arena, text, &settings->metas, &settings->num_metas);
    case OPTION_type:
        return read_setting(arena, text, &settings->types, &settings->num_types);
    case OPTION_num_warps:
        return read_warps(text, options);
    case OPTION_num_stages:
        return read_number("num-stages", text, MOST_STAGES, &options->num_stages);
    case OPTION_specialise:
        return read_specialise(arena, text, options);
    case OPTION_embed:
        return read_embed(arena, text, options);
    case OPTION_name:
        options->name = text;
        return true;
    case OPTION_ptx_version:
        return read_ptx_version(text, options);
    case OPTION_debug:
        return options->debug = true;
    case OPTION_emit:
        return read_emit(arena, text, options);
    case OPTION_output:
        options->output = text;
        return true;
    case OPTION_depfile:
        options->depfile = text;
        return true;
    case OPTION_check:
        return options->check = true;
    case OPTION_print_after:
        options->print_after = text;
        return true;
    case OPTION_remarks:
        return options->remarks = true;
    case OPTION_override:
        return read_override(text, options);
    case OPTION_time:
        return options->time = true;
    case OPTION_list:
        options->list = text;
        return true;
    case OPTION_test_fault:
        options->test_fault = text;
        return true;
    case OPTION_version:
        return options->version = true;
    case OPTION_help:
        return options->help = true;
    default:
        return false;
    }
}

/* What getopt_long refused; it has moved on behind the word. */
static bool refuse_word(arena *arena, int value, char **words)
{
    const char *word = words[optind - 1];
    if (value == ':')
        return usage("%s needs an argument", word);
    if (optopt >= FIRST_LONG_VALUE)
        return usage("--%s takes no argument", option_infos[optopt - FIRST_LONG_VALUE].name);
    return usage("unknown option '%s'", optopt ? arena_format(arena, "-%c", optopt) : word);
}

bool options_parse(arena *arena, int count, char **words, driver_options *out_options)
{
    *out_options = (driver_options){.num_warps = 4, .num_stages = 3, .output = "-"};
    struct option longs[OPTION_COUNT + 1] = {0};
    char shorts[3 * OPTION_COUNT + 2];
    fill_getopt_tables(longs, shorts);
    opterr = 0;
    for (;;) {
        int value = getopt_long(count, words, shorts, longs, NULL);
        if (value == -1)
            break;
        if (value == ':' || value == '?')
            return refuse_word(arena, value, words);
        if (!read_option(arena, option_of(value), optarg, out_options))
            return false;
    }
    if (count - optind > 1)
        return usage("one input at a time: '%s' is a second", words[optind + 1]);
    out_options->input = optind < count ? words[optind] : NULL;
    return true;
}

void options_print(FILE *out)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option_info *info = &option_infos[i];
        char left[64];
        char letter[8] = "";
        if (info->letter)
            snprintf(letter, sizeof letter, "-%c, ", info->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, info->name, *info->argument ? " " : "",
            info->argument);
        fprintf(out, "  %-34s %s\n", left, info->summary);
    }
}
