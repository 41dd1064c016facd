/* How long a launch takes. */
#ifndef TEENY_COMMAND_RUN_TIMING_H
#define TEENY_COMMAND_RUN_TIMING_H

#include "command/run/trial.h"

/* Launches again and again, and prints median and fastest; with `bytes` not 0 also how many of them
 * a launch moves in a second. False after a message. */
bool timing_run(trial *trial, long warm_up, long times, double bytes);

#endif
