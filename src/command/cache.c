/* teeny cache: what is in the cache of compiled kernels, and cleaning it. */
#include "command/command.h"

#include "base/environment.h"
#include "runtime/cache/cache.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <teeny/cache.h>
#include <time.h>

enum { OPTION_HELP = 256, OPTION_PATHS, OPTION_SIZE };

/* What the options of an action say. */
struct settings {
    bool paths;
    const char *size;
};

static const struct option list_options[] = {
    {"help", no_argument, NULL, OPTION_HELP}, {"paths", no_argument, NULL, OPTION_PATHS}, {0}};
static const struct option gc_options[] = {
    {"help", no_argument, NULL, OPTION_HELP}, {"size", required_argument, NULL, OPTION_SIZE}, {0}};
static const struct option no_options[] = {{"help", no_argument, NULL, OPTION_HELP}, {0}};

static void print_help(void)
{
    puts(
        "usage: teeny cache list [--paths] | verify | gc [--size SIZE] | clear\n"
        "Looks after the compiled kernels in TEENYC_CACHE_DIR (/tmp/teenyc_cache). Programs may "
        "use\n"
        "them meanwhile: what one of them holds stays.\n\n"
        "  list         kernel, target, size, age, last use and compiler's build id of each entry\n"
        "  verify       reads every byte and names the entries that would not be used\n"
        "  gc           removes damaged entries, those of compilers that are gone or have "
        "changed,\n"
        "               leftovers of processes that died, and what is least recently used, until\n"
        "               the rest fits into TEENYC_CACHE_SIZE (1G)\n"
        "  clear        removes all entries\n\n"
        "  --paths      with list: the entries' directories too\n"
        "  --size SIZE  with gc: instead of TEENYC_CACHE_SIZE; such as 500M, 2G, or unlimited\n"
        "  -h, --help   prints this\n\n"
        "exit status: 0 right, 1 an entry is damaged or the cache cannot be used, 2 usage");
}

static int fail(void)
{
    fprintf(stderr, "teeny cache: %s\n", teeny_message());
    return COMMAND_WRONG;
}

/* Whether there is no directory to look into, and says so. That is an error where it was asked for
 * by name; the default one is made by the first kernel. */
static bool is_missing(int *out_status)
{
    teeny_cache cache;
    if (teeny_cache_look(&cache) != TEENY_OK)
        return false;
    bool is_named = teeny_environment(TEENY_VARIABLE_TEENYC_CACHE_DIR) != NULL;
    bool is_missing = cache.directory < 0 && cache.error == ENOENT;
    if (is_missing && is_named)
        fprintf(stderr, "teeny cache: there is no directory %s, which TEENYC_CACHE_DIR names\n",
            cache.path);
    else if (is_missing)
        printf("there is no directory %s yet: no kernel was compiled\n", cache.path);
    *out_status = is_named ? COMMAND_WRONG : COMMAND_RIGHT;
    teeny_cache_close(&cache);
    return is_missing;
}

