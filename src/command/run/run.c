/* teeny run: tries a kernel of a C file. Its parts: options, arguments (their words), fill (what is
 * in them), pack (as parameters), trial (on a device), compare, timing. */
#include "command/command.h"

#include "base/files.h"
#include "base/string_builder.h"
#include "command/run/compare.h"
#include "command/run/fill.h"
#include "command/run/pack.h"
#include "command/run/timing.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All of one run. */
struct run {
    run_options options;
    const teeny_kernel *kernel;
    trial trial;     /* on the device */
    trial reference; /* on the one to compare with; without a device: there is none */
    char *contents[MOST_ARGUMENTS]; /* of each buffer, before the kernel */
    bool has_results;
};

/* Everything up to its end; NULL after a message. */
static char *read_standard_input(void)
{
    enum { ROOM = 1 << 16, LONGEST = 64 * 1024 * 1024 };
    teeny_string text = {0};
    char *room = malloc(ROOM);
    size_t got = 0;
    while (room && text.length <= LONGEST && (got = fread(room, 1, ROOM, stdin)) > 0)
        teeny_string_append(&text, room, got);
    const char *problem = NULL;
    if (!room || text.failed)
        problem = "out of memory";
    else if (ferror(stdin))
        problem = teeny_file_problem(errno);
    else if (text.length > LONGEST)
        problem = "it is too long for a kernel's file";
    else if (strlen(teeny_string_text(&text)) != text.length)
        problem = "it holds a zero byte: it is no text";
    free(room);
    if (!problem)
        return text.data ? text.data : strdup("");
    fprintf(stderr, "<stdin>: %s\n", problem);
    teeny_string_free(&text);
    return NULL;
}

static bool read_kernel(struct run *run)
{
    const run_options *options = &run->options;
    teeny_status status;
    if (strcmp(options->file, "-") == 0) {
        char *text = read_standard_input();
        if (!text)
            return false;
        status = teeny_kernel_from_text(text, "<stdin>", options->kernel, &run->kernel);
        free(text);
    } else {
        status = teeny_kernel_from_file(options->file, options->kernel, &run->kernel);
    }
    return status == TEENY_OK || trial_fail();
}

/* ---- The grid -------------------------------------------------------------------------------- */

static bool is_integer(long double number)
{
    return number >= -0x1p63L && number < 0x1p63L && number == truncl(number);
}

/* A number, or the name of a scalar or META. */
static bool read_term(const struct run *run, const char *text, const char *word, int64_t *out_value)
{
    long double number;
    const argument *argument = arguments_find(&run->options.arguments, text);
    if (argument && !argument_is_buffer(argument))
        text = argument->scalar;
    if (number_read(text, &number) && is_integer(number)) {
        *out_value = (int64_t)number;
        return true;
    }
    if (teeny_function_meta(run->trial.function, text, out_value) == TEENY_OK)
        return true;
    command_usage(
        "run", "--grid %s: '%s' is no number, and no name of a scalar or of META", word, text);
    return false;
}

/* TERM, or TERM/TERM rounded up. */
static bool read_dimension(const struct run *run, const char *word, int64_t *out_value)
{
    char left[128];
    int64_t divisor = 1;
    size_t length = strcspn(word, "/");
    snprintf(left, sizeof left, "%.*s", (int)length, word);
    if (!read_term(run, left, word, out_value))
        return false;
    if (!word[length])
        return true;
    if (!read_term(run, word + length + 1, word, &divisor))
        return false;
    if (divisor < 1) {
        command_usage("run", "--grid %s divides by %lld", word, (long long)divisor);
        return false;
    }
    *out_value = *out_value / divisor + (*out_value % divisor > 0);
    return true;
}

static bool read_grid(struct run *run)
{
    teeny_grid *grid = &run->trial.grid;
    return read_dimension(run, run->options.grid[0], &grid->x) &&
           read_dimension(run, run->options.grid[1], &grid->y) &&
           read_dimension(run, run->options.grid[2], &grid->z);
}

/* ---- The steps ------------------------------------------------------------------------------- */

static bool check_prints(const run_options *options)
{
    for (int i = 0; i < options->print_count; i++) {
        const argument *argument = arguments_find(&options->arguments, options->prints[i].name);
        if (argument && argument_is_buffer(argument))
            continue;
        command_usage(
            "run", "--print %s: there is no buffer of this name", options->prints[i].name);
        return false;
    }
    return true;
}

