/* The CUDA driver, opened at run time; see symbols.h. */
#define _GNU_SOURCE 1 /* dladdr */
#include "runtime/cuda/symbols.h"

#include "base/environment.h"
#include "runtime/report.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

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

/* Whatever is wrong with the driver itself is TEENY_NO_DRIVER; a GPU that is missing or memory that
 * is short keep their own status. */
static teeny_status fail_start(CUresult result, const char *path, const char *call)
{
    teeny_status status = teeny_cuda_meaning(result);
    if (result == CUDA_ERROR_NO_DEVICE)
        return teeny_fail(status, "%s: the CUDA driver %s finds no GPU", call, path);
    teeny_string text = {0};
    teeny_cuda_describe(result, call, &text);
    if (status != TEENY_OUT_OF_MEMORY)
        status = TEENY_NO_DRIVER;
    teeny_message_set(
        status, "the CUDA driver %s does not start: %s", path, teeny_string_text(&text));
    teeny_string_free(&text);
    return status;
}

static teeny_status start(const char *path)
{
    CUresult result = teeny_cuda.init(0);
    if (result != CUDA_SUCCESS)
        return fail_start(result, path, "cuInit");
    result = teeny_cuda.driver_get_version(&version);
    return result == CUDA_SUCCESS ? TEENY_OK : teeny_cuda_fail(result, "cuDriverGetVersion");
}

static teeny_status open_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return teeny_fail(TEENY_NO_DRIVER, "there is no CUDA driver: %s", dlerror());
    teeny_status status = find_symbols(library, path);
    if (status != TEENY_OK)
        dlclose(library);
    return status;
}

/* The driver says little of this, and not at once. */
static teeny_status fail_forked(void)
{
    return teeny_fail(TEENY_NO_DRIVER,
        "the parent of this process started the CUDA driver before fork(), which the driver does "
        "not survive: open the device here before the parent does, or call exec()");
}

/* Each step is taken once. One that fails is tried again by the next call: memory may be short now
 * and not then. A library that was asked to start stays open, as it may have threads of its own. */
teeny_status teeny_cuda_open(void)
{
    static bool is_open, is_started;
    static pid_t starter;
    const char *path = teeny_environment(TEENY_VARIABLE_TEENY_LIBCUDA_PATH);
    if (!path)
        path = LIBRARY;
    teeny_status status = is_open ? TEENY_OK : open_library(path);
    is_open = status == TEENY_OK;
    if (is_open && starter && starter != getpid())
        return fail_forked();
    if (is_open && !is_started) {
        starter = getpid();
        status = start(path);
    }
    is_started = status == TEENY_OK;
    return status;
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
