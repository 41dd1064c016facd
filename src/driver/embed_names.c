/* See embed_names.h. */
#include "driver/embed_names.h"

#include <stdio.h>
#include <string.h>

/* What C has as a plain name and C++ does not; the header is for both. */
static const char *const cxx_words[] = {"alignas", "alignof", "and", "and_eq", "asm", "bitand",
    "bitor", "bool", "catch", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return",
    "co_yield", "compl", "concept", "const_cast", "consteval", "constexpr", "constinit", "decltype",
    "delete", "dynamic_cast", "explicit", "export", "false", "friend", "mutable", "namespace",
    "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private",
    "protected", "public", "reinterpret_cast", "requires", "static_assert", "static_cast",
    "template", "this", "thread_local", "throw", "true", "try", "typeid", "typename", "using",
    "virtual", "wchar_t", "xor", "xor_eq"};

/* The launch function's own parameters. */
static const char *const launch_words[] = {"stream", "grid"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_in(const char *const *words, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return false;
}

static bool is_cxx_word(const char *name)
{
    return is_in(cxx_words, COUNT(cxx_words), name);
}

static bool is_teeny_s(const char *name)
{
    return strcmp(name, "teeny") == 0 || strncmp(name, "teeny_", 6) == 0;
}

/* ---- Parameters ------------------------------------------------------------------------------ */

static bool has_parameter(const ast_function *tree, const char *name)
{
    for (size_t i = 0; i < tree->num_parameters; i++)
        if (strcmp(tree->parameters[i]->name, name) == 0)
            return true;
    return false;
}

static const char *parameter_name(arena *arena, const ast_function *tree, const char *name)
{
    if (!is_cxx_word(name) && !is_in(launch_words, COUNT(launch_words), name))
        return name;
    do
        name = arena_format(arena, "%s_", name);
    while (is_cxx_word(name) || has_parameter(tree, name));
    return name;
}

const char **embed_parameter_names(arena *arena, const ast_function *tree)
{
    const char **names = arena_array(arena, const char *, tree->num_parameters);
    for (size_t i = 0; i < tree->num_parameters; i++)
        names[i] = parameter_name(arena, tree, tree->parameters[i]->name);
    return names;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static bool refuse(const embedded_kernel *kernel, const char *what, const char *name)
{
    fprintf(stderr, "teenyc: --emit c: kernel '%s': ", kernel->name);
    fprintf(stderr, what, name);
    fputc('\n', stderr);
    return false;
}

/* One name at file scope. */
typedef struct scope_name {
    const char *name;
    const struct scope_name *next;
} scope_name;

static bool add_name(
    arena *arena, const embedded_kernel *kernel, const char *end, const scope_name **names)
{
    const char *name = arena_format(arena, "%s_%s", kernel->c_name, end);
    if (is_cxx_word(name))
        return refuse(kernel, "'%s' would be a name in C, and is a keyword of C++", name);
    for (const scope_name *each = *names; each; each = each->next)
        if (strcmp(each->name, name) == 0)
            return refuse(kernel, "'%s' would be the name of two things in C", name);
    scope_name *added = arena_new(arena, scope_name);
    *added = (scope_name){name, *names};
    *names = added;
    return true;
}

static bool check_kernel(arena *arena, const embedded_kernel *kernel, const scope_name **names)
{
    const ast_function *tree = kernel->tree;
    static const char reserved[] = "the name '%s' is libteeny's";
    if (is_teeny_s(kernel->c_name))
        return refuse(kernel, reserved, kernel->c_name);
    for (size_t i = 0; i < tree->num_parameters; i++)
        if (is_teeny_s(tree->parameters[i]->name))
            return refuse(kernel, reserved, tree->parameters[i]->name);
    bool is_right = add_name(arena, kernel, "launch", names);
    for (size_t i = 0; is_right && i < tree->num_metas; i++)
        is_right = add_name(arena, kernel, tree->metas[i].name, names);
    return is_right;
}

bool embed_check_names(arena *arena, const embedded_kernel *kernels)
{
    const scope_name *names = NULL;
    for (const embedded_kernel *kernel = kernels; kernel; kernel = kernel->next)
        if (!check_kernel(arena, kernel, &names))
            return false;
    return true;
}
