/* Reading the files that the frontend looks at. */
#include "frontend/captures.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { LONGEST_FILE = 64 * 1024 * 1024, CHUNK = 64 * 1024 };

size_t source_file_line(const source_file *file, size_t offset)
{
    size_t low = 0, high = file->num_lines;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (file->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void find_lines(arena *arena, source_file *file)
{
    size_t count = 1;
    for (size_t i = 0; i < file->length; i++)
        count += file->text[i] == '\n';
    size_t *starts = arena_array(arena, size_t, count);
    size_t line = 1;
    for (size_t i = 0; i < file->length; i++)
        if (file->text[i] == '\n')
            starts[line++] = i + 1;
    file->line_starts = starts;
    file->num_lines = count;
}

/* Grows by doubling inside the arena; what is outgrown is small beside the file. */
static const source_file *read_stream(
    arena *arena, FILE *stream, const char *name, const char **out_error)
{
    size_t capacity = CHUNK, length = 0;
    char *text = arena_allocate(arena, capacity + 1);
    for (;;) {
        length += fread(text + length, 1, capacity - length, stream);
        if (length < capacity)
            break;
        if (capacity >= LONGEST_FILE) {
            *out_error = "it is longer than 64 MiB";
            return NULL;
        }
        char *larger = arena_allocate(arena, 2 * capacity + 1);
        memcpy(larger, text, length);
        text = larger;
        capacity *= 2;
    }
    if (ferror(stream)) {
        *out_error = strerror(errno);
        return NULL;
    }
    if (memchr(text, '\0', length)) {
        *out_error = "it holds a zero byte: it is no text";
        return NULL;
    }
    source_file *file = arena_new(arena, source_file);
    file->name = arena_copy(arena, name, strlen(name));
    file->text = text;
    file->length = length;
    find_lines(arena, file);
    return file;
}

const source_file *source_file_read(arena *arena, const char *path, const char **out_error)
{
    if (strcmp(path, "-") == 0)
        return read_stream(arena, stdin, "<stdin>", out_error);
    FILE *stream = fopen(path, "re");
    if (!stream) {
        *out_error = strerror(errno);
        return NULL;
    }
    const source_file *file = read_stream(arena, stream, path, out_error);
    fclose(stream);
    return file;
}

const source_file *source_file_find(arena *arena, const char *path)
{
    struct stat status;
    const char *error;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode)
               ? source_file_read(arena, path, &error)
               : NULL;
}
