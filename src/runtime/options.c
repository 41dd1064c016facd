/* From options to teenyc's arguments; see options.h. What a name or value means is teenyc's to say:
 * here only what could not be a name or value at all is refused. */
#include "runtime/options.h"

#include "base/environment.h"
#include "base/string_builder.h"
#include "runtime/report.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The longest list: --kernel, --target, --num-warps, --num-stages, --ptx-version, --specialise and
 * --emit with their values, --debug, two for each meta and type, and the NULL. */
enum { ARGUMENT_LIMIT = 15 + 2 * (TEENY_META_LIMIT + TEENY_TYPE_LIMIT) + 1 };

struct list {
    char **arguments;
    size_t count;
    bool failed;
};

static void add(struct list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct list *list, const char *format, ...)
{
    teeny_string text = {0};
    va_list values;
    va_start(values, format);
    teeny_string_format_list(&text, format, values);
    va_end(values);
    char *argument = teeny_string_take(&text);
    list->failed |= !argument;
    if (argument)
        list->arguments[list->count++] = argument;
}

static bool is_word(const char *text, const char *further)
{
    for (const char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr(further, *at))
            return false;
    return text[0] != '\0';
}

static bool is_identifier(const char *text)
{
    return is_word(text, "_") && !isdigit((unsigned char)text[0]);
}

static int compare_metas(const void *a, const void *b)
{
    return strcmp(((const teeny_meta_value *)a)->name, ((const teeny_meta_value *)b)->name);
}

static int compare_types(const void *a, const void *b)
{
    return strcmp(((const teeny_type_choice *)a)->name, ((const teeny_type_choice *)b)->name);
}

static teeny_status add_metas(const teeny_options *options, struct list *list)
{
    teeny_meta_value sorted[TEENY_META_LIMIT];
    size_t count = 0;
    for (; count < TEENY_META_LIMIT && options->meta[count].name; count++) {
        sorted[count] = options->meta[count];
        if (!is_identifier(sorted[count].name))
            return teeny_fail(
                TEENY_OPTION_INVALID, "`%s` cannot be the name of a meta", sorted[count].name);
    }
    qsort(sorted, count, sizeof sorted[0], compare_metas);
    for (size_t i = 0; i < count; i++) {
        if (i && strcmp(sorted[i].name, sorted[i - 1].name) == 0)
            return teeny_fail(TEENY_OPTION_INVALID, "meta %s is set twice", sorted[i].name);
        add(list, "-D");
        add(list, "%s=%" PRId64, sorted[i].name, sorted[i].value);
    }
    return TEENY_OK;
}

static teeny_status add_types(const teeny_options *options, struct list *list)
{
    teeny_type_choice sorted[TEENY_TYPE_LIMIT];
    size_t count = 0;
    for (; count < TEENY_TYPE_LIMIT && options->types[count].name; count++) {
        sorted[count] = options->types[count];
        if (!is_identifier(sorted[count].name))
            return teeny_fail(
                TEENY_OPTION_INVALID, "`%s` cannot be the name of a type", sorted[count].name);
        if (!sorted[count].type || !is_identifier(sorted[count].type))
            return teeny_fail(TEENY_OPTION_INVALID, "type %s is given no element type such as f16",
                sorted[count].name);
    }
    qsort(sorted, count, sizeof sorted[0], compare_types);
    for (size_t i = 0; i < count; i++) {
        if (i && strcmp(sorted[i].name, sorted[i - 1].name) == 0)
            return teeny_fail(TEENY_OPTION_INVALID, "type %s is chosen twice", sorted[i].name);
        add(list, "--type");
        add(list, "%s=%s", sorted[i].name, sorted[i].type);
    }
    return TEENY_OK;
}

static teeny_status add_number(struct list *list, const char *option, int value)
{
    if (value < 0)
        return teeny_fail(TEENY_OPTION_INVALID, "%s is %d, which is negative", option, value);
    if (value > 0) {
        add(list, "--%s", option);
        add(list, "%d", value);
    }
    return TEENY_OK;
}

static teeny_status add_ptx_version(struct list *list, const char *version)
{
    if (!version)
        return TEENY_OK;
    if (!is_word(version, "."))
        return teeny_fail(TEENY_OPTION_INVALID, "`%s` is no version of PTX such as 8.2", version);
    add(list, "--ptx-version");
    add(list, "%s", version);
    return TEENY_OK;
}

