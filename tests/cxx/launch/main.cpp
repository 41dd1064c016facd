#include "scale.h"

#include <cstdio>

int main()
{
    float x[1000];
    for (int i = 0; i < 1000; i++)
        x[i] = float(i);
    teeny_device *device;
    teeny_stream *stream;
    teeny_buffer *buffer;
    if (teeny_device_open("auto", &device) || teeny_stream_create(device, &stream) ||
        teeny_buffer_create(device, sizeof x, &buffer) ||
        teeny_buffer_write(stream, buffer, 0, x, sizeof x)) {
        std::fprintf(stderr, "%s\n", teeny_message());
        return 1;
    }
    float *at = static_cast<float *>(teeny_buffer_pointer(buffer));
    if (TEENY_LAUNCH(scale, stream, teeny_grid1((1000 + 255) / 256), at, at, 3, 1000) ||
        teeny_buffer_read(stream, buffer, 0, x, sizeof x)) {
        std::fprintf(stderr, "%s\n", teeny_message());
        return 1;
    }
    std::printf("%g\n", double(x[999]));
    teeny_buffer_destroy(buffer);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
}
