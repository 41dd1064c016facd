/* Listing what is in the cache, and checking it; see teeny/cache.h. */
#include "base/directory.h"
#include "base/string_builder.h"
#include "runtime/cache/manifest.h"
#include "runtime/cache/private_directory.h"
#include "runtime/cache/upkeep.h"
#include "runtime/callback.h"
#include "runtime/metadata.h"
#include "runtime/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <teeny/cache.h>
#include <unistd.h>

teeny_status teeny_upkeep_open(teeny_cache *out_cache)
{
    teeny_status status = teeny_cache_look(out_cache);
    if (status != TEENY_OK || out_cache->directory >= 0 || out_cache->error == ENOENT)
        return status;
    status = teeny_fail(TEENY_IO_FAILED, "the cache %s cannot be used: %s", out_cache->path,
        strerror(out_cache->error));
    teeny_cache_close(out_cache);
    return status;
}

const char *teeny_upkeep_distrust(int parent, const char *name)
{
    teeny_privacy_report report;
    int directory = teeny_private_directory_open(parent, name, &report);
    if (directory >= 0)
        close(directory);
    return teeny_privacy_phrase(report.privacy);
}

/* An entry may have entries in it: the driver's compilations of its PTX. */
static int check_within(int entry, const char *name, void *context)
{
    const char **problem = context;
    teeny_privacy_report report;
    teeny_entry within;
    int directory = teeny_private_directory_open(entry, name, &report);
    if (directory >= 0)
        close(directory);
    if (name[0] == '.' || report.privacy == TEENY_IS_NO_DIRECTORY)
        return 0;
    teeny_entry_state state = teeny_entry_examine(entry, name, NULL, &within);
    if (state == TEENY_ENTRY_INTACT)
        teeny_entry_free(&within);
    else if (state == TEENY_ENTRY_DAMAGED)
        *problem = "a cubin in it is altered, incomplete or open to others";
    return 0;
}

/* With NULL as `key` it may be of any. */
static const char *problem_of(int level, const char *name, const char *key)
{
    teeny_entry entry;
    const char *problem = teeny_upkeep_distrust(level, name);
    if (problem)
        return problem;
    teeny_entry_state state = teeny_entry_examine(level, name, key, &entry);
    if (state != TEENY_ENTRY_INTACT)
        return state == TEENY_ENTRY_DAMAGED ? "it is altered or incomplete" : NULL;
    teeny_entry_free(&entry);
    int directory = teeny_private_directory_open(level, name, NULL);
    if (directory >= 0) {
        teeny_directory_walk(directory, check_within, &problem);
        close(directory);
    }
    return problem;
}

const char *teeny_upkeep_problem(const teeny_cache *cache, const teeny_survey_item *item)
{
    int level = teeny_cache_level(cache, item->level, false);
    if (level < 0)
        return NULL;
    teeny_cache_use *use = teeny_cache_use_begin(cache, item->level, item->key);
    const char *problem = problem_of(level, item->key, item->key);
    teeny_cache_use_end(use);
    close(level);
    return problem;
}

/* What an entry says about itself, unchecked. */
struct header {
    int64_t created;
    bool described; /* there is metadata */
    teeny_metadata metadata;
};

static void read_metadata(int entry, const teeny_manifest *manifest, struct header *header)
{
    static const char suffix[] = ".metadata";
    for (size_t i = 0; i < manifest->count; i++) {
        const char *name = manifest->files[i].name, *problem, *end = strrchr(name, '.');
        teeny_bytes text;
        if (!end || strcmp(end, suffix) != 0 ||
            teeny_file_read_private(entry, name, manifest->files[i].size, &text) != 0)
            continue;
        header->described = teeny_metadata_parse(text.data, text.size, &header->metadata, &problem);
        teeny_bytes_free(&text);
        return;
    }
}

static void read_header(
    const teeny_cache *cache, const teeny_survey_item *item, struct header *header)
{
    teeny_manifest manifest;
    int level = teeny_cache_level(cache, item->level, false);
    int entry = level < 0 ? -1 : teeny_private_directory_open(level, item->key, NULL);
    if (entry >= 0 && teeny_manifest_read(entry, item->key, &manifest) == 0) {
        header->created = manifest.created;
        read_metadata(entry, &manifest, header);
        teeny_manifest_free(&manifest);
    }
    if (entry >= 0)
        close(entry);
    if (level >= 0)
        close(level);
}