bool teeny_options_debug(const teeny_options *options)
{
    return options->debug || teeny_environment_is_on(TEENY_VARIABLE_TEENY_DEBUG);
}

/* Only code that the host runs has a debugger: a GPU's is the same with and without. */
static void add_debug(const teeny_options *options, const char *object, struct list *list)
{
    if (teeny_options_debug(options) && strcmp(object, "image") == 0)
        add(list, "--debug");
}

static teeny_status add_stages(struct list *list, const char *object, const char *keep)
{
    if (keep && !is_word(keep, ","))
        return teeny_fail(
            TEENY_OPTION_INVALID, "`%s` is no list of stages to keep, such as ttgir,llir", keep);
    add(list, "--emit");
    add(list, "ttir,%s,metadata%s%s", object, keep ? "," : "", keep ? keep : "");
    return TEENY_OK;
}

static void add_specialise(struct list *list, const char *specialise)
{
    if (!specialise)
        return;
    add(list, "--specialise");
    add(list, "%s", specialise);
}

static teeny_status add_all(const teeny_options *options, const char *kernel, const char *target,
    const char *object, const char *specialise, struct list *list)
{
    if (!is_identifier(kernel))
        return teeny_fail(TEENY_INVALID_ARGUMENT, "`%s` cannot be the name of a kernel", kernel);
    add(list, "--kernel");
    add(list, "%s", kernel);
    add(list, "--target");
    add(list, "%s", target);
    teeny_status status = add_metas(options, list);
    if (status == TEENY_OK)
        status = add_types(options, list);
    if (status == TEENY_OK)
        status = add_number(list, "num-warps", options->num_warps);
    if (status == TEENY_OK)
        status = add_number(list, "num-stages", options->num_stages);
    if (status == TEENY_OK)
        status = add_ptx_version(list, options->ptx_version);
    if (status == TEENY_OK)
        add_debug(options, object, list);
    if (status == TEENY_OK)
        status = add_stages(list, object, options->keep);
    if (status == TEENY_OK)
        add_specialise(list, specialise);
    return status == TEENY_OK && list->failed ? teeny_fail_memory() : status;
}

teeny_status teeny_options_arguments(const teeny_options *options, const char *kernel,
    const char *target, const char *object, const char *specialise, char ***out_arguments,
    size_t *out_count)
{
    struct list list = {.arguments = calloc(ARGUMENT_LIMIT, sizeof *list.arguments)};
    if (!list.arguments)
        return teeny_fail_memory();
    teeny_status status = add_all(options, kernel, target, object, specialise, &list);
    if (status != TEENY_OK) {
        teeny_arguments_free(list.arguments);
        return status;
    }
    *out_arguments = list.arguments;
    *out_count = list.count;
    return TEENY_OK;
}

void teeny_arguments_free(char **arguments)
{
    for (size_t i = 0; arguments && arguments[i]; i++)
        free(arguments[i]);
    free(arguments);
}

/* ---- Copies ---------------------------------------------------------------------------------- */

/* Every string of the options, through `use`: first to count bytes, then to move them. */
typedef void use_string(const char **string, void *user);

static void count_bytes(const char **string, void *user)
{
    size_t *bytes = user;
    *bytes += *string ? strlen(*string) + 1 : 0;
}

static void move_string(const char **string, void *user)
{
    char **at = user;
    if (!*string)
        return;
    size_t size = strlen(*string) + 1;
    *string = memcpy(*at, *string, size);
    *at += size;
}

static void for_each_string(teeny_options *options, use_string *use, void *user)
{
    use(&options->target, user);
    use(&options->ptx_version, user);
    use(&options->keep, user);
    use(&options->do_not_specialise, user);
    for (size_t i = 0; i < TEENY_META_LIMIT && options->meta[i].name; i++)
        use(&options->meta[i].name, user);
    for (size_t i = 0; i < TEENY_TYPE_LIMIT && options->types[i].name; i++) {
        use(&options->types[i].name, user);
        use(&options->types[i].type, user);
    }
}

teeny_options *teeny_options_copy(const teeny_options *options)
{
    teeny_options counted = *options;
    size_t bytes = 0;
    for_each_string(&counted, count_bytes, &bytes);
    teeny_options *copy = malloc(sizeof *copy + bytes);
    if (!copy)
        return NULL;
    *copy = *options;
    char *at = (char *)(copy + 1);
    for_each_string(copy, move_string, &at);
    return copy;
}
