/* See trial.h. */
#include "trial.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

enum { IMAGE = 4 << 20, BAND = 256, POISON = 0xfd };

/* ---- Benches --------------------------------------------------------------------------------- */

static bool require(teeny_status status)
{
    if (status != TEENY_OK)
        fprintf(stderr, "%s: %s\n", teeny_status_name(status), teeny_message());
    return status == TEENY_OK;
}

bool bench_open(struct bench *bench, teeny_device *device)
{
    *bench = (struct bench){.device = device, .before = malloc(IMAGE), .after = malloc(IMAGE)};
    return bench->before && bench->after && require(teeny_stream_create(device, &bench->stream)) &&
           require(teeny_buffer_create(device, IMAGE, &bench->buffer));
}

void bench_close(struct bench *bench)
{
    teeny_buffer_destroy(bench->buffer);
    teeny_stream_destroy(bench->stream);
    free(bench->before);
    free(bench->after);
}

/* ---- Arguments ------------------------------------------------------------------------------- */

static void push(struct trial *trial, const void *value, size_t size)
{
    size_t at = (trial->arguments_size + size - 1) / size * size;
    memcpy((unsigned char *)trial->arguments + at, value, size);
    trial->arguments_size = at + size;
}

static void push_pointer(struct trial *trial, const struct array *array)
{
    const void *pointer =
        (unsigned char *)teeny_buffer_pointer(trial->bench->buffer) + array->offset;
    push(trial, &pointer, sizeof pointer);
}

/* Poison up to the end of the band behind the array. */
static struct array *add_array(struct trial *trial, enum element_id element, size_t count)
{
    struct array *array = &trial->arrays[trial->array_count++];
    const size_t size = elements[element].size;
    const size_t begin = (trial->used + BAND - 1) / BAND * BAND + BAND;
    *array = (struct array){.element = element,
        .count = count,
        .offset = begin + (trial->size ? size : 0),
        .expected = calloc(count ? count : 1, sizeof *array->expected)};
    const size_t end = array->offset + count * size + BAND;
    if (!array->expected || end > IMAGE) {
        fprintf(stderr, "a trial needs more memory than it may have\n");
        exit(1);
    }
    memset(trial->bench->before + trial->used, POISON, end - trial->used);
    trial->used = end;
    return array;
}

struct array *trial_array(struct trial *trial, enum element_id element, size_t count)
{
    struct array *array = add_array(trial, element, count);
    push_pointer(trial, array);
    return array;
}

struct array *trial_input(
    struct trial *trial, enum element_id element, size_t count, value_function *value)
{
    struct array *array = trial_array(trial, element, count);
    const unsigned operand = trial->array_count - 2;
    for (size_t i = 0; i < count; i++)
        array_set(trial, array, i, value(element, operand, i));
    return array;
}

void trial_integer(struct trial *trial, int32_t value)
{
    push(trial, &value, sizeof value);
}

struct array *trial_tensor(struct trial *trial, enum element_id element, unsigned rank,
    const int64_t *shape, const int64_t *stride, size_t count)
{
    struct array *array = trial_array(trial, element, count);
    for (unsigned i = 0; i < rank; i++)
        push(trial, &shape[i], sizeof *shape);
    for (unsigned i = 0; i < rank; i++)
        push(trial, &stride[i], sizeof *stride);
    return array;
}

struct number array_get(const struct trial *trial, const struct array *array, size_t i)
{
    const size_t at = array->offset + i * elements[array->element].size;
    return element_load(array->element, trial->bench->before + at);
}

void array_set(struct trial *trial, const struct array *array, size_t i, struct number number)
{
    const size_t at = array->offset + i * elements[array->element].size;
    element_store(array->element, trial->bench->before + at, number);
}

void array_expect(struct array *array, size_t i, struct number number)
{
    array_expect_near(array, i, number, 0);
}

void array_expect_near(struct array *array, size_t i, struct number number, long double slack)
{
    array->expected[i] = (struct expectation){number, slack, EXPECTED};
}

void array_expect_anything(struct array *array, size_t i)
{
    array->expected[i].kind = UNSPECIFIED;
}

/* ---- Running --------------------------------------------------------------------------------- */

void trial_fail(struct trial *trial, const char *format, ...)
{
    if (trial->failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trial->message, sizeof trial->message, format, arguments);
    va_end(arguments);
    trial->failed = true;
}

void trial_run(struct trial *trial, teeny_grid grid)
{
    struct bench *bench = trial->bench;
    const size_t size = (trial->arguments_size + 7) / 8 * 8;
    teeny_status status =
        teeny_buffer_write(bench->stream, bench->buffer, 0, bench->before, trial->used);
    if (status == TEENY_OK)
        status =
            teeny_launch_function(bench->stream, trial->function, grid, trial->arguments, size);
    if (status == TEENY_OK)
        status = teeny_stream_synchronize(bench->stream);
    if (status == TEENY_OK)
        status = teeny_buffer_read(bench->stream, bench->buffer, 0, bench->after, trial->used);
    if (status != TEENY_OK)
        trial_fail(trial, "%s: %s", teeny_status_name(status), teeny_message());
    else
        compare(trial);
}

void trial_end(struct trial *trial)
{
    for (unsigned i = 0; i < trial->array_count; i++)
        free(trial->arrays[i].expected);
}