/* Who is told about entries. */
struct report {
    const teeny_cache *cache;
    teeny_cache_visitor *visitor;
    void *context;
};

static void tell(const struct report *report, const teeny_survey_item *item, const char *problem)
{
    struct header header = {0};
    teeny_string path = {0};
    if (item->key[0])
        read_header(report->cache, item, &header);
    teeny_string_format(
        &path, "%s/%s%s%s", report->cache->path, item->level, item->key[0] ? "/" : "", item->key);
    const teeny_cache_item told = {
        .path = teeny_string_text(&path),
        .kernel = header.described ? header.metadata.kernel : "?",
        .target = header.described ? header.metadata.target : "?",
        .compiler = item->level,
        .problem = problem,
        .bytes = item->bytes,
        .created = header.created,
        .used = item->used,
    };
    report->visitor(&told, report->context);
    if (header.described)
        teeny_metadata_free(&header.metadata);
    teeny_string_free(&path);
}

teeny_status teeny_cache_list(teeny_cache_visitor *visitor, void *context)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    teeny_cache cache;
    teeny_survey survey;
    if (!visitor)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_cache_list: visitor is NULL");
    teeny_status status = teeny_upkeep_open(&cache);
    if (status != TEENY_OK)
        return status;
    const struct report report = {&cache, visitor, context};
    if (teeny_survey_make(&cache, &survey)) {
        for (size_t i = 0; i < survey.count; i++)
            tell(&report, &survey.items[i], NULL);
        teeny_survey_free(&survey);
    } else {
        status = teeny_fail_memory();
    }
    teeny_cache_close(&cache);
    return status;
}

/* What lies in the place of a level, and is not looked into. */
static int verify_level(int directory, const char *name, void *context)
{
    const struct report *report = context;
    teeny_survey_item item = {0};
    if (!teeny_survey_is_level(name) && strcmp(name, TEENY_CACHE_COMPILERS) != 0)
        return 0;
    const char *problem = teeny_upkeep_distrust(directory, name);
    snprintf(item.level, sizeof item.level, "%s", name);
    if (problem)
        tell(report, &item, problem);
    return 0;
}

static int verify_answer(int level, const char *name, void *context)
{
    const struct report *report = context;
    teeny_survey_item item = {.level = TEENY_CACHE_COMPILERS};
    if (!teeny_survey_is_key(name))
        return 0;
    const char *problem = problem_of(level, name, NULL);
    snprintf(item.key, sizeof item.key, "%s", name);
    if (problem)
        tell(report, &item, problem);
    return 0;
}

static size_t verify(struct report *report, const teeny_survey *survey)
{
    teeny_directory_walk(report->cache->directory, verify_level, report);
    int compilers = teeny_cache_level(report->cache, TEENY_CACHE_COMPILERS, false);
    if (compilers >= 0) {
        teeny_directory_walk(compilers, verify_answer, report);
        close(compilers);
    }
    for (size_t i = 0; i < survey->count; i++) {
        const char *problem = teeny_upkeep_problem(report->cache, &survey->items[i]);
        if (problem)
            tell(report, &survey->items[i], problem);
    }
    return survey->count;
}

teeny_status teeny_cache_verify(teeny_cache_visitor *visitor, void *context, size_t *out_count)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    teeny_cache cache;
    teeny_survey survey;
    if (!visitor)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_cache_verify: visitor is NULL");
    teeny_status status = teeny_upkeep_open(&cache);
    if (status != TEENY_OK)
        return status;
    struct report report = {&cache, visitor, context};
    if (teeny_survey_make(&cache, &survey)) {
        size_t count = verify(&report, &survey);
        if (out_count)
            *out_count = count;
        teeny_survey_free(&survey);
    } else {
        status = teeny_fail_memory();
    }
    teeny_cache_close(&cache);
    return status;
}
