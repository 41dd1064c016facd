/* Where teenyc is; see compiler.h.
 *
 * The installed prefix is where the running code is: beside libteeny.so, or, where libteeny is part
 * of the program, above the program's directory (PREFIX/bin, PREFIX/libexec/NAME, ...). So a prefix
 * that was moved is still one. Only where there are no toolchains is it the prefix that libteeny
 * was configured with.
 */
#define _GNU_SOURCE 1 /* dladdr */
#include "runtime/compiler.h"

#include "base/directory.h"
#include "base/environment.h"
#include "base/program_path.h"
#include "runtime/report.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
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
    size_t named; /* toolchains in the directory that is looked into */
    const char *directory;
    void (*visit)(const teeny_compiler_place *place, void *user); /* may be NULL */
    void *user;
};

static void see(struct search *search, const char *path, const char *problem)
{
    const teeny_compiler_place place = {path, problem};
    teeny_string_format(
        &search->seen, "  %s%s%s\n", path, problem ? ": " : "", problem ? problem : "");
    if (search->visit)
        search->visit(&place, search->user);
}

static int look_at_toolchain(int directory, const char *name, void *context)
{
    (void)directory;
    struct search *search = context;
    if (!strstr(name, PROGRAM))
        return 0;
    teeny_string path = {0};
    teeny_string_format(&path, "%s/%s/bin/" PROGRAM, search->directory, name);
    const char *problem = teeny_program_problem(teeny_string_text(&path));
    see(search, teeny_string_text(&path), problem);
    if (!problem && search->count++ == 0)
        teeny_string_add(&search->found, teeny_string_text(&path));
    teeny_string_free(&path);
    search->named++;
    return 0;
}

static void look_into_toolchains(struct search *search, const char *directory)
{
    search->named = 0;
    search->directory = directory;
    int opened = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = opened < 0 ? errno : teeny_directory_walk(opened, look_at_toolchain, search);
    if (opened >= 0)
        close(opened);
    if (error)
        see(search, directory, strerror(error));
    else if (!search->named)
        see(search, directory, "nothing with `" PROGRAM "` in its name");
}

/* ---- Around the running code ----------------------------------------------------------------- */

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

/* libteeny.so. The program's own name is not the loader's but what its caller likes to say, and one
 * that is not absolute depends on where the host happens to be. */
static bool find_library(teeny_string *path)
{
    static const char here;
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP) || !map || map->l_name[0] != '/')
        return false;
    teeny_string_add(path, map->l_name);
    return true;
}

static bool find_program(teeny_string *path)
{
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    if (length <= 0 || (size_t)length == sizeof program)
        return false;
    teeny_string_append(path, program, (size_t)length);
    return true;
}

/* What lies around the running code counts where nobody else can have put it there: the program may
 * be below a directory that all may write to, such as /tmp. */
static bool is_trusted(const char *path, const struct stat *code)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) &&
           (status.st_uid == code->st_uid || status.st_uid == geteuid() || status.st_uid == 0);
}

/* Whether there are toolchains at `place` in the nearest of the `levels` directories above a file
 * of the running code; what is in them is looked at. */
static bool look_around(
    struct search *search, const teeny_string *file, int levels, const char *place)
{
    struct stat code;
    teeny_string directory = {0}, path = {0};
    bool found = false;
    teeny_string_append(&directory, file->data, file->length);
    if (stat(teeny_string_text(file), &code) < 0) /* an upgrade has replaced it, say */
        code.st_uid = geteuid();
    for (int i = 0; i < levels && !found && leave_directory(&directory); i++) {
        teeny_string_format(&path, "%s%s", teeny_string_text(&directory), place);
        found = is_trusted(teeny_string_text(&path), &code);
        if (found)
            look_into_toolchains(search, path.data);
        teeny_string_free(&path);
    }
    teeny_string_free(&directory);
    return found;
}

static bool look_around_library(struct search *search)
{
    teeny_string library = {0};
    bool found = find_library(&library) && look_around(search, &library, 1, "/" TOOLCHAINS);
    teeny_string_free(&library);
    return found;
}

static bool look_around_program(struct search *search)
{
    enum { MOST_LEVELS = 64 };
    teeny_string program = {0};
    bool found = find_program(&program) && look_around(search, &program, MOST_LEVELS,
                                               "/" TEENY_INSTALL_LIBDIR "/" TOOLCHAINS);
    teeny_string_free(&program);
    return found;
}

static void look_into_installed_toolchains(struct search *search)
{
    if (!look_around_library(search) && !look_around_program(search))
        look_into_toolchains(search, INSTALLED_TOOLCHAINS);
}

/* ---- Elsewhere ------------------------------------------------------------------------------- */

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

static void look_into_path(struct search *search)
{
    const char *value = teeny_environment(TEENY_VARIABLE_PATH);
    char *path = teeny_program_path(PROGRAM);
    if (!path) {
        teeny_string_format(&search->seen, "  PATH, which is %s\n", value ? value : "not set");
        return;
    }
    teeny_string_add(&search->found, path);
    search->count++;
    free(path);
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
    const char *problem = teeny_program_problem(configured);
    if (problem)
        return teeny_fail(
            TEENY_COMPILER_NOT_FOUND, "TEENYC_PATH is %s, which is %s", configured, problem);
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

static void see_configured(struct search *search)
{
    const char *configured = teeny_environment(TEENY_VARIABLE_TEENYC_PATH);
    if (configured)
        see(search, configured, teeny_program_problem(configured));
}

static void see_path(struct search *search)
{
    char *path = teeny_program_path(PROGRAM);
    see(search, path ? path : "PATH", path ? NULL : "no `" PROGRAM "` in its directories");
    free(path);
}

void teeny_compiler_search(void (*visit)(const teeny_compiler_place *place, void *user), void *user)
{
    struct search search = {.visit = visit, .user = user};
    see_configured(&search);
    look_into_installed_toolchains(&search);
    look_into_user_toolchains(&search);
    see_path(&search);
    teeny_string_free(&search.seen);
    teeny_string_free(&search.found);
}
