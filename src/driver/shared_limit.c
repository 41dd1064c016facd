/* See shared_limit.h. Smaller META are searched for greedily: of all that can be halved, the one
 * that leaves least beyond the limit is, until the kernel fits or all get worse by it. What did not
 * help is then taken back. Each step compiles, so there are not many. */
#include "driver/shared_limit.h"

#include <string.h>

#include "codegen/ir_read.h"
#include "codegen/targets.h"
#include "driver/explain.h"

/* ---- What is in the way ---------------------------------------------------------------------- */

static bool lies_beyond(const struct shared_buffer *buffer, unsigned limit)
{
    return buffer->offset + buffer->bytes > limit;
}

/* Whether the buffer lies beyond the limit, or lives while one does. */
static bool is_in_the_way(
    const struct shared_memory *shared, const struct shared_buffer *buffer, unsigned limit)
{
    const struct lifetime own = buffer->lifetime;
    if (lies_beyond(buffer, limit))
        return true;
    for (const struct shared_buffer *other = shared_memory_first(shared); other;
        other = other->next)
        if (lies_beyond(other, limit) && own.first <= other->lifetime.last &&
            other->lifetime.first <= own.last)
            return true;
    return false;
}

struct note {
    const char *text;
    MlirLocation location;
};

static bool is_among(const struct note *notes, unsigned count, struct note note)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(notes[i].text, note.text) == 0 &&
            mlirLocationEqual(notes[i].location, note.location))
            return true;
    return false;
}

/* The user's operation may have become several that say the same. */
static void note_buffers(
    compilation *compilation, const struct shared_memory *shared, unsigned limit)
{
    enum { MOST_NOTES = 8 };
    struct note notes[MOST_NOTES];
    unsigned count = 0;
    for (const struct shared_buffer *buffer = shared_memory_first(shared);
        buffer && count < MOST_NOTES; buffer = buffer->next) {
        if (!is_in_the_way(shared, buffer, limit))
            continue;
        struct note note = {
            explain_buffer(compilation, buffer), mlirOperationGetLocation(buffer->owner)};
        if (is_among(notes, count, note))
            continue;
        notes[count++] = note;
        diagnostics_report(compilation->diagnostics, DIAGNOSTIC_NOTE,
            explain_place(compilation, buffer->owner), "%s", note.text);
    }
}

/* ---- What would fit -------------------------------------------------------------------------- */

typedef struct search {
    const compilation *compilation;
    const ast_constant *metas;
    size_t num_metas;
    int64_t *values;
    uint64_t excess; /* of what these values need; NONE: they do not compile */
    unsigned bytes;
    unsigned trials; /* that may still be made to find values */
} search;

static const uint64_t NONE = UINT64_MAX;

typedef struct trial {
    compilation compilation; /* the first member: what `measure` is given */
    uint64_t excess;
} trial;

/* How much lies beyond the limit, of all buffers together: other than the bytes of the kernel, this
 * also shrinks with one of several that are too large. */
static uint64_t excess_of(const struct shared_memory *shared, unsigned limit)
{
    uint64_t excess = 0;
    for (const struct shared_buffer *buffer = shared_memory_first(shared); buffer;
        buffer = buffer->next)
        if (lies_beyond(buffer, limit))
            excess += buffer->offset + buffer->bytes - limit;
    return excess;
}

/* Where a trial fits, it is one only if the code generator takes it. */
static bool measure(compilation *compilation)
{
    trial *trial = (struct trial *)compilation;
    MlirOperation function = ir_find_kernel(compilation->module, compilation->options->kernel);
    struct shared_memory *shared = shared_memory_create(compilation->arena, function);
    compilation->shared_bytes = shared_memory_bytes(shared);
    trial->excess = excess_of(shared, compilation->gpu->max_shared_bytes);
    return trial->excess > 0 || compile_is_accepted(compilation);
}

static uint64_t excess_with(const search *search, unsigned *out_bytes)
{
    arena *arena = search->compilation->arena;
    driver_options options = *search->compilation->options;
    memset(options.emits, 0, sizeof options.emits);
    options.emits[STAGE_ttgir] = true;
    options.num_emits = 1;
    options.remarks = options.debug = false;
    options.print_after = options.test_fault = NULL;
    options.settings.num_metas = search->num_metas;
    options.settings.metas = arena_array(arena, source_setting, search->num_metas);
    for (size_t i = 0; i < search->num_metas; i++) {
        const char *value = arena_format(arena, "%lld", (long long)search->values[i]);
        options.settings.metas[i] = (source_setting){.name = search->metas[i].name, .value = value};
    }
    trial trial;
    if (!compile_again(search->compilation, &options, measure, &trial.compilation))
        return NONE;
    *out_bytes = trial.compilation.shared_bytes;
    return trial.excess;
}

