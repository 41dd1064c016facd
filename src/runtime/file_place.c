/* Where an artifact's files lie, and what keeps them there; see file_place.h. */
#define _GNU_SOURCE 1 /* O_DIRECTORY */
#include "runtime/file_place.h"

#include "base/environment.h"
#include "base/files.h"
#include "base/string_builder.h"
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

const char *teeny_file_place_parent(unsigned index)
{
    const char *const parents[TEENY_FILE_PLACE_PARENTS] = {
        teeny_environment(TEENY_VARIABLE_TMPDIR), "/tmp", "/dev/shm"};
    return index < TEENY_FILE_PLACE_PARENTS ? parents[index] : NULL;
}

size_t teeny_file_place_remove_stale(void)
{
    size_t count = 0;
    for (unsigned i = 0; i < TEENY_FILE_PLACE_PARENTS; i++) {
        const char *parent = teeny_file_place_parent(i);
        int opened = parent ? open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
        if (opened < 0)
            continue;
        count += teeny_temporary_remove_stale(opened);
        close(opened);
    }
    return count;
}

int teeny_file_place_make(const char *parent, teeny_file_place *out_place)
{
    teeny_temporary temporary;
    int opened = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0)
        return errno;
    int error = teeny_temporary_make(opened, &temporary);
    teeny_string path = {0};
    if (!error)
        teeny_string_format(&path, "%s/%s", parent, temporary.name);
    if (path.failed) {
        teeny_temporary_remove(opened, &temporary);
        error = ENOMEM;
    }
    close(opened);
    if (!error)
        *out_place =
            (teeny_file_place){teeny_string_take(&path), temporary.directory, NULL, getpid()};
    return error;
}

void teeny_file_place_leave(teeny_file_place *place)
{
    if (place->temporary >= 0) {
        if (place->maker == getpid())
            teeny_remove_tree(AT_FDCWD, place->path);
        close(place->temporary);
    }
    teeny_cache_use_end(place->use);
    free(place->path);
    *place = TEENY_NOWHERE;
}
