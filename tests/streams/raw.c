/* See raw.h. */
#include "check.h"

#include "raw.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

raw_driver raw;
void *raw_context;

static int handle;
static void *before;

#define ROW(member, symbol, parameters) {#symbol, offsetof(raw_driver, member)},
static const struct {
    const char *symbol;
    size_t member;
} rows[] = {RAW_TABLE(ROW)};

static bool find_symbols(void)
{
    static void *library;
    if (library)
        return true;
    const char *path = getenv("TEENY_LIBCUDA_PATH");
    library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW);
    for (size_t i = 0; library && i < sizeof rows / sizeof rows[0]; i++) {
        void *address = dlsym(library, rows[i].symbol);
        if (!address) {
            check_fail(__FILE__, __LINE__, "the driver has no %s", rows[i].symbol);
            return false;
        }
        memcpy((char *)&raw + rows[i].member, &address, sizeof address);
    }
    return library != NULL;
}

bool raw_open(void)
{
    if (!find_symbols())
        return false;
    const char *colon = strchr(teeny_device_name(device), ':');
    raw.get_current(&before);
    if (raw.device_get(&handle, atoi(colon + 1)) != 0 ||
        raw.primary_retain(&raw_context, handle) != 0 || raw.set_current(raw_context) != 0) {
        check_fail(__FILE__, __LINE__, "the primary context cannot be had");
        return false;
    }
    return true;
}

void raw_close(void)
{
    raw.set_current(before);
    raw.primary_release(handle);
}
