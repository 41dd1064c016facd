/* Names that are plain in kernels and taken in the C that is made of them. */
#include <teeny/kernel.h>

TEENY_KERNEL(launch, (i32 *stream, i32 grid, i32 stream_), META(images = 16, embedded = 2), {
    stream[0] = grid + stream_ + images + embedded;
});

TEENY_KERNEL(class, (i32 *new, i32 class, i32 template, i32 class_),
    META(LEAST = -9223372036854775807 - 1, MOST = 9223372036854775807, metadata_0 = -5), {
    new[0] = class + template + class_ + metadata_0 + (i32)(LEAST + MOST);
});
