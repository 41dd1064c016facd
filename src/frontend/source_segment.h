/* A run of the assembled text that was copied from a file. */
#ifndef TEENY_FRONTEND_SOURCE_SEGMENT_H
#define TEENY_FRONTEND_SOURCE_SEGMENT_H

#include "frontend/captures.h"

typedef struct source_segment {
    size_t begin; /* in the assembled text */
    source_slice slice;
} source_segment;

#endif
