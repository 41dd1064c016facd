/* Gives a captured one-line text its real lines back. */
#ifndef TEENY_FRONTEND_REALIGN_H
#define TEENY_FRONTEND_REALIGN_H

#include "base/arena.h"
#include "frontend/captures.h"

/* Remembers the last file that was looked at: the pieces of one file follow each other. */
typedef struct realigner {
    arena *arena;
    const char *file_name; /* NULL: none yet */
    const capture *captures;
} realigner;

/* Where `capture` stands behind a #line, looks for the same macro with the same tokens in the file
 * that it names, and takes result, parameters and body from there. META stays as captured, since
 * its macros were expanded. Leaves the capture as it is where the file is gone or has changed. */
void realign_capture(realigner *realigner, capture *capture);

#endif
