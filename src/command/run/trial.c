/* See trial.h. */
#include "command/run/trial.h"

#include "command/run/memory_fault.h"
#include "command/run/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD_BYTES = 4096, GUARD_BYTE = 0xa5 };

bool trial_fail(void)
{
    fflush(stdout); /* what was printed came before */
    fprintf(stderr, "%s\n", teeny_message());
    return false;
}

/* emu finds accesses outside of a buffer itself, at the user's line: guards would hide them. */
static size_t guard_for(const teeny_device *device)
{
    return strcmp(teeny_device_name(device), "emu") == 0 ? 0 : GUARD_BYTES;
}

bool trial_open(
    const char *device, const teeny_kernel *kernel, const run_options *options, trial *out_trial)
{
    *out_trial = (trial){0};
    if (teeny_device_open(device, &out_trial->device) != TEENY_OK)
        return trial_fail();
    teeny_options compile = options->compile;
    if (strcmp(device, options->device) != 0)
        compile.target = NULL;
    out_trial->guard = guard_for(out_trial->device);
    if (teeny_stream_create(out_trial->device, &out_trial->stream) != TEENY_OK ||
        teeny_load(out_trial->device, kernel, &compile, &out_trial->function) != TEENY_OK)
        return trial_fail();
    return true;
}

static size_t bytes_of(const argument *argument)
{
    return argument->count * argument->element->bytes;
}

static bool make_buffer(trial *trial, int index, const char *content)
{
    size_t size = bytes_of(&trial->arguments->list[index]), guard = trial->guard;
    char *bytes = malloc(size + 2 * guard + 1);
    if (!bytes) {
        fputs("teeny run: out of memory\n", stderr);
        return false;
    }
    trial->results[index] = bytes;
    memset(bytes, GUARD_BYTE, guard);
    memcpy(bytes + guard, content, size);
    memset(bytes + guard + size, GUARD_BYTE, guard);
    if (teeny_buffer_create(trial->device, size + 2 * guard, &trial->buffers[index]) != TEENY_OK ||
        teeny_buffer_write(trial->stream, trial->buffers[index], 0, bytes, size + 2 * guard) !=
            TEENY_OK)
        return trial_fail();
    return true;
}

static bool allocate(trial *trial)
{
    size_t count = (size_t)trial->arguments->count + 1;
    trial->packed_size = teeny_artifact_arguments_size(teeny_function_artifact(trial->function));
    trial->buffers = calloc(count, sizeof *trial->buffers);
    trial->results = calloc(count, sizeof *trial->results);
    trial->packed = calloc(1, trial->packed_size + 1);
    if (trial->buffers && trial->results && trial->packed)
        return true;
    fputs("teeny run: out of memory\n", stderr);
    return false;
}

bool trial_prepare(trial *trial, const arguments *arguments, char *const *contents)
{
    void *addresses[MOST_ARGUMENTS] = {0};
    trial->arguments = arguments;
    if (!allocate(trial))
        return false;
    for (int i = 0; i < arguments->count; i++) {
        if (!argument_is_buffer(&arguments->list[i]))
            continue;
        if (!make_buffer(trial, i, contents[i]))
            return false;
        addresses[i] = (char *)teeny_buffer_pointer(trial->buffers[i]) + trial->guard;
    }
    arguments_pack(arguments, teeny_function_artifact(trial->function), addresses, trial->packed);
    return true;
}

static bool launch(trial *trial)
{
    memory_fault_catch(trial->device);
    bool is_done = teeny_launch_function(trial->stream, trial->function, trial->grid, trial->packed,
                       trial->packed_size) == TEENY_OK &&
                   teeny_stream_synchronize(trial->stream) == TEENY_OK;
    memory_fault_release();
    return is_done || trial_fail();
}

bool trial_run(trial *trial)
{
    if (!launch(trial))
        return false;
    for (int i = 0; i < trial->arguments->count; i++) {
        const teeny_buffer *buffer = trial->buffers[i];
        if (buffer && teeny_buffer_read(trial->stream, buffer, 0, trial->results[i],
                          teeny_buffer_size(buffer)) != TEENY_OK)
            return trial_fail();
    }
    return true;
}

static bool is_intact(const char *guard, size_t size, size_t *out_first)
{
    for (*out_first = 0; *out_first < size; (*out_first)++)
        if ((unsigned char)guard[*out_first] != GUARD_BYTE)
            return false;
    return true;
}

static bool check_guard(const trial *trial, int index)
{
    const argument *argument = &trial->arguments->list[index];
    size_t size = bytes_of(argument), first;
    const char *bytes = trial->results[index], *name = teeny_device_name(trial->device);
    if (!is_intact(bytes + trial->guard + size, trial->guard, &first)) {
        printf("  %s: WRONG: on %s the kernel writes behind its end, at element %zu of %zu\n",
            argument->name, name, argument->count + first / argument->element->bytes,
            argument->count);
        return false;
    }
    if (!is_intact(bytes, trial->guard, &first)) {
        printf("  %s: WRONG: on %s the kernel writes in front of it, %zu bytes before its first "
               "element\n",
            argument->name, name, trial->guard - first);
        return false;
    }
    return true;
}

bool trial_check_guards(const trial *trial)
{
    bool is_right = true;
    for (int i = 0; i < trial->arguments->count; i++)
        if (trial->buffers[i])
            is_right &= check_guard(trial, i);
    return is_right;
}

void trial_close(trial *trial)
{
    for (int i = 0; trial->arguments && i < trial->arguments->count; i++) {
        if (trial->buffers)
            teeny_buffer_destroy(trial->buffers[i]);
        if (trial->results)
            free(trial->results[i]);
    }
    free(trial->buffers);
    free(trial->results);
    free(trial->packed);
    teeny_unload(trial->function);
    teeny_stream_destroy(trial->stream);
    teeny_device_close(trial->device);
}