/* How long ago something was: "5m". */
static const char *age_text(int64_t nanoseconds)
{
    static const struct {
        int64_t seconds;
        char unit;
    } units[] = {{86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};
    static char texts[4][32];
    static unsigned next;
    char *text = texts[next++ % 4];
    if (!nanoseconds)
        return "?";
    int64_t seconds = time(NULL) - nanoseconds / 1000000000;
    size_t i = 0;
    while (seconds < units[i].seconds && i + 1 < sizeof units / sizeof units[0])
        i++;
    snprintf(text, sizeof texts[0], "%" PRId64 "%c",
        seconds > 0 ? seconds / units[i].seconds : (int64_t)0, units[i].unit);
    return text;
}

static const char *entries(size_t count)
{
    return count == 1 ? "entry" : "entries";
}

struct listing {
    bool paths;
    size_t count;
    uint64_t bytes;
};

static void print_item(const teeny_cache_item *item, void *context)
{
    struct listing *listing = context;
    char size[COMMAND_SIZE_TEXT];
    if (!listing->count++)
        printf(
            "%-24s %-8s %6s %6s %6s  %s\n", "KERNEL", "TARGET", "SIZE", "AGE", "USED", "COMPILER");
    listing->bytes += item->bytes;
    printf("%-24s %-8s %6s %6s %6s  %.12s%s%s\n", item->kernel, item->target,
        command_size(item->bytes, size), age_text(item->created), age_text(item->used),
        item->compiler, listing->paths ? "  " : "", listing->paths ? item->path : "");
}

static int run_list(const struct settings *settings)
{
    struct listing listing = {.paths = settings->paths};
    char size[COMMAND_SIZE_TEXT];
    int status;
    if (is_missing(&status))
        return status;
    if (teeny_cache_list(print_item, &listing) != TEENY_OK)
        return fail();
    printf(
        "%zu %s, %s\n", listing.count, entries(listing.count), command_size(listing.bytes, size));
    return COMMAND_RIGHT;
}

static void print_problem(const teeny_cache_item *item, void *context)
{
    ++*(size_t *)context;
    printf("%s: kernel %s for %s: %s\n", item->path, item->kernel, item->target, item->problem);
}

static int run_verify(const struct settings *settings)
{
    (void)settings;
    size_t bad = 0, count = 0;
    int status;
    if (is_missing(&status))
        return status;
    if (teeny_cache_verify(print_problem, &bad, &count) != TEENY_OK)
        return fail();
    printf("%zu %s, %zu bad\n", count, entries(count), bad);
    return bad ? COMMAND_WRONG : COMMAND_RIGHT;
}

static int report(const teeny_cache_upkeep *done)
{
    char size[COMMAND_SIZE_TEXT];
    printf("removed: %zu damaged, %zu outdated, %zu others, %s in all; %zu leftovers\n",
        done->damaged, done->outdated, done->evicted, command_size(done->freed, size),
        done->leftovers);
    printf(
        "left: %zu %s, %s", done->entries, entries(done->entries), command_size(done->bytes, size));
    if (done->in_use)
        printf("; %zu of them would have gone but are in use", done->in_use);
    putchar('\n');
    if (done->distrusted)
        printf("not looked into, and not used: %zu that cannot be trusted; `teeny cache verify` "
               "names what\n",
            done->distrusted);
    return COMMAND_RIGHT;
}

static int run_gc(const struct settings *settings)
{
    teeny_cache_upkeep done;
    switch (teeny_cache_collect(settings->size, &done)) {
    case TEENY_OK:
        return report(&done);
    case TEENY_OPTION_INVALID:
        return settings->size ? command_usage("cache gc", "%s", teeny_message()) : fail();
    default:
        return fail();
    }
}

static int run_clear(const struct settings *settings)
{
    (void)settings;
    teeny_cache_upkeep done;
    return teeny_cache_clear(&done) == TEENY_OK ? report(&done) : fail();
}

static const struct action {
    const char *name;
    char full_name[16]; /* for messages */
    const struct option *options;
    int (*run)(const struct settings *settings);
} actions[] = {
    {"list", "cache list", list_options, run_list},
    {"verify", "cache verify", no_options, run_verify},
    {"gc", "cache gc", gc_options, run_gc},
    {"clear", "cache clear", no_options, run_clear},
};

static int run_action(const struct action *action, int count, char **words)
{
    struct settings settings = {0};
    char full_name[sizeof action->full_name];
    memcpy(full_name, action->full_name, sizeof full_name);
    words[0] = full_name;
    opterr = 0;
    for (int value; (value = getopt_long(count, words, ":h", action->options, NULL)) != -1;) {
        switch (value) {
        case 'h':
        case OPTION_HELP:
            print_help();
            return COMMAND_RIGHT;
        case OPTION_PATHS:
            settings.paths = true;
            break;
        case OPTION_SIZE:
            settings.size = optarg;
            break;
        default:
            return command_refuse(value, words);
        }
    }
    if (optind < count)
        return command_usage(words[0], "it takes no arguments: '%s'", words[optind]);
    return action->run(&settings);
}

int command_cache(int count, char **words)
{
    if (count < 2)
        return command_usage("cache", "list, verify, gc or clear?");
    if (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0) {
        print_help();
        return COMMAND_RIGHT;
    }
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(words[1], actions[i].name) == 0)
            return run_action(&actions[i], count - 1, words + 1);
    return command_usage("cache", "there is no action '%s'", words[1]);
}
