/* What is in the cache, entry by entry; see survey.h. */
#define _GNU_SOURCE 1 /* O_NOFOLLOW */
#include "runtime/cache/survey.h"

#include "runtime/cache/size.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEXADECIMAL "0123456789abcdef"

enum { KEY_LENGTH = 32, LEVEL_LENGTH = 64 };

bool teeny_survey_is_level(const char *name)
{
    size_t length = strspn(name, HEXADECIMAL);
    return (length > 0 && length <= LEVEL_LENGTH && !name[length]) ||
           strcmp(name, TEENY_CACHE_EMBEDDED) == 0;
}

bool teeny_survey_is_key(const char *name)
{
    return strspn(name, HEXADECIMAL) == KEY_LENGTH && !name[KEY_LENGTH];
}

void teeny_survey_names(
    int directory, void (*visit)(int directory, const char *name, void *context), void *context)
{
    int opened = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = opened >= 0 ? fdopendir(opened) : NULL;
    for (struct dirent *entry; stream && (entry = readdir(stream));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            visit(directory, entry->d_name, context);
    if (stream)
        closedir(stream);
    else if (opened >= 0)
        close(opened);
}

static void add_tree(int parent, const char *name, void *context)
{
    uint64_t *bytes = context;
    struct stat status;
    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    *bytes += teeny_size_on_disk((uint64_t)status.st_size);
    if (!S_ISDIR(status.st_mode))
        return;
    int opened = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (opened < 0)
        return;
    teeny_survey_names(opened, add_tree, bytes);
    close(opened);
}

struct walk {
    teeny_survey survey;
    const char *level;
    bool failed;
};

static bool add_item(teeny_survey *survey, const teeny_survey_item *item)
{
    if ((survey->count & (survey->count - 1)) == 0) {
        size_t capacity = survey->count ? 2 * survey->count : 1;
        teeny_survey_item *grown = realloc(survey->items, capacity * sizeof *grown);
        if (!grown)
            return false;
        survey->items = grown;
    }
    survey->items[survey->count++] = *item;
    survey->bytes += item->bytes;
    return true;
}

static void visit_entry(int level, const char *name, void *context)
{
    struct walk *walk = context;
    struct stat status;
    if (walk->failed || !teeny_survey_is_key(name) ||
        fstatat(level, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    teeny_survey_item item = {
        .used = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec};
    snprintf(item.level, sizeof item.level, "%s", walk->level);
    memcpy(item.key, name, sizeof item.key);
    add_tree(level, name, &item.bytes);
    walk->failed = !add_item(&walk->survey, &item);
}

static void visit_level(const teeny_cache *cache, const char *name, struct walk *walk)
{
    if (!teeny_survey_is_level(name))
        return;
    int level = teeny_cache_level(cache, name, false);
    if (level < 0)
        return;
    walk->level = name;
    teeny_survey_names(level, visit_entry, walk);
    close(level);
}

struct root {
    const teeny_cache *cache;
    struct walk walk;
};

static void visit_root(int directory, const char *name, void *context)
{
    (void)directory;
    struct root *root = context;
    visit_level(root->cache, name, &root->walk);
}

static int by_last_use(const void *a, const void *b)
{
    int64_t first = ((const teeny_survey_item *)a)->used;
    int64_t second = ((const teeny_survey_item *)b)->used;
    return (first > second) - (first < second);
}

bool teeny_survey_make(const teeny_cache *cache, teeny_survey *out_survey)
{
    struct root root = {.cache = cache};
    if (cache->directory >= 0)
        teeny_survey_names(cache->directory, visit_root, &root);
    if (root.walk.failed) {
        teeny_survey_free(&root.walk.survey);
        return false;
    }
    teeny_survey *survey = &root.walk.survey;
    if (survey->count)
        qsort(survey->items, survey->count, sizeof *survey->items, by_last_use);
    *out_survey = *survey;
    return true;
}

void teeny_survey_free(teeny_survey *survey)
{
    free(survey->items);
    *survey = (teeny_survey){0};
}
