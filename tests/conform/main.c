/* Tries every operation of the language with every element type on a device, against plain C.
 *
 *   conform --device cpu|emu|cuda [--target TARGET] [--only PATTERN] [--warps N] [--threads N]
 *           [--refusals-are-skips]
 *   conform --list [--only PATTERN]     what there is to try, and why the rest is not there
 *   conform --compile TARGET ...        fills the cache: for a machine without teenyc
 *
 * N is the one number of warps to try in place of 1 and 8. PATTERN is an extended regular
 * expression over `FAMILY: OPERATION, TYPE`. Prints a table of operations and types; the last line
 * is `N passed, N failed, N skipped`, of cells. What is refused by name as not built yet has
 * failed, or with --refusals-are-skips is skipped.
 */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "run.h"
#include "table.h"

struct options {
    struct selection selection;
    const char *only;
    bool refusals_are_skips, list;
};

static int usage(void)
{
    fputs("usage: conform --device cpu|emu|cuda [--target TARGET] [--only PATTERN]\n"
          "               [--warps N] [--threads N] [--refusals-are-skips]\n"
          "       conform --list [--only PATTERN] | --compile TARGET\n",
        stderr);
    return 2;
}

/* A power of two up to 32, or -1. */
static int read_warps(const char *word)
{
    char *end;
    const long warps = strtol(word, &end, 10);
    const bool is_right = *end == '\0' && warps >= 1 && warps <= 32 && (warps & (warps - 1)) == 0;
    return is_right ? (int)warps : -1;
}

static bool read_options(int count, char **words, struct options *options)
{
    for (int i = 1; i < count; i++) {
        const char *word = words[i];
        if (strcmp(word, "--refusals-are-skips") == 0) {
            options->refusals_are_skips = true;
            continue;
        }
        if (strcmp(word, "--list") == 0) {
            options->list = true;
            continue;
        }
        if (++i == count)
            return false;
        if (strcmp(word, "--device") == 0)
            options->selection.device = words[i];
        else if (strcmp(word, "--compile") == 0 || strcmp(word, "--target") == 0)
            options->selection.target = words[i];
        else if (strcmp(word, "--only") == 0)
            options->only = words[i];
        else if (strcmp(word, "--warps") == 0)
            options->selection.warps = read_warps(words[i]);
        else if (strcmp(word, "--threads") == 0)
            options->selection.threads = (unsigned)atoi(words[i]);
        else
            return false;
    }
    return options->selection.warps >= 0 &&
           (options->list || options->selection.device || options->selection.target);
}

static bool is_asked_for(const regex_t *only, const struct row *row, enum element_id element)
{
    char name[128];
    snprintf(name, sizeof name, "%s: %s, %s", row->family, row->name, elements[element].name);
    return !only || regexec(only, name, 0, NULL, 0) == 0;
}

/* A line of ELEMENTS cells a row; those without a row are absent or not asked for. False where a
 * cell is absent for no reason. */
static bool fill(struct cell *cells, const regex_t *only)
{
    bool is_complete = true;
    struct cell *cell = cells;
    for (size_t t = 0; t < table_count; t++)
        for (size_t r = 0; r < tables[t]->count; r++)
            for (unsigned e = 0; e < ELEMENTS; e++, cell++) {
                const struct row *row = &tables[t]->rows[r];
                cell->element = e;
                if (!(row->elements & ONE(e)) && !table_absence(row, e)) {
                    is_complete = false;
                    fprintf(stderr, "%s: %s has no cell for %s, and no reason is given\n",
                        row->family, row->name, elements[e].name);
                }
                if ((row->elements & ONE(e)) && is_asked_for(only, row, e))
                    cell->row = row;
            }
    return is_complete;
}

static int run(const struct options *options, const regex_t *only)
{
    size_t count = 0;
    for (size_t t = 0; t < table_count; t++)
        count += tables[t]->count * ELEMENTS;
    struct cell *cells = calloc(count, sizeof *cells);
    if (!cells)
        return 1;
    bool is_right = fill(cells, only);
    if (options->list)
        report_list(cells, count);
    else
        is_right = run_cells(&options->selection, cells, count) &&
                   report(cells, count, options->refusals_are_skips) && is_right;
    free(cells);
    return !is_right;
}

int main(int count, char **words)
{
    struct options options = {.selection.threads = 2};
    if (!read_options(count, words, &options))
        return usage();
    regex_t only;
    if (!options.only)
        return run(&options, NULL);
    if (regcomp(&only, options.only, REG_EXTENDED | REG_NOSUB) != 0) {
        fprintf(stderr, "--only takes an extended regular expression, not `%s`\n", options.only);
        return 2;
    }
    int status = run(&options, &only);
    regfree(&only);
    return status;
}
