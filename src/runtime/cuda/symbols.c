/* The CUDA driver, opened at run time; see symbols.h. */
#define _GNU_SOURCE 1 /* dladdr */
#include "runtime/cuda/symbols.h"

#include "base/environment.h"
#include "runtime/report.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libcuda.so.1"

teeny_cuda_symbols teeny_cuda;
static int version;

#define ROW(member, symbol, parameters) {#symbol, offsetof(teeny_cuda_symbols, member), false},
#define OPTIONAL(member, symbol, parameters) {#symbol, offsetof(teeny_cuda_symbols, member), true},
static const struct {
    const char *symbol;
    size_t member;
    bool is_optional;
} rows[] = {TEENY_CUDA_TABLE(ROW) TEENY_CUDA_OPTIONAL_TABLE(OPTIONAL)};

static const char *error_name(CUresult result)
{
    const char *name = NULL;
    if (teeny_cuda.get_error_name && teeny_cuda.get_error_name(result, &name) == CUDA_SUCCESS &&
        name)
        return name;
    return "an error of its own";
}

static const char *error_text(CUresult result)
{
    const char *text = NULL;
    if (teeny_cuda.get_error_string && teeny_cuda.get_error_string(result, &text) == CUDA_SUCCESS &&
        text)
        return text;
    return "no more is known";
}

teeny_status teeny_cuda_fail(CUresult result, const char *call)
{
    teeny_status status =
        result == CUDA_ERROR_OUT_OF_MEMORY ? TEENY_OUT_OF_MEMORY : TEENY_DEVICE_FAILED;
    return teeny_fail(status, "%s: the CUDA driver reports %s (%d): %s", call, error_name(result),
        result, error_text(result));
}

teeny_status teeny_cuda_fail_missing(const char *symbol, const char *since, const char *wanted)
{
    return teeny_fail(TEENY_DRIVER_TOO_OLD,
        "%s: the CUDA driver (for CUDA %d.%d) has no %s, which came with CUDA %s: install a newer "
        "driver",
        wanted, version / 1000, version % 1000 / 10, symbol, since);
}

static teeny_status find_symbols(void *library, const char *path)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *address = dlsym(library, rows[i].symbol);
        if (!address && !rows[i].is_optional)
            return teeny_fail(TEENY_DRIVER_TOO_OLD,
                "the CUDA driver %s has no %s: it is older than CUDA 11; install a newer driver",
                path, rows[i].symbol);
        memcpy((char *)&teeny_cuda + rows[i].member, &address, sizeof address);
    }
    return TEENY_OK;
}

static teeny_status start(const char *path)
{
    CUresult result = teeny_cuda.init(0);
    if (result == CUDA_ERROR_NO_DEVICE)
        return teeny_fail(TEENY_NO_DEVICE, "the CUDA driver %s finds no GPU", path);
    if (result != CUDA_SUCCESS)
        return teeny_fail(TEENY_NO_DRIVER, "the CUDA driver %s does not start: %s (%d): %s", path,
            error_name(result), result, error_text(result));
    result = teeny_cuda.driver_get_version(&version);
    return result == CUDA_SUCCESS ? TEENY_OK : teeny_cuda_fail(result, "cuDriverGetVersion");
}

static teeny_status open_library(void)
{
    const char *path = teeny_environment(TEENY_VARIABLE_TEENY_LIBCUDA_PATH);
    if (!path)
        path = LIBRARY;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return teeny_fail(TEENY_NO_DRIVER, "there is no CUDA driver: %s", dlerror());
    teeny_status status = find_symbols(library, path);
    if (status == TEENY_OK)
        status = start(path);
    /* A driver that has started stays: it has threads of its own. */
    if (status != TEENY_OK && status != TEENY_NO_DEVICE)
        dlclose(library);
    return status;
}

teeny_status teeny_cuda_open(void)
{
    static bool tried;
    static teeny_status answer;
    static char *message;
    if (!tried) {
        tried = true;
        answer = open_library();
        if (answer != TEENY_OK)
            message = strdup(teeny_message());
    } else if (answer != TEENY_OK) {
        teeny_message_set(answer, "%s", message ? message : "there is no CUDA driver");
    }
    return answer;
}

int teeny_cuda_version(void)
{
    return version;
}

const char *teeny_cuda_library(void)
{
    Dl_info info;
    void *address;
    memcpy(&address, &teeny_cuda.init, sizeof address);
    return address && dladdr(address, &info) ? info.dli_fname : NULL;
}
