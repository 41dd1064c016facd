/* See depfile.h. */
#include "driver/depfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/string_builder.h"
#include "driver/output.h"

/* As make and ninja read it. */
static void add_path(teeny_string *text, const char *path)
{
    for (; *path; path++) {
        if (strchr(" #\\", *path))
            teeny_string_add(text, "\\");
        else if (*path == '$')
            teeny_string_add(text, "$");
        teeny_string_append(text, path, 1);
    }
}

/* A build may look from another directory. */
static const char *absolute(arena *arena, const char *path)
{
    char *directory = *path == '/' ? NULL : getcwd(NULL, 0);
    const char *whole = directory ? arena_format(arena, "%s/%s", directory, path) : path;
    free(directory);
    return whole;
}

bool depfile_write(
    arena *arena, const driver_options *options, const source_file *const *files, size_t num_files)
{
    for (size_t i = 0; i < num_files; i++)
        output_spare(arena, files[i]->name);
    if (!options->depfile)
        return true;
    teeny_string text = {0};
    add_path(&text, options->output);
    teeny_string_add(&text, ":");
    for (size_t i = 0; i < num_files; i++) {
        teeny_string_add(&text, " \\\n  ");
        add_path(&text, absolute(arena, files[i]->name));
    }
    teeny_string_add(&text, "\n");
    bool is_written = output_write(arena, options->depfile, teeny_string_text(&text), text.length);
    teeny_string_free(&text);
    return is_written;
}