static bool can_be_halved(int64_t value)
{
    return value > 1 && (value & (value - 1)) == 0;
}

/* Halves the META that helps most; of several, the largest. Where none helps yet, for a tile that
 * then goes in fewer rounds through as much memory, the next halving may. */
static bool take_smaller(search *search)
{
    size_t best = search->num_metas;
    uint64_t least = search->excess;
    unsigned bytes = 0, bytes_of_best = 0;
    for (size_t i = 0; i < search->num_metas; i++) {
        int64_t *value = &search->values[i];
        if (!can_be_halved(*value) || search->trials == 0)
            continue;
        search->trials--;
        *value /= 2;
        uint64_t excess = excess_with(search, &bytes);
        *value *= 2;
        bool is_tie = best < search->num_metas && excess == least;
        if (excess > least || (is_tie && *value <= search->values[best]))
            continue;
        best = i;
        least = excess;
        bytes_of_best = bytes;
    }
    if (best == search->num_metas)
        return false;
    search->values[best] /= 2;
    search->excess = least;
    search->bytes = bytes_of_best;
    return true;
}

/* META that the kernel fits with as they were. */
static void restore_others(search *search)
{
    for (size_t i = 0; i < search->num_metas; i++) {
        int64_t smaller = search->values[i];
        unsigned bytes;
        if (smaller == search->metas[i].value)
            continue;
        search->values[i] = search->metas[i].value;
        if (excess_with(search, &bytes) == 0)
            search->bytes = bytes;
        else
            search->values[i] = smaller;
    }
}

static bool find_values(search *search)
{
    while (search->excess > 0)
        if (!take_smaller(search))
            return false;
    restore_others(search);
    return true;
}

/* " -D M=64 -D N=32": what differs from the META that the kernel was compiled with. */
static const char *settings_of(const search *search)
{
    const char *text = "";
    for (size_t i = 0; i < search->num_metas; i++)
        if (search->values[i] != search->metas[i].value)
            text = arena_format(search->compilation->arena, "%s -D %s=%lld", text,
                search->metas[i].name, (long long)search->values[i]);
    return text;
}

static bool has_overrides(const compilation *compilation)
{
    for (int i = 0; i < STAGE_COUNT; i++)
        if (compilation->options->overrides[i])
            return true;
    return false;
}

static void suggest(
    compilation *compilation, diagnostic_place place, const struct shared_memory *shared)
{
    const ast_function *kernel = compilation->kernel.function;
    if (!kernel || has_overrides(compilation))
        return;
    enum { MOST_TRIALS = 160 };
    search search = {.compilation = compilation,
        .trials = MOST_TRIALS,
        .metas = kernel->metas,
        .num_metas = kernel->num_metas,
        .values = arena_array(compilation->arena, int64_t, kernel->num_metas + 1),
        .excess = excess_of(shared, compilation->gpu->max_shared_bytes)};
    for (size_t i = 0; i < search.num_metas; i++)
        search.values[i] = search.metas[i].value;
    const char *advice = "smaller tiles need less of it";
    if (find_values(&search))
        advice = arena_format(compilation->arena, "smaller tiles fit: with%s it needs %u bytes",
            settings_of(&search), search.bytes);
    place.text = NULL; /* the error showed the line */
    diagnostics_report(compilation->diagnostics, DIAGNOSTIC_NOTE, place, "%s", advice);
}

void shared_limit_explain(compilation *compilation)
{
    if (!compilation->gpu || compilation->diagnostics->is_silent)
        return;
    MlirOperation function = ir_find_kernel(compilation->module, compilation->options->kernel);
    struct shared_memory *shared = shared_memory_create(compilation->arena, function);
    unsigned limit = compilation->gpu->max_shared_bytes;
    if (shared_memory_bytes(shared) <= limit)
        return;
    note_buffers(compilation, shared, limit);
    suggest(compilation, explain_place(compilation, function), shared);
}
