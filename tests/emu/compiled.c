/* See compiled.h. */
#include "compiled.h"

#include "code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What a teenyc command prints; the caller frees it. */
static teeny_bytes output_of(const char *path, unsigned warps, const char *stage)
{
    char command[1024];
    snprintf(command, sizeof command, "'%s' '%s' --target emu --num-warps %u --emit %s",
        getenv("TEENYC_PATH"), path, warps, stage);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t capacity = 1 << 20, size = 0, got;
    char *data = malloc(capacity + 1);
    while ((got = fread(data + size, 1, capacity - size, pipe)) > 0) {
        size += got;
        if (size == capacity)
            data = realloc(data, (capacity *= 2) + 1);
        assert_non_null(data);
    }
    data[size] = '\0';
    assert_int_equal(pclose(pipe), 0);
    return (teeny_bytes){data, size};
}

compiled compiled_from(const char *path, unsigned warps)
{
    static const char field[] = "shared-bytes = ";
    compiled kernel = {.warps = warps};
    teeny_bytes metadata = output_of(path, warps, "metadata");
    teeny_bytes image = output_of(path, warps, "image");
    const char *shared = strstr(metadata.data, field);
    assert_non_null(shared);
    kernel.shared_bytes = (unsigned)strtoul(shared + sizeof field - 1, NULL, 10);
    assert_null(teeny_image_problem(&image, EMU_IMAGE_MAGIC));
    assert_int_equal(teeny_image_map(&image, &kernel.image), 0);
    free(metadata.data);
    free(image.data);
    return kernel;
}

void compiled_run(const compiled *kernel, const void *arguments, compiled_array *arrays,
    size_t count, unsigned x, unsigned y)
{
    teeny_emu_memory memory;
    teeny_emu_memory_init(&memory);
    for (size_t i = 0; i < count; i++) {
        *arrays[i].parameter = teeny_emu_memory_allocate(&memory, arrays[i].size);
        memcpy(*arrays[i].parameter, arrays[i].data, arrays[i].size);
    }
    code_must_run_once(&(code_launch){.entry = (emu_entry *)(void *)kernel->image.entry,
        .arguments = arguments,
        .programs = x,
        .programs_y = y,
        .warps = kernel->warps,
        .shared_bytes = kernel->shared_bytes,
        .memory = &memory});
    for (size_t i = 0; i < count; i++) {
        memcpy(arrays[i].data, *arrays[i].parameter, arrays[i].size);
        teeny_emu_memory_free(&memory, *arrays[i].parameter);
    }
    teeny_emu_memory_destroy(&memory);
}
