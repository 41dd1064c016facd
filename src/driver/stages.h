/* The stages of a compilation: what --emit prints and --override replaces. */
#ifndef TEENY_DRIVER_STAGES_H
#define TEENY_DRIVER_STAGES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum stage {
#define STAGE(name, targets, summary) STAGE_##name,
#include "driver/stages.def"
#undef STAGE
    STAGE_COUNT,
} stage;

/* The kinds of targets that have a stage, one bit each. */
typedef enum stage_targets {
    STAGE_CUDA = 1,
    STAGE_EMU = 2,
    STAGE_CPU = 4,
    STAGE_GPU = STAGE_CUDA | STAGE_EMU,
    STAGE_HOST = STAGE_EMU | STAGE_CPU,
    STAGE_ANY = STAGE_CUDA | STAGE_EMU | STAGE_CPU,
} stage_targets;

typedef struct stage_info {
    const char *name;
    stage_targets targets;
    const char *summary;
} stage_info;

extern const stage_info stages[STAGE_COUNT];

/* STAGE_COUNT where there is none of this name. */
stage stage_find(const char *name, size_t length);

#endif
