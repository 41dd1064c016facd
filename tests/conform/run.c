/* See run.h. */
#include "run.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { MOST_THREADS = 64, BLOCK_VARIANTS = 2 };

struct work {
    const struct selection *selection;
    teeny_device *device; /* NULL: only compile */
    bool has_warps;       /* num_warps changes what is compiled */
    struct cell *cells;
    size_t count;
    _Atomic size_t next;
};

/* One kernel with its options. */
struct variant {
    int block, warps;
};

static teeny_options options_of(
    const struct work *work, const struct cell *cell, struct variant variant)
{
    const enum element_id result = table_result(cell->row, cell->element);
    teeny_options options = {.num_warps = variant.warps, .num_stages = cell->row->stages};
    if (work->device)
        options.target = work->selection->target;
    if (!cell->row->no_types)
        options.types[0] = (teeny_type_choice){"T", elements[cell->element].name};
    if (!cell->row->no_types && !cell->row->only_t)
        options.types[1] = (teeny_type_choice){"U", elements[result].name};
    if (variant.block)
        options.meta[0] = (teeny_meta_value){"BLOCK", variant.block};
    return options;
}

static const char *describe(struct variant variant, char *text, size_t size)
{
    snprintf(text, size, "BLOCK %d, %d warps", variant.block, variant.warps);
    return text;
}

/* The diagnostic in a message, or its first line, and the length of that. */
static const char *first_error(const char *message, int *out_length)
{
    const char *error = strstr(message, "error: ");
    error = error ? error + strlen("error: ") : message;
    *out_length = (int)strcspn(error, "\n");
    return error;
}

/* A refusal by name is told from other errors by its words. */
static void take_error(struct cell *cell, struct variant variant, teeny_status status)
{
    char text[64];
    int length;
    const char *error = first_error(teeny_message(), &length);
    const bool is_refused = status == TEENY_UNSUPPORTED || strstr(error, "not built yet");
    if (status ==
        TEENY_COMPILER_NOT_FOUND) { /* what a cache that was carried here has no code for */
        cell->outcome = REFUSED;
        snprintf(cell->message, sizeof cell->message, "not in the cache, and there is no teenyc");
        return;
    }
    cell->outcome = is_refused ? REFUSED : FAILED;
    if (is_refused)
        snprintf(cell->message, sizeof cell->message, "%.*s", length, error);
    else
        snprintf(cell->message, sizeof cell->message, "%s: %s: %.*s",
            describe(variant, text, sizeof text), teeny_status_name(status), length, error);
}

static void try_size(struct bench *bench, struct cell *cell, struct variant variant,
    teeny_function *function, unsigned size)
{
    struct trial trial = {.bench = bench,
        .row = cell->row,
        .element = cell->element,
        .result = table_result(cell->row, cell->element),
        .block = variant.block,
        .size = size,
        .function = function};
    char text[64];
    cell->row->run(&trial);
    if (trial.failed) {
        cell->outcome = FAILED;
        snprintf(cell->message, sizeof cell->message, "%s, size %u: %s",
            describe(variant, text, sizeof text), size, trial.message);
    }
    trial_end(&trial);
}

static void try_variant(
    const struct work *work, struct bench *bench, struct cell *cell, struct variant variant)
{
    const teeny_options options = options_of(work, cell, variant);
    teeny_function *function;
    teeny_status status = teeny_load(work->device, cell->row->kernel, &options, &function);
    if (status != TEENY_OK) {
        take_error(cell, variant, status);
        return;
    }
    for (unsigned size = 0; size < TRIAL_SIZES && cell->outcome == PASSED; size++)
        try_size(bench, cell, variant, function, size);
    teeny_unload(function);
}

static void compile_variant(const struct work *work, struct cell *cell, struct variant variant)
{
    const teeny_options options = options_of(work, cell, variant);
    teeny_artifact *artifact;
    teeny_status status =
        teeny_compile_kernel(cell->row->kernel, work->selection->target, &options, &artifact);
    if (status == TEENY_OK)
        teeny_artifact_destroy(artifact);
    else
        take_error(cell, variant, status);
}

/* The numbers of warps to try; 0 where the device has none. */
static size_t warps_of(const struct work *work, const int **out_warps)
{
    static const int both[] = {1, 8}, none[] = {0};
    if (work->has_warps && work->selection->warps) {
        *out_warps = &work->selection->warps;
        return 1;
    }
    *out_warps = work->has_warps ? both : none;
    return work->has_warps ? 2 : 1;
}

static void try_cell(const struct work *work, struct bench *bench, struct cell *cell)
{
    const int *warps;
    const size_t warp_count = warps_of(work, &warps);
    cell->outcome = PASSED;
    for (size_t b = 0; b < BLOCK_VARIANTS && (b == 0 || cell->row->blocks[b]); b++)
        for (size_t w = 0; w < warp_count && cell->outcome == PASSED; w++) {
            const struct variant variant = {cell->row->blocks[b], warps[w]};
            if (work->device)
                try_variant(work, bench, cell, variant);
            else
                compile_variant(work, cell, variant);
        }
}

static void *run_thread(void *user)
{
    struct work *work = user;
    struct bench bench = {0};
    if (work->device && !bench_open(&bench, work->device))
        return NULL;
    for (size_t i = 0; (i = atomic_fetch_add(&work->next, 1)) < work->count;)
        if (work->cells[i].row)
            try_cell(work, &bench, &work->cells[i]);
    if (work->device)
        bench_close(&bench);
    return work;
}

static bool run_threads(struct work *work)
{
    pthread_t threads[MOST_THREADS];
    unsigned started = 0;
    bool all_ran = true;
    while (started < work->selection->threads && started < MOST_THREADS &&
           pthread_create(&threads[started], NULL, run_thread, work) == 0)
        started++;
    for (unsigned i = 0; i < started; i++) {
        void *ran = NULL;
        pthread_join(threads[i], &ran);
        all_ran = all_ran && ran;
    }
    return started != 0 && all_ran;
}

bool run_cells(const struct selection *selection, struct cell *cells, size_t count)
{
    struct work work = {.selection = selection, .cells = cells, .count = count};
    const char *target = selection->target;
    if (selection->device) {
        teeny_status status = teeny_device_open(selection->device, &work.device);
        if (status != TEENY_OK) {
            fprintf(stderr, "device %s: %s: %s\n", selection->device, teeny_status_name(status),
                teeny_message());
            return false;
        }
        if (!target)
            target = teeny_device_target(work.device);
    }
    work.has_warps = strcmp(target, "cpu") != 0;
    bool ran = run_threads(&work);
    teeny_device_close(work.device);
    return ran;
}
