/* Kernels from text at run time: records as the capture macros would make them; see kernel_file.h.
 */
#include "runtime/kernel_file.h"

#include "runtime/kernel_text.h"
#include "runtime/report.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Functions refer to it as well: they are found by its address, which must not come to mean another
 * kernel meanwhile. */
typedef struct kernel_file {
    teeny_kernel kernel; /* first: what callers have */
    atomic_size_t references;
    char *name, *file, *text;
} kernel_file;

static void destroy(kernel_file *own)
{
    free(own->name);
    free(own->file);
    free(own->text);
    free(own);
}

bool teeny_kernel_hold(const teeny_kernel *kernel)
{
    bool is_counted = teeny_kernel_is_file(kernel);
    if (is_counted)
        atomic_fetch_add(&((kernel_file *)kernel)->references, 1);
    return is_counted;
}

void teeny_kernel_drop(const teeny_kernel *kernel)
{
    if (atomic_fetch_sub(&((kernel_file *)kernel)->references, 1) == 1)
        destroy((kernel_file *)kernel);
}

static void describe(kernel_file *own)
{
    own->kernel.text = (teeny_text){
        .version = TEENY_DESCRIPTOR_VERSION,
        .kind = TEENY_TEXT_FILE,
        .line = 1,
        .file = own->file,
        .name = own->name,
        .result = "",
        .parameters = "",
        .meta = "",
        .body = own->text,
        .unit = own,
    };
}

static teeny_status fill(kernel_file *own, const char *text, const char *file, const char *name)
{
    teeny_string whole;
    teeny_kernel_text_include(text, file, &whole);
    own->text = teeny_string_take(&whole);
    own->file = strdup(file);
    if (!own->text || !own->file)
        return teeny_fail_memory();
    return teeny_kernel_text_choose(own->text, file, name, &own->name);
}

teeny_status teeny_kernel_from_text(
    const char *text, const char *file, const char *name, const teeny_kernel **out_kernel)
{
    if (!text || !file || !out_kernel)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_kernel_from_text: %s is NULL",
            !text   ? "text"
            : !file ? "file"
                    : "out_kernel");
    kernel_file *own = calloc(1, sizeof *own);
    if (!own)
        return teeny_fail_memory();
    atomic_init(&own->references, 1);
    teeny_status status = fill(own, text, file, name);
    if (status != TEENY_OK) {
        destroy(own);
        return status;
    }
    describe(own);
    *out_kernel = &own->kernel;
    return TEENY_OK;
}

teeny_status teeny_kernel_from_file(
    const char *path, const char *name, const teeny_kernel **out_kernel)
{
    if (!path || !out_kernel)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_kernel_from_file: %s is NULL",
            path ? "out_kernel" : "path");
    teeny_string text;
    teeny_status status = teeny_kernel_text_read(path, &text);
    if (status != TEENY_OK)
        return status;
    status = teeny_kernel_from_text(text.data, path, name, out_kernel);
    teeny_string_free(&text);
    return status;
}

void teeny_kernel_release(const teeny_kernel *kernel)
{
    if (kernel && teeny_kernel_is_file(kernel))
        teeny_kernel_drop(kernel);
}
