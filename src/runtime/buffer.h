/* A buffer, shared by buffer.c and copies.c; the public side is in teeny/buffer.h. */
#ifndef TEENY_RUNTIME_BUFFER_H
#define TEENY_RUNTIME_BUFFER_H

#include "runtime/driver.h"

typedef enum teeny_buffer_origin {
    TEENY_BUFFER_OF_DEVICE,
    TEENY_BUFFER_OF_STREAM,
    TEENY_BUFFER_OF_ALLOCATOR,
    TEENY_BUFFER_OF_OTHERS, /* wrapped */
} teeny_buffer_origin;

struct teeny_buffer {
    teeny_device *device;
    void *pointer;
    size_t size;
    teeny_buffer_origin origin;
    teeny_allocator allocator; /* of TEENY_BUFFER_OF_ALLOCATOR */
};

#endif
