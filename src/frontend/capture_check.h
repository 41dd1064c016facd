/* What a capture's text may not hold, because host compilers would read it in another way. */
#ifndef TEENY_FRONTEND_CAPTURE_CHECK_H
#define TEENY_FRONTEND_CAPTURE_CHECK_H

#include "frontend/captures.h"

/* Reports it; `macro` is how the capture's macro is spelled. The capture is not realigned yet. */
void capture_check(
    arena *arena, diagnostics *diagnostics, const capture *capture, const char *macro);

#endif
