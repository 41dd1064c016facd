/* What is known about every integer and pointer of a function: contiguity, divisibility, constancy
 * (see axis_facts.h).
 *
 * Nothing is assumed: facts come from constants, ranges, and what the attribute
 * `tt.divisibility = N : i32` says about an argument (N divides it; of a pointer, its address).
 * Works on tt and ttg, with structured control flow or with blocks.
 */
#ifndef TEENY_ANALYSIS_AXIS_INFO_H
#define TEENY_ANALYSIS_AXIS_INFO_H

#include "analysis/axis_facts.h"
#include "base/arena.h"

struct axis_info;

/* Analyses a tt.func. Lives in the arena; stale for what changes afterwards. */
struct axis_info *axis_info_create(arena *arena, MlirOperation function);

/* The facts about a value of the function; nothing known about one that cannot be reached. */
struct axis_facts axis_info_get(const struct axis_info *info, MlirValue value);

#endif
