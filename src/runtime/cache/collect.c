/* Removing from the cache what is of no use any more, or everything; see teeny/cache.h. */
#include "base/directory.h"
#include "base/temporary.h"
#include "runtime/cache/eviction.h"
#include "runtime/cache/size.h"
#include "runtime/cache/upkeep.h"
#include "runtime/cache/usage.h"
#include "runtime/callback.h"
#include "runtime/compiler.h"
#include "runtime/report.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <teeny/cache.h>
#include <unistd.h>

struct work {
    const teeny_cache *cache;
    teeny_survey survey;
    teeny_cache_upkeep done;
    char (*builds)[65]; /* of the compilers that are there; NULL: there are none */
    size_t build_count;
};

/* Removes items for which `is_useless` holds, counting them, and takes them out of the survey. */
static void remove_items(struct work *work, size_t *counter,
    bool (*is_useless)(const struct work *work, const teeny_survey_item *item))
{
    teeny_survey *survey = &work->survey;
    size_t kept = 0;
    for (size_t i = 0; i < survey->count; i++) {
        teeny_survey_item item = survey->items[i];
        teeny_removal removal =
            is_useless(work, &item) ? teeny_cache_remove(work->cache, &item) : TEENY_NOT_REMOVED;
        if (removal == TEENY_REMOVED) {
            survey->bytes -= item.bytes;
            work->done.freed += item.bytes;
            ++*counter;
            continue;
        }
        item.in_use |= removal == TEENY_IN_USE;
        survey->items[kept++] = item;
    }
    survey->count = kept;
}

static bool is_any(const struct work *work, const teeny_survey_item *item)
{
    (void)work;
    (void)item;
    return true;
}

static bool is_damaged(const struct work *work, const teeny_survey_item *item)
{
    return teeny_upkeep_problem(work->cache, item) != NULL;
}

static bool is_outdated(const struct work *work, const teeny_survey_item *item)
{
    if (strcmp(item->level, TEENY_CACHE_EMBEDDED) == 0)
        return false;
    for (size_t i = 0; i < work->build_count; i++)
        if (strcmp(work->builds[i], item->level) == 0)
            return false;
    return work->build_count > 0;
}

static void add_build(struct work *work, const char *build)
{
    void *grown = realloc(work->builds, (work->build_count + 1) * sizeof *work->builds);
    if (!grown)
        return;
    work->builds = grown;
    memcpy(work->builds[work->build_count++], build, sizeof *work->builds);
}

/* Remembers a compiler that is still there, and forgets one that is not. */
static int visit_compiler(int level, const char *name, void *context)
{
    struct work *work = context;
    teeny_compiler compiler;
    if (!teeny_survey_is_key(name))
        return 0;
    if (teeny_compiler_recall(level, name, &compiler)) {
        add_build(work, compiler.build_id);
        teeny_compiler_free(&compiler);
    } else {
        teeny_entry_remove(level, name);
    }
    return 0;
}

static int remove_answer(int level, const char *name, void *context)
{
    (void)context;
    if (teeny_survey_is_key(name))
        teeny_entry_remove(level, name);
    return 0;
}

static void in_compilers(struct work *work, teeny_directory_visitor *visit)
{
    int compilers = teeny_cache_level(work->cache, TEENY_CACHE_COMPILERS, false);
    if (compilers < 0)
        return;
    teeny_directory_walk(compilers, visit, work);
    close(compilers);
}

/* Leftovers lie in levels and, of the driver's compilations, in entries. */
static int sweep_entry(int level, const char *name, void *context)
{
    struct work *work = context;
    int entry = teeny_directory_open(level, name);
    if (entry < 0)
        return 0;
    work->done.leftovers += teeny_temporary_remove_stale(entry);
    close(entry);
    return 0;
}

static bool is_level(const char *name)
{
    return teeny_survey_is_level(name) || strcmp(name, TEENY_CACHE_COMPILERS) == 0;
}

static int sweep_level(int directory, const char *name, void *context)
{
    struct work *work = context;
    if (!is_level(name))
        return 0;
    work->done.distrusted += teeny_upkeep_distrust(directory, name) != NULL;
    int level = teeny_cache_level(work->cache, name, false);
    if (level < 0)
        return 0;
    work->done.leftovers += teeny_temporary_remove_stale(level);
    teeny_directory_walk(level, sweep_entry, work);
    close(level);
    unlinkat(directory, name, AT_REMOVEDIR); /* one that is empty; who wants it makes it anew */
    return 0;
}

static teeny_status begin(struct work *work, teeny_cache *cache)
{
    teeny_status status = teeny_upkeep_open(cache);
    if (status != TEENY_OK)
        return status;
    *work = (struct work){.cache = cache};
    if (teeny_survey_make(cache, &work->survey))
        return TEENY_OK;
    teeny_cache_close(cache);
    return teeny_fail_memory();
}

static void end(struct work *work, teeny_cache *cache, teeny_cache_upkeep *out_upkeep)
{
    teeny_directory_walk(cache->directory, sweep_level, work);
    work->done.leftovers += teeny_temporary_remove_stale(cache->directory);
    work->done.leftovers += teeny_file_place_remove_stale();
    work->done.entries = work->survey.count;
    for (size_t i = 0; i < work->survey.count; i++)
        work->done.in_use += work->survey.items[i].in_use;
    work->done.bytes = work->survey.bytes;
    teeny_usage_set(cache->directory, work->survey.bytes);
    if (out_upkeep)
        *out_upkeep = work->done;
    teeny_survey_free(&work->survey);
    free(work->builds);
    teeny_cache_close(cache);
}

static void shrink(struct work *work, uint64_t limit)
{
    uint64_t before = work->survey.bytes;
    if (before <= limit)
        return;
    work->done.evicted = teeny_cache_shrink(work->cache, &work->survey, limit);
    work->done.freed += before - work->survey.bytes;
}

teeny_status teeny_cache_collect(const char *size, teeny_cache_upkeep *out_upkeep)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    teeny_cache cache;
    struct work work;
    uint64_t limit = 0;
    if (size && !teeny_size_parse(size, &limit))
        return teeny_fail(
            TEENY_OPTION_INVALID, "`%s` is not a size such as 500M or 2G, or `unlimited`", size);
    teeny_status status = begin(&work, &cache);
    if (status != TEENY_OK)
        return status;
    in_compilers(&work, visit_compiler);
    remove_items(&work, &work.done.outdated, is_outdated);
    remove_items(&work, &work.done.damaged, is_damaged);
    shrink(&work, size ? limit : cache.limit);
    end(&work, &cache, out_upkeep);
    return TEENY_OK;
}

teeny_status teeny_cache_clear(teeny_cache_upkeep *out_upkeep)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    teeny_cache cache;
    struct work work;
    teeny_status status = begin(&work, &cache);
    if (status != TEENY_OK)
        return status;
    in_compilers(&work, remove_answer);
    remove_items(&work, &work.done.evicted, is_any);
    end(&work, &cache, out_upkeep);
    return TEENY_OK;
}
