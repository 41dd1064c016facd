/* See report.h. */
#include "report.h"

#include <stdio.h>
#include <string.h>

static void print_cell(unsigned element, const char *text)
{
    const int width = (int)strlen(elements[element].name);
    printf(" %-*s", width > 4 ? width : 4, text);
}

static void print_head(void)
{
    printf("%-28s", "");
    for (unsigned e = 0; e < ELEMENTS; e++)
        print_cell(e, elements[e].name);
    puts("");
}

static const char *const marks[] = {
    [NOT_TRIED] = "", [PASSED] = "ok", [FAILED] = "FAIL", [REFUSED] = "no"};

/* `-` where the table of absences says why there is nothing, `.` where it was not asked for. */
static const char *mark_of(const struct cell *cell, const struct row *row, unsigned element)
{
    if (cell->row)
        return marks[cell->outcome];
    return row->elements & ONE(element) ? "." : "-";
}

/* The row that a line of cells belongs to; NULL where none of them was asked for. */
static const struct row *row_of(const struct cell *line)
{
    for (unsigned e = 0; e < ELEMENTS; e++)
        if (line[e].row)
            return line[e].row;
    return NULL;
}

static void print_table(const struct cell *cells, size_t count)
{
    const char *family = "";
    for (size_t i = 0; i < count; i += ELEMENTS) {
        const struct row *row = row_of(&cells[i]);
        if (!row)
            continue;
        if (strcmp(family, row->family) != 0) {
            family = row->family;
            printf("\n%s\n", family);
            print_head();
        }
        printf("  %-26s", row->name);
        for (unsigned e = 0; e < ELEMENTS; e++)
            print_cell(e, mark_of(&cells[i + e], row, e));
        puts("");
    }
}

static void print_failures(const struct cell *cells, size_t count)
{
    enum { MOST = 100 };
    size_t failures = 0;
    for (size_t i = 0; i < count; i++) {
        if (!cells[i].row || cells[i].outcome != FAILED || ++failures > MOST)
            continue;
        printf("FAIL %s: %s, %s: %s\n", cells[i].row->family, cells[i].row->name,
            elements[cells[i].element].name, cells[i].message);
    }
    if (failures > MOST)
        printf("and %zu more failures\n", failures - MOST);
}

static bool is_first_refusal(const struct cell *cells, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (cells[k].row && cells[k].outcome == REFUSED &&
            strcmp(cells[k].message, cells[i].message) == 0)
            return false;
    return true;
}

/* Each kind once, with how many cells it took. */
static void print_refusals(const struct cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!cells[i].row || cells[i].outcome != REFUSED || !is_first_refusal(cells, i))
            continue;
        size_t alike = 0;
        for (size_t k = i; k < count; k++)
            alike += cells[k].row && cells[k].outcome == REFUSED &&
                     strcmp(cells[k].message, cells[i].message) == 0;
        printf("refused, %zu cells: %s\n", alike, cells[i].message);
    }
}

bool report(const struct cell *cells, size_t count, bool refusals_are_skips)
{
    size_t sums[REFUSED + 1] = {0};
    for (size_t i = 0; i < count; i++)
        if (cells[i].row)
            sums[cells[i].outcome]++;
    print_table(cells, count);
    puts(
        "\nok: right  FAIL: wrong  no: refused by name  -: absent, see --list  .: not asked for\n");
    print_failures(cells, count);
    print_refusals(cells, count);
    const size_t failed = sums[FAILED] + (refusals_are_skips ? 0 : sums[REFUSED]);
    const size_t skipped = sums[NOT_TRIED] + (refusals_are_skips ? sums[REFUSED] : 0);
    printf("%zu passed, %zu failed, %zu skipped\n", sums[PASSED], failed, skipped);
    return failed == 0 && sums[PASSED] != 0;
}

void report_list(const struct cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i += ELEMENTS) {
        const struct row *row = row_of(&cells[i]);
        if (!row)
            continue;
        printf("%s: %s:", row->family, row->name);
        for (unsigned e = 0; e < ELEMENTS; e++)
            if (row->elements & ONE(e))
                printf(" %s", elements[e].name);
        puts("");
        for (unsigned e = 0; e < ELEMENTS; e++)
            if (!(row->elements & ONE(e)))
                printf("    no %s: %s\n", elements[e].name, table_absence(row, e));
    }
}
