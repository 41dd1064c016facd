/* Which arguments a launch may know something about, and what it knows about them. */
#ifndef TEENY_RUNTIME_SPECIALISATION_H
#define TEENY_RUNTIME_SPECIALISATION_H

#include "runtime/metadata.h"

#include <teeny/status.h>

enum { TEENY_SPECIALISED_LIMIT = 32 }; /* parameters; those behind are never looked at */

/* Two bits a parameter: nothing known, a multiple of 16, or 1. All zero: the code that fits any. */
typedef uint64_t teeny_signature;

typedef struct teeny_specialised {
    uint32_t offset; /* in the packed struct */
    uint8_t bytes;
    uint8_t position; /* of the parameter */
    bool is_pointer;
} teeny_specialised;

typedef struct teeny_specialisation {
    unsigned count;
    teeny_specialised parameters[TEENY_SPECIALISED_LIMIT];
} teeny_specialisation;

/* The pointers and the integers of 32 and 64 bits among the parameters, without those that
 * `exempt` lists by position ("0,3", "*" for all; NULL: none). Errors: TEENY_OPTION_INVALID. */
teeny_status teeny_specialisation_make(
    const teeny_metadata *metadata, const char *exempt, teeny_specialisation *out_specialisation);

/* What is known about packed arguments. */
teeny_signature teeny_signature_of(
    const teeny_specialisation *specialisation, const void *arguments);

/* As teenyc's option --specialise: "0=16,3=1". The caller frees it; NULL where memory is out. */
char *teeny_signature_text(const teeny_specialisation *specialisation, teeny_signature signature);

/* Whether all that `facts` says, written in the same way, is known. */
bool teeny_signature_implies(
    const teeny_specialisation *specialisation, teeny_signature signature, const char *facts);

/* Leaves only the parameters that `is_kept` takes. */
void teeny_specialisation_keep(teeny_specialisation *specialisation,
    bool (*is_kept)(unsigned position, const void *user), const void *user);

/* Reads one fact and moves on behind it and its comma: position and number. False at the end, and
 * where there is none. */
bool teeny_fact_read(const char **facts, unsigned *out_position, unsigned long *out_number);

#endif
