/* See specialisation.h. */
#include "runtime/specialisation.h"

#include "base/string_builder.h"
#include "runtime/report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { KNOWN_NOTHING, KNOWN_MULTIPLE, KNOWN_ONE, BITS_EACH = 2, DIVISOR = 16 };

/* ---- Which parameters ------------------------------------------------------------------------ */

static bool is_pointer(const teeny_parameter *parameter)
{
    return strcmp(parameter->kind, "pointer") == 0;
}

/* Narrower integers make no addresses. */
static bool is_wide_integer(const teeny_parameter *parameter)
{
    return (parameter->kind[0] == 'i' || parameter->kind[0] == 'u') &&
           (parameter->bytes == 4 || parameter->bytes == 8);
}

static void add(
    teeny_specialisation *specialisation, const teeny_parameter *parameter, size_t position)
{
    if (specialisation->count == TEENY_SPECIALISED_LIMIT || position > UINT8_MAX)
        return;
    if (!is_pointer(parameter) && !is_wide_integer(parameter))
        return;
    specialisation->parameters[specialisation->count++] = (teeny_specialised){
        .offset = (uint32_t)parameter->offset,
        .bytes = (uint8_t)parameter->bytes,
        .position = (uint8_t)position,
        .is_pointer = is_pointer(parameter),
    };
}

static teeny_status fail_exempt(const char *exempt, size_t count)
{
    return teeny_fail(TEENY_OPTION_INVALID,
        "do_not_specialise is `%s`: it takes positions below %zu, separated by commas, or `*`",
        exempt, count);
}

/* Marks the positions of the list. False where it is no such list. */
static bool read_exempt(const char *exempt, size_t count, bool *out_exempt)
{
    if (strcmp(exempt, "*") == 0) {
        memset(out_exempt, true, count);
        return true;
    }
    for (const char *at = exempt;; at++) {
        char *end;
        if (!isdigit((unsigned char)*at))
            return false;
        unsigned long position = strtoul(at, &end, 10);
        if (position >= count || (*end && *end != ','))
            return false;
        out_exempt[position] = true;
        if (!*end)
            return true;
        at = end;
    }
}

teeny_status teeny_specialisation_make(
    const teeny_metadata *metadata, const char *exempt, teeny_specialisation *out_specialisation)
{
    teeny_specialisation specialisation = {0};
    size_t count = metadata->parameter_count;
    bool *is_exempt = calloc(count + 1, sizeof *is_exempt);
    if (!is_exempt)
        return teeny_fail_memory();
    bool is_right = !exempt || read_exempt(exempt, count, is_exempt);
    for (size_t i = 0; is_right && i < count; i++)
        if (!is_exempt[i])
            add(&specialisation, &metadata->parameters[i], i);
    free(is_exempt);
    if (!is_right)
        return fail_exempt(exempt, count);
    *out_specialisation = specialisation;
    return TEENY_OK;
}

/* ---- What is known --------------------------------------------------------------------------- */

static uint64_t read_argument(const teeny_specialised *parameter, const void *arguments)
{
    const char *at = (const char *)arguments + parameter->offset;
    uint32_t narrow;
    uint64_t wide;
    if (parameter->bytes == sizeof narrow) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

teeny_signature teeny_signature_of(
    const teeny_specialisation *specialisation, const void *arguments)
{
    teeny_signature signature = 0;
    for (unsigned i = 0; i < specialisation->count; i++) {
        const teeny_specialised *parameter = &specialisation->parameters[i];
        uint64_t value = read_argument(parameter, arguments);
        uint64_t known = value % DIVISOR == 0 ? KNOWN_MULTIPLE : KNOWN_NOTHING;
        if (value == 1 && !parameter->is_pointer)
            known = KNOWN_ONE;
        signature |= known << (BITS_EACH * i);
    }
    return signature;
}

char *teeny_signature_text(const teeny_specialisation *specialisation, teeny_signature signature)
{
    teeny_string text = {0};
    for (unsigned i = 0; i < specialisation->count; i++) {
        unsigned known = signature >> (BITS_EACH * i) & 3;
        if (known != KNOWN_NOTHING)
            teeny_string_format(&text, "%s%u=%d", text.length ? "," : "",
                specialisation->parameters[i].position, known == KNOWN_ONE ? 1 : DIVISOR);
    }
    return teeny_string_take(&text);
}

/* ---- What code was made for ------------------------------------------------------------------ */

bool teeny_fact_read(const char **facts, unsigned *out_position, unsigned long *out_number)
{
    char *end;
    if (!isdigit((unsigned char)**facts))
        return false;
    *out_position = (unsigned)strtoul(*facts, &end, 10);
    if (*end != '=' || !isdigit((unsigned char)end[1]))
        return false;
    *out_number = strtoul(end + 1, &end, 10);
    *facts = *end == ',' ? end + 1 : end;
    return *end == ',' || *end == '\0';
}

/* A number of 16 or one that divides it; 1 is the value itself. */
static bool is_known(const teeny_specialisation *specialisation, teeny_signature signature,
    unsigned position, unsigned long number)
{
    for (unsigned i = 0; i < specialisation->count; i++) {
        if (specialisation->parameters[i].position != position)
            continue;
        unsigned known = signature >> (BITS_EACH * i) & 3;
        if (number == 1)
            return known == KNOWN_ONE;
        return known == KNOWN_MULTIPLE && number && DIVISOR % number == 0;
    }
    return false;
}

bool teeny_signature_implies(
    const teeny_specialisation *specialisation, teeny_signature signature, const char *facts)
{
    unsigned position;
    unsigned long number;
    while (*facts) {
        if (!teeny_fact_read(&facts, &position, &number) ||
            !is_known(specialisation, signature, position, number))
            return false;
    }
    return true;
}

void teeny_specialisation_keep(teeny_specialisation *specialisation,
    bool (*is_kept)(unsigned position, const void *user), const void *user)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < specialisation->count; i++)
        if (is_kept(specialisation->parameters[i].position, user))
            specialisation->parameters[kept++] = specialisation->parameters[i];
    specialisation->count = kept;
}
