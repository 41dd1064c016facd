/* See shadow.h. Pages are made when they are first touched. */
#include "runtime/emu/shadow.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 1024, WORD_SHIFT = 2, LANES = 32 };

/* ---- Pages ----------------------------------------------------------------------------------- */

bool teeny_shadow_make(teeny_shadow *shadow, size_t size)
{
    shadow->count = (size + PAGE_BYTES - 1) / PAGE_BYTES;
    shadow->pages = calloc(shadow->count + 1, sizeof *shadow->pages);
    return shadow->pages != NULL;
}

static void free_page(teeny_shadow_page *page)
{
    if (page)
        free(page->cells);
    free(page);
}

void teeny_shadow_free(teeny_shadow *shadow)
{
    for (size_t i = 0; shadow->pages && i < shadow->count; i++)
        free_page(atomic_load(&shadow->pages[i]));
    free(shadow->pages);
    *shadow = (teeny_shadow){0};
}

static teeny_shadow_page *make_page(void)
{
    teeny_shadow_page *page = calloc(1, sizeof *page);
    if (!page)
        return NULL;
    page->shift = WORD_SHIFT;
    page->cells = calloc(PAGE_BYTES >> WORD_SHIFT, sizeof *page->cells);
    if (page->cells)
        return page;
    free(page);
    return NULL;
}

static teeny_shadow_page *find_page(teeny_shadow *shadow, size_t index)
{
    teeny_shadow_page *page = atomic_load_explicit(&shadow->pages[index], memory_order_acquire);
    if (page)
        return page;
    teeny_shadow_page *made = make_page();
    if (!made || atomic_compare_exchange_strong(&shadow->pages[index], &page, made))
        return made;
    free_page(made);
    return page;
}

/* From words to bytes: each byte begins with what is known of its word. */
static bool split_words(teeny_shadow_page *page)
{
    teeny_shadow_cell *cells = malloc(PAGE_BYTES * sizeof *cells);
    if (!cells)
        return false;
    for (size_t i = 0; i < PAGE_BYTES; i++)
        cells[i] = page->cells[i >> page->shift];
    free(page->cells);
    page->cells = cells;
    page->shift = 0;
    return true;
}

/* With the page's lock: its cells are those of the stamp, and small enough. */
static bool prepare(teeny_shadow_page *page, uint64_t stamp, size_t size)
{
    if (page->stamp != stamp) {
        memset(page->cells, 0, (PAGE_BYTES >> page->shift) * sizeof *page->cells);
        page->stamp = stamp;
    }
    return size >> page->shift || split_words(page);
}

/* ---- Order ----------------------------------------------------------------------------------- */

/* Of two records of one program. */
static bool is_same_warp(const teeny_access_record *a, const teeny_access_record *b)
{
    return a->thread / LANES == b->thread / LANES;
}

/* Whether what `before` recorded is over for `now`, by some barrier or by being the same thread. */
static bool is_ordered(const teeny_access_record *before, const teeny_access_record *now)
{
    if (before->clock == 0)
        return true;
    if (before->program != now->program)
        return false;
    if (before->clock != now->clock || before->thread == now->thread)
        return true;
    return is_same_warp(before, now) && before->warp_clock != now->warp_clock;
}

/* Keeps a reader. Of three without order the two that are furthest apart are kept: of different
 * programs, else of different warps. */
static void add_reader(teeny_shadow_cell *cell, const teeny_access_record *now)
{
    teeny_access_record *a = &cell->readers[0], *b = &cell->readers[1];
    bool follows_a = is_ordered(a, now), follows_b = is_ordered(b, now);
    if (follows_a || follows_b) {
        if (follows_a && follows_b)
            b->clock = 0;
        *(follows_a ? a : b) = *now;
    } else if (a->program == b->program &&
               (now->program != a->program || (is_same_warp(a, b) && !is_same_warp(a, now)))) {
        *b = *now;
    }
}

static teeny_access_verdict race(
    teeny_access_finding *finding, const teeny_access_record *other, bool other_writes)
{
    finding->other = *other;
    finding->other_writes = other_writes;
    return TEENY_ACCESS_RACE;
}

static teeny_access_verdict read_cell(teeny_shadow_cell *cell, teeny_access_kind kind,
    const teeny_access_record *now, teeny_access_finding *finding)
{
    if (!is_ordered(&cell->writer, now))
        return race(finding, &cell->writer, true);
    finding->other = cell->writer;
    if (cell->writer.pending)
        return TEENY_ACCESS_PENDING;
    if (kind == TEENY_ACCESS_READ_WRITTEN && cell->writer.clock == 0)
        return TEENY_ACCESS_UNWRITTEN;
    add_reader(cell, now);
    return TEENY_ACCESS_RIGHT;
}

static teeny_access_verdict write_cell(teeny_shadow_cell *cell, teeny_access_kind kind,
    const teeny_access_record *now, teeny_access_finding *finding)
{
    if (!is_ordered(&cell->writer, now))
        return race(finding, &cell->writer, true);
    for (size_t i = 0; i < 2; i++)
        if (!is_ordered(&cell->readers[i], now))
            return race(finding, &cell->readers[i], false);
    finding->other = cell->writer;
    if (cell->writer.pending && kind != TEENY_ACCESS_ARRIVE)
        return TEENY_ACCESS_PENDING;
    *cell = (teeny_shadow_cell){.writer = *now};
    cell->writer.pending = kind == TEENY_ACCESS_COPY;
    return TEENY_ACCESS_RIGHT;
}

/* ---- Accesses -------------------------------------------------------------------------------- */

static teeny_access_verdict access_page(teeny_shadow_page *page, size_t offset, size_t size,
    teeny_access_kind kind, const teeny_access_record *now, teeny_access_finding *finding)
{
    size_t first = offset % PAGE_BYTES >> page->shift;
    for (size_t i = 0; i < size >> page->shift; i++) {
        teeny_shadow_cell *cell = &page->cells[first + i];
        teeny_access_verdict verdict = kind <= TEENY_ACCESS_READ_WRITTEN
                                           ? read_cell(cell, kind, now, finding)
                                           : write_cell(cell, kind, now, finding);
        if (verdict == TEENY_ACCESS_RIGHT)
            continue;
        finding->offset = offset + (i << page->shift);
        return verdict;
    }
    return TEENY_ACCESS_RIGHT;
}

teeny_access_verdict teeny_shadow_access(teeny_shadow *shadow, uint64_t stamp, size_t offset,
    size_t size, teeny_access_kind kind, const teeny_access_record *now,
    teeny_access_finding *out_finding)
{
    teeny_shadow_page *page = find_page(shadow, offset / PAGE_BYTES);
    if (!page)
        return TEENY_ACCESS_NO_MEMORY;
    while (atomic_flag_test_and_set_explicit(&page->lock, memory_order_acquire))
        sched_yield();
    teeny_access_verdict verdict = TEENY_ACCESS_NO_MEMORY;
    if (prepare(page, stamp, size))
        verdict = access_page(page, offset, size, kind, now, out_finding);
    atomic_flag_clear_explicit(&page->lock, memory_order_release);
    return verdict;
}
