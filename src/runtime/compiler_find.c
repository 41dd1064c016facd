/* Where teenyc is; see compiler.h.
 *
 * The installed prefix is where the running code is: beside libteeny.so, or, where libteeny is part
 * of the program, around the program's directory. So a prefix that was moved is still one. Only
 * where there are no toolchains is it the prefix that libteeny was configured with.
 */
#define _GNU_SOURCE 1 /* dladdr */
#include "runtime/compiler.h"

#include "base/environment.h"
#include "runtime/report.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRAM "teenyc"
#define TOOLCHAINS "teeny/toolchains" /* in a prefix's library directory */
#define INSTALLED_TOOLCHAINS TEENY_INSTALL_PREFIX "/" TEENY_INSTALL_LIBDIR "/" TOOLCHAINS

/* What a search saw, for the message, and what it found. */
struct search {
    teeny_string seen; /* lines */
    teeny_string found;
    size_t count;
};

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static void look_at_toolchain(struct search *search, const char *directory, const char *name)
{
    teeny_string path = {0};
    teeny_string_format(&path, "%s/%s/bin/" PROGRAM, directory, name);
    bool program = is_program(teeny_string_text(&path));
    teeny_string_format(&search->seen, "  %s%s\n", teeny_string_text(&path),
        program ? "" : ": not an executable file");
    if (program && search->count++ == 0)
        teeny_string_add(&search->found, teeny_string_text(&path));
    teeny_string_free(&path);
}

static void look_into_toolchains(struct search *search, const char *directory)
{
    DIR *stream = opendir(directory);
    if (!stream) {
        teeny_string_format(&search->seen, "  %s: %s\n", directory, strerror(errno));
        return;
    }
    size_t named = 0;
    for (struct dirent *entry; (entry = readdir(stream));) {
        if (!strstr(entry->d_name, PROGRAM))
            continue;
        named++;
        look_at_toolchain(search, directory, entry->d_name);
    }
    closedir(stream);
    if (!named)
        teeny_string_format(
            &search->seen, "  %s: nothing with `" PROGRAM "` in its name\n", directory);
}

/* Takes the last part off a path. False where there is none. */
static bool leave_directory(teeny_string *path)
{
    char *slash = path->data ? strrchr(path->data, '/') : NULL;
    if (!slash)
        return false;
    *slash = '\0';
    path->length = (size_t)(slash - path->data);
    return true;
}

/* Beside libteeny.so. The program's own name is not the loader's but what its caller likes to say,
 * and one that is not absolute depends on where the host happens to be. */
static bool find_beside_library(teeny_string *path)
{
    static const char here;
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP) || !map || map->l_name[0] != '/')
        return false;
    teeny_string_add(path, map->l_name);
    return leave_directory(path);
}

/* PREFIX/LIBDIR of a program PREFIX/bin/NAME. */
static bool find_around_program(teeny_string *path)
{
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    if (length <= 0 || (size_t)length == sizeof program)
        return false;
    teeny_string_append(path, program, (size_t)length);
    for (int i = 0; i < 2; i++)
        if (!leave_directory(path))
            return false;
    teeny_string_add(path, "/" TEENY_INSTALL_LIBDIR);
    return true;
}

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void look_into_installed_toolchains(struct search *search)
{
    static bool (*const find[])(teeny_string *path) = {find_beside_library, find_around_program};
    for (size_t i = 0; i < sizeof find / sizeof find[0]; i++) {
        teeny_string path = {0};
        bool is_there = find[i](&path);
        teeny_string_add(&path, "/" TOOLCHAINS);
        is_there = is_there && is_directory(teeny_string_text(&path));
        if (is_there)
            look_into_toolchains(search, path.data);
        teeny_string_free(&path);
        if (is_there)
            return;
    }
    look_into_toolchains(search, INSTALLED_TOOLCHAINS);
}

static void look_into_user_toolchains(struct search *search)
{
    const char *data = teeny_environment(TEENY_VARIABLE_XDG_DATA_HOME);
    const char *home = teeny_environment(TEENY_VARIABLE_HOME);
    teeny_string directory = {0};
    if (data && data[0] == '/')
        teeny_string_format(&directory, "%s/teeny/toolchains", data);
    else if (home)
        teeny_string_format(&directory, "%s/.local/share/teeny/toolchains", home);
    if (directory.length)
        look_into_toolchains(search, directory.data);
    teeny_string_free(&directory);
}

/* Relative parts of PATH are passed over: what they mean depends on where the host happens to be.
 */
static void look_into_path(struct search *search)
{
    const char *at = teeny_environment(TEENY_VARIABLE_PATH);
    teeny_string_format(&search->seen, "  PATH, which is %s\n", at ? at : "not set");
    while (at && search->count == 0) {
        size_t length = strcspn(at, ":");
        teeny_string path = {0};
        teeny_string_append(&path, at, length);
        teeny_string_add(&path, "/" PROGRAM);
        if (at[0] == '/' && is_program(teeny_string_text(&path))) {
            teeny_string_add(&search->found, path.data);
            search->count++;
        }
        teeny_string_free(&path);
        at = at[length] ? at + length + 1 : NULL;
    }
}

static teeny_status conclude(struct search *search, char **out_path)
{
    if (search->count == 0)
        return teeny_fail(TEENY_COMPILER_NOT_FOUND,
            "no " PROGRAM " was found; TEENYC_PATH is not set, and this was looked at:\n%s"
            "Install a toolchain in one of these places, or set TEENYC_PATH.",
            teeny_string_text(&search->seen));
    if (search->count > 1)
        return teeny_fail(TEENY_COMPILER_AMBIGUOUS,
            "there are %zu toolchains with `" PROGRAM "` in their names:\n%s"
            "Set TEENYC_PATH to the one to use, or remove the others.",
            search->count, teeny_string_text(&search->seen));
    char *path = teeny_string_take(&search->found);
    if (!path)
        return teeny_fail_memory();
    *out_path = path;
    return TEENY_OK;
}

static teeny_status take_configured(const char *configured, char **out_path)
{
    if (!is_program(configured))
        return teeny_fail(TEENY_COMPILER_NOT_FOUND,
            "TEENYC_PATH is %s, which is not an executable file", configured);
    char *path = strdup(configured);
    if (!path)
        return teeny_fail_memory();
    *out_path = path;
    return TEENY_OK;
}

teeny_status teeny_compiler_find(char **out_path)
{
    const char *configured = teeny_environment(TEENY_VARIABLE_TEENYC_PATH);
    if (configured)
        return take_configured(configured, out_path);
    struct search search = {0};
    look_into_installed_toolchains(&search);
    look_into_user_toolchains(&search);
    if (search.count == 0)
        look_into_path(&search);
    teeny_status status = conclude(&search, out_path);
    teeny_string_free(&search.seen);
    teeny_string_free(&search.found);
    return status;
}