static bool fill_contents(struct run *run)
{
    const arguments *arguments = &run->options.arguments;
    for (int i = 0; i < arguments->count; i++) {
        const argument *argument = &arguments->list[i];
        if (!argument_is_buffer(argument))
            continue;
        run->contents[i] = malloc(argument->count * argument->element->bytes + 1);
        if (!run->contents[i])
            return argument_refuse(argument->word, "out of memory");
        if (!argument_fill(argument, run->options.seed, run->contents[i]))
            return false;
    }
    return true;
}

/* The device to compare with, or NULL. */
static const char *choose_reference(const struct run *run)
{
    const char *check = run->options.check, *own = teeny_device_name(run->trial.device);
    if (check)
        return strcmp(check, "none") == 0 ? NULL : check;
    return strcmp(own, "cpu") == 0 ? NULL : "cpu";
}

static bool open_reference(struct run *run)
{
    const char *device = choose_reference(run);
    return !device || trial_open(device, run->kernel, &run->options, &run->reference);
}

/* Runs on the other device first: what is printed of this one comes last. */
static bool run_reference(struct run *run)
{
    trial *reference = &run->reference;
    reference->grid = run->trial.grid;
    return trial_prepare(reference, &run->options.arguments, run->contents) && trial_run(reference);
}

static bool run_checked(struct run *run)
{
    bool is_compared = run->reference.device != NULL;
    if (!is_compared && !run->options.check)
        puts("  not compared: this is cpu itself; --check emu compares with a GPU's code");
    if (is_compared && !run_reference(run))
        return false;
    if (!trial_prepare(&run->trial, &run->options.arguments, run->contents) ||
        !trial_run(&run->trial))
        return false;
    run->has_results = true;
    bool is_right = trial_check_guards(&run->trial);
    if (is_right && !is_compared)
        puts("  nothing was written around the buffers");
    if (is_compared) {
        is_right &= trial_check_guards(&run->reference);
        is_right &= compare_trials(&run->trial, &run->reference, run->contents, run->options.ulp);
    }
    return is_right;
}

static void print_head(const struct run *run)
{
    const teeny_grid *grid = &run->trial.grid;
    printf("%s on %s, %s, grid %lld x %lld x %lld\n", run->kernel->text.name,
        teeny_device_name(run->trial.device), teeny_device_model(run->trial.device),
        (long long)grid->x, (long long)grid->y, (long long)grid->z);
}

static void print_buffers(const struct run *run)
{
    for (int i = 0; i < run->options.print_count; i++) {
        const print_request *request = &run->options.prints[i];
        const argument *argument = arguments_find(&run->options.arguments, request->name);
        print_buffer(&run->trial, (int)(argument - run->options.arguments.list), request->most);
    }
}

static double bytes_moved(const run_options *options)
{
    double bytes = 0;
    if (!options->bytes)
        return 0;
    if (strcmp(options->bytes, "auto") != 0)
        return strtod(options->bytes, NULL);
    for (int i = 0; i < options->arguments.count; i++)
        if (argument_is_buffer(&options->arguments.list[i]))
            bytes += (double)options->arguments.list[i].count *
                     (double)options->arguments.list[i].element->bytes;
    return bytes;
}

static bool time_launches(struct run *run)
{
    const run_options *options = &run->options;
    return options->times == 0 ||
           timing_run(&run->trial, options->warm_up, options->times, bytes_moved(options));
}

/* Everything that the command line can get wrong comes before the first launch. */
static int run_all(struct run *run)
{
    run_options *options = &run->options;
    if (!read_kernel(run) || !trial_open(options->device, run->kernel, options, &run->trial))
        return COMMAND_WRONG;
    if (!arguments_check(&options->arguments, teeny_function_artifact(run->trial.function)) ||
        !check_prints(options) || !read_grid(run) || !fill_contents(run))
        return COMMAND_USAGE;
    if (!open_reference(run))
        return COMMAND_WRONG;
    print_head(run);
    bool is_right = run_checked(run);
    if (run->has_results)
        print_buffers(run);
    return is_right && time_launches(run) ? COMMAND_RIGHT : COMMAND_WRONG;
}

int command_run(int count, char **words)
{
    static struct run run;
    int status;
    run = (struct run){0};
    if (run_options_read(count, words, &run.options, &status))
        status = run_all(&run);
    trial_close(&run.trial);
    trial_close(&run.reference);
    for (int i = 0; i < MOST_ARGUMENTS; i++)
        free(run.contents[i]);
    teeny_kernel_release(run.kernel);
    run_options_free(&run.options);
    return status;
}
