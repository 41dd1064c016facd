/* What engine.c and engine.cpp do alike, on buffers of a device. Valid in C and in C++. */
#ifndef PROGRAM_ENGINE_H
#define PROGRAM_ENGINE_H

#include <stdio.h>

#include "kernels.h"

enum { ELEMENTS = 1000 };

typedef struct engine {
    teeny_stream *stream;
    teeny_buffer *out, *x, *small;
    f32 numbers[ELEMENTS];
    int mistakes;
} engine;

static inline void engine_check(engine *engine, teeny_status status)
{
    if (status == TEENY_OK)
        return;
    fprintf(stderr, "%s: %s\n", teeny_status_name(status), teeny_message());
    engine->mistakes++;
}

static inline void engine_open(engine *engine, teeny_device *device)
{
    for (int i = 0; i < ELEMENTS; i++)
        engine->numbers[i] = (f32)i / 4;
    engine_check(engine, teeny_stream_create(device, &engine->stream));
    engine_check(engine, teeny_buffer_create(device, sizeof engine->numbers, &engine->out));
    engine_check(engine, teeny_buffer_create(device, sizeof engine->numbers, &engine->x));
    engine_check(engine, teeny_buffer_create(device, 64, &engine->small));
    engine_check(engine,
        teeny_buffer_write(engine->stream, engine->x, 0, engine->numbers, sizeof engine->numbers));
}

static inline void engine_close(engine *engine)
{
    teeny_buffer_destroy(engine->out);
    teeny_buffer_destroy(engine->x);
    teeny_buffer_destroy(engine->small);
    teeny_stream_destroy(engine->stream);
}

static inline void engine_expect(engine *engine, const char *what, double found, double expected)
{
    if (found == expected)
        return;
    fprintf(stderr, "%s is %g, not %g\n", what, found, expected);
    engine->mistakes++;
}

/* Reads the results of `scale`, and those of the other kernels, which stand in `small`. */
static inline void engine_compare(engine *engine, f32 factor, f32 bias)
{
    f32 out[ELEMENTS];
    struct {
        u8 first;
        i64 fourth;
        i32 own;
        u16 one;
    } small;
    engine_check(engine, teeny_buffer_read(engine->stream, engine->out, 0, out, sizeof out));
    engine_check(engine, teeny_buffer_read(engine->stream, engine->small, 0, &small, sizeof small));
    engine_check(engine, teeny_stream_synchronize(engine->stream));
    for (int i = 0; i < ELEMENTS && engine->mistakes < 5; i++)
        engine_expect(engine, "scale", out[i], engine->numbers[i] * factor + (bias + 3));
    engine_expect(engine, "mix: first", small.first, 2);
    engine_expect(engine, "mix: fourth", (double)small.fourth, 1234 - 7);
    engine_expect(engine, "own", small.own, 42);
    engine_expect(engine, "one_u16", small.one, 16);
}

#endif
