/* What is in the cache, entry by entry; see survey.h. */
#include "runtime/cache/survey.h"

#include "base/directory.h"
#include "runtime/cache/size.h"

#include <errno.h>
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

static int add_tree(int parent, const char *name, void *context)
{
    uint64_t *bytes = context;
    struct stat status;
    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return 0;
    *bytes += teeny_size_on_disk((uint64_t)status.st_size);
    int opened = S_ISDIR(status.st_mode) ? teeny_directory_open(parent, name) : -1;
    if (opened < 0)
        return 0;
    teeny_directory_walk(opened, add_tree, bytes);
    close(opened);
    return 0;
}

struct walk {
    const teeny_cache *cache;
    teeny_survey survey;
    const char *level;
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

static int visit_entry(int level, const char *name, void *context)
{
    struct walk *walk = context;
    struct stat status;
    if (!teeny_survey_is_key(name) || fstatat(level, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return 0;
    teeny_survey_item item = {
        .used = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec};
    snprintf(item.level, sizeof item.level, "%s", walk->level);
    memcpy(item.key, name, sizeof item.key);
    add_tree(level, name, &item.bytes);
    return add_item(&walk->survey, &item) ? 0 : ENOMEM;
}

/* A level that cannot be read is passed over; only where memory is out there is no survey. */
static int visit_level(int directory, const char *name, void *context)
{
    (void)directory;
    struct walk *walk = context;
    int level = teeny_survey_is_level(name) ? teeny_cache_level(walk->cache, name, false) : -1;
    if (level < 0)
        return 0;
    walk->level = name;
    int error = teeny_directory_walk(level, visit_entry, walk);
    close(level);
    return error == ENOMEM ? error : 0;
}

static int by_last_use(const void *a, const void *b)
{
    int64_t first = ((const teeny_survey_item *)a)->used;
    int64_t second = ((const teeny_survey_item *)b)->used;
    return (first > second) - (first < second);
}

bool teeny_survey_make(const teeny_cache *cache, teeny_survey *out_survey)
{
    struct walk walk = {.cache = cache};
    teeny_survey *survey = &walk.survey;
    if (cache->directory >= 0 &&
        teeny_directory_walk(cache->directory, visit_level, &walk) == ENOMEM) {
        teeny_survey_free(survey);
        return false;
    }
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
