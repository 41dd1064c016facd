/* The table of stages.h. */
#include "driver/stages.h"

#include <string.h>

const stage_info stages[STAGE_COUNT] = {
#define STAGE(name, targets, summary) [STAGE_##name] = {#name, STAGE_##targets, summary},
#include "driver/stages.def"
#undef STAGE
};

stage stage_find(const char *name, size_t length)
{
    for (int i = 0; i < STAGE_COUNT; i++)
        if (strlen(stages[i].name) == length && memcmp(stages[i].name, name, length) == 0)
            return (stage)i;
    return STAGE_COUNT;
}
