/* What listing and cleaning the cache share; the public side is in teeny/cache.h. */
#ifndef TEENY_RUNTIME_CACHE_UPKEEP_H
#define TEENY_RUNTIME_CACHE_UPKEEP_H

#include "runtime/cache/survey.h"

/* teeny_cache_look, but a cache that cannot be used is TEENY_IO_FAILED. One that is not there yet
 * is empty: its `directory` is -1. */
teeny_status teeny_upkeep_open(teeny_cache *out_cache);

/* Why a directory is not trusted, as a phrase; NULL where it is, or is not there. */
const char *teeny_upkeep_distrust(int parent, const char *name);

/* The same for an entry, whose content is read too. */
const char *teeny_upkeep_problem(const teeny_cache *cache, const teeny_survey_item *item);

#endif
