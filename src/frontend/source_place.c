/* Tracing a character of the assembled text back to the user's file; see source.h. */
#include "frontend/source.h"
#include "frontend/source_segment.h"

#include <string.h>

const char *source_unquote(arena *arena, const char *text, size_t begin, size_t end)
{
    char *plain = arena_allocate(arena, end - begin + 1);
    size_t length = 0;
    for (size_t i = begin; i < end; i++) {
        i += text[i] == '\\' && i + 1 < end;
        plain[length++] = text[i];
    }
    return plain;
}

diagnostic_place source_slice_place(source_slice slice, size_t offset)
{
    const source_file *file = slice.file;
    size_t line = source_file_line(file, offset), start = file->line_starts[line];
    return (diagnostic_place){
        .file = slice.shown_file,
        .line = slice.line + (unsigned)(line - source_file_line(file, slice.begin)),
        .column = (unsigned)(offset - start) + 1,
        .text = file->text + start,
    };
}

/* The last segment that begins at or before the offset. */
static const source_segment *segment_at(const source *source, size_t offset)
{
    size_t low = 0, high = source->num_segments;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (source->segments[middle].begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &source->segments[low - 1] : NULL;
}

diagnostic_place source_place(const source *source, size_t offset)
{
    const source_segment *segment = segment_at(source, offset);
    if (!segment)
        return (diagnostic_place){0};
    size_t into = offset - segment->begin, length = segment->slice.end - segment->slice.begin;
    return source_slice_place(
        segment->slice, segment->slice.begin + (into < length ? into : length));
}
