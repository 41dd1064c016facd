/* Attaching to a profiler; see nvtx_tool.h.
 *
 * An injection library has one entry point, InitializeInjectionNvtx2. It is given a function that
 * hands out tables; through the table of callbacks it asks for the slots of each module, and writes
 * its own functions into those that it listens to.
 */
#include "runtime/observe/nvtx_tool.h"

#include "base/environment.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define INJECTION_ENTRY "InitializeInjectionNvtx2"
#define LIBRARY "libnvToolsExt.so.1"

typedef void any_function(void);

/* The modules, each with as many callbacks as NVTX 3 gives it; number 0 of each is none. */
enum module { CORE = 1, CUDA = 2, OPENCL = 3, CUDART = 4, CORE2 = 5, SYNC = 6, MODULES };
enum { MOST_CALLBACKS = 16 };
static const unsigned callbacks[MODULES] = {
    [CORE] = 16, [CUDA] = 9, [OPENCL] = 15, [CUDART] = 7, [CORE2] = 16, [SYNC] = 7};

/* What the profiler writes to, and the pointers to each that it asks for. */
static any_function *slots[MODULES][MOST_CALLBACKS];
static any_function **tables[MODULES][MOST_CALLBACKS + 1];

/* What is taken out of it, and what the library exports it as. */
static const struct {
    const char *symbol;
    enum module module;
    unsigned callback;
    size_t member;
} rows[] = {
    {"nvtxDomainCreateA", CORE2, 12, offsetof(nvtx_functions, domain_create)},
    {"nvtxDomainRangePushEx", CORE2, 4, offsetof(nvtx_functions, range_push)},
    {"nvtxDomainRangePop", CORE2, 5, offsetof(nvtx_functions, range_pop)},
    {"nvtxNameCuDeviceA", CUDA, 1, offsetof(nvtx_functions, name_device)},
    {"nvtxNameCuStreamA", CUDA, 5, offsetof(nvtx_functions, name_stream)},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static void set_member(nvtx_functions *functions, size_t row, const void *address)
{
    memcpy((char *)functions + rows[row].member, address, sizeof(any_function *));
}

/* ---- An injection library -------------------------------------------------------------------- */

static int get_module_function_table(int module, any_function ****out_table, unsigned *out_size)
{
    if (module <= 0 || module >= MODULES)
        return 0;
    for (unsigned i = 1; i < callbacks[module]; i++)
        tables[module][i] = &slots[module][i];
    if (out_size)
        *out_size = callbacks[module];
    if (out_table)
        *out_table = tables[module];
    return 1;
}

static void set_injection_version(uint32_t version)
{
    (void)version;
}

enum { CALLBACKS_TABLE = 1, VERSION_TABLE = 3 };

static const void *get_export_table(uint32_t number)
{
    static const struct {
        size_t size;
        int (*get_module_function_table)(int module, any_function ****table, unsigned *size);
    } callbacks_table = {sizeof callbacks_table, get_module_function_table};
    static const struct {
        size_t size;
        uint32_t version;
        uint32_t reserved;
        void (*set_injection_version)(uint32_t version);
    } version_table = {sizeof version_table, NVTX_VERSION, 0, set_injection_version};
    if (number == CALLBACKS_TABLE)
        return &callbacks_table;
    return number == VERSION_TABLE ? (const void *)&version_table : NULL;
}

static bool inject(void *library, nvtx_functions *out_functions, const char **out_problem)
{
    int (*initialize)(const void *(*get_table)(uint32_t number));
    void *address = dlsym(library, INJECTION_ENTRY);
    memcpy(&initialize, &address, sizeof initialize);
    *out_problem = "it has no " INJECTION_ENTRY;
    if (!initialize)
        return false;
    *out_problem = "its " INJECTION_ENTRY " failed";
    if (!initialize(get_export_table))
        return false;
    for (size_t i = 0; i < ROWS; i++)
        set_member(out_functions, i, &slots[rows[i].module][rows[i].callback]);
    return true;
}

/* ---- The library of NVTX 2 ------------------------------------------------------------------- */

static void take_exports(void *library, nvtx_functions *out_functions)
{
    for (size_t i = 0; i < ROWS; i++) {
        void *address = dlsym(library, rows[i].symbol);
        set_member(out_functions, i, &address);
    }
}

/* A library that has been called stays: it may have started threads. */
bool teeny_nvtx_attach(nvtx_functions *out_functions, const char **out_problem)
{
    const char *injection = teeny_environment(TEENY_VARIABLE_NVTX_INJECTION64_PATH);
    void *library = dlopen(injection ? injection : LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    *out_functions = (nvtx_functions){0};
    if (!library) {
        *out_problem = injection ? "NVTX_INJECTION64_PATH names no library that can be loaded"
                                 : "NVTX_INJECTION64_PATH is not set, and there is no " LIBRARY;
        return false;
    }
    if (injection)
        return inject(library, out_functions, out_problem);
    take_exports(library, out_functions);
    return true;
}
