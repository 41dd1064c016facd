/* See pack.h. A tl_tensor is several parameters of one name: base, shape, strides. */
#include "command/run/pack.h"

#include "command/command.h"

#include <stdio.h>
#include <string.h>

/* How many parameters from `index` on have its name. */
static int count_parts(const teeny_artifact *artifact, size_t index)
{
    teeny_parameter first, next;
    int parts = 1;
    teeny_artifact_parameter(artifact, index, &first);
    for (size_t i = index + 1; i < teeny_artifact_parameter_count(artifact); i++, parts++)
        if (teeny_artifact_parameter(artifact, i, &next) != TEENY_OK ||
            strcmp(next.name, first.name) != 0)
            break;
    return parts;
}

static int rank_of(int parts)
{
    return (parts - 1) / 2;
}

/* "x, a tl_tensor(f32, 2)" and the like. */
static const char *describe(const teeny_parameter *parameter, int parts, char *text, size_t size)
{
    if (strcmp(parameter->kind, "pointer") != 0)
        snprintf(text, size, "%s is a scalar, %s", parameter->name, parameter->kind);
    else if (parts == 1)
        snprintf(text, size, "%s is a pointer to %s", parameter->name, parameter->element);
    else
        snprintf(text, size, "%s is a tl_tensor(%s, %d)", parameter->name, parameter->element,
            rank_of(parts));
    return text;
}

static bool check_buffer(
    const argument *argument, const teeny_parameter *parameter, int parts, const char *described)
{
    const char *element = parameter->element[0] ? parameter->element : argument->element->name;
    if (strcmp(argument->element->name, element) != 0)
        return argument_refuse(argument->word, "%s", described);
    if (parts > 1 && argument->rank != rank_of(parts))
        return argument_refuse(argument->word, "%s, and not of %d", described, argument->rank);
    return true;
}

static bool check_scalar(argument *argument, const teeny_parameter *parameter)
{
    long double value;
    argument->element = element_find(parameter->kind, strlen(parameter->kind));
    if (!argument->element)
        return argument_refuse(argument->word, "a %s cannot be given", parameter->kind);
    if (!number_read(argument->scalar, &value))
        return argument_refuse(argument->word, "'%s' is no number", argument->scalar);
    if (argument->element->class != ELEMENT_FLOATING && !element_fits(argument->element, value))
        return argument_refuse(
            argument->word, "%s is no %s", argument->scalar, argument->element->name);
    return true;
}

static bool check_parameter(arguments *arguments, const teeny_parameter *parameter, int parts)
{
    char described[256];
    bool wants_buffer = strcmp(parameter->kind, "pointer") == 0;
    argument *argument = arguments_find(arguments, parameter->name);
    describe(parameter, parts, described, sizeof described);
    if (!argument) {
        command_usage("run", "parameter %s, and is not given", described);
        return false;
    }
    argument->is_used = true;
    if (argument_is_buffer(argument) != wants_buffer)
        return argument_refuse(argument->word, "%s", described);
    return wants_buffer ? check_buffer(argument, parameter, parts, described)
                        : check_scalar(argument, parameter);
}

bool arguments_check(arguments *arguments, const teeny_artifact *artifact)
{
    int parts;
    for (size_t i = 0; i < teeny_artifact_parameter_count(artifact); i += (size_t)parts) {
        teeny_parameter parameter;
        teeny_artifact_parameter(artifact, i, &parameter);
        parts = count_parts(artifact, i);
        if (!check_parameter(arguments, &parameter, parts))
            return false;
    }
    for (int i = 0; i < arguments->count; i++)
        if (!arguments->list[i].is_used)
            return argument_refuse(arguments->list[i].word, "the kernel has no such parameter");
    return true;
}

/* One of the parameters of an argument's name: number `part` of them. */
static void pack_part(const argument *argument, void *address, int part,
    const teeny_parameter *parameter, char *packed)
{
    void *at = packed + parameter->offset;
    long double value = 0;
    if (!argument_is_buffer(argument) && number_read(argument->scalar, &value))
        element_encode(argument->element, value, at);
    else if (part == 0)
        memcpy(at, &address, sizeof address);
    else if (part <= argument->rank)
        memcpy(at, &argument->shape[part - 1], sizeof argument->shape[0]);
    else
        memcpy(at, &argument->stride[part - 1 - argument->rank], sizeof argument->stride[0]);
}

void arguments_pack(const arguments *arguments, const teeny_artifact *artifact,
    void *const *addresses, void *out_packed)
{
    const argument *before = NULL;
    int part = 0;
    for (size_t i = 0; i < teeny_artifact_parameter_count(artifact); i++) {
        teeny_parameter parameter;
        teeny_artifact_parameter(artifact, i, &parameter);
        const argument *argument = arguments_find(arguments, parameter.name);
        if (!argument)
            continue;
        part = argument == before ? part + 1 : 0;
        before = argument;
        pack_part(argument, addresses[argument - arguments->list], part, &parameter, out_packed);
    }
}
