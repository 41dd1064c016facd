/* Which of a thread's registers hold the same element of a tile, by what is known of its elements.
 */
#ifndef TEENY_ANALYSIS_CONSTANT_REGISTERS_H
#define TEENY_ANALYSIS_CONSTANT_REGISTERS_H

#include "analysis/axis_facts.h"

/* A mask of bits of a register's number that change nothing: register r holds the value of register
 * r & ~mask, in every thread. */
uint32_t constant_registers(const struct axis_facts *facts, const struct linear_layout *layout);

#endif
