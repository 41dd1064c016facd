/* A CUDA driver without a GPU: its functions do on the host what a driver does on a device.
 *
 * Device memory is the host's, and a launch of `vector_add` adds at once. The environment says what
 * it is: STUB_DEVICES (1), STUB_VERSION (13000), STUB_CHIP (90), STUB_COOPERATES (1), STUB_PEERS
 * (1), STUB_BUSY (nothing is ever done), STUB_FAIL="cuInit=999,...", which makes a function fail,
 * and STUB_REFUSE="text", which makes it refuse code with that text. stub_calls tells how often a
 * function was called, stub_loaded what code was loaded last. Built with STUB_CUDA_OLD it lacks
 * what drivers before CUDA 11 lack, with STUB_CUDA_11 what came after 11.0.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STUB __attribute__((visibility("default")))

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_CONTEXT = 201, NOT_FOUND = 500 };

static struct {
    const char *name;
    int calls;
} counters[128];

static _Thread_local void *current;

static void count(const char *name)
{
    for (size_t i = 0; i < 128; i++) {
        if (!counters[i].name)
            counters[i].name = name;
        if (strcmp(counters[i].name, name) == 0) {
            counters[i].calls++;
            return;
        }
    }
}

STUB int stub_calls(const char *name)
{
    for (size_t i = 0; i < 128 && counters[i].name; i++)
        if (strcmp(counters[i].name, name) == 0)
            return counters[i].calls;
    return 0;
}

static int number(const char *variable, int otherwise)
{
    const char *value = getenv(variable);
    return value ? atoi(value) : otherwise;
}

/* What STUB_FAIL has for a function. */
static int failure(const char *name)
{
    const char *list = getenv("STUB_FAIL");
    const char *at = list ? strstr(list, name) : NULL;
    size_t length = strlen(name);
    return at && at[length] == '=' ? atoi(at + length + 1) : SUCCESS;
}

#define ENTER()                                                                                    \
    do {                                                                                           \
        count(__func__);                                                                           \
        if (failure(__func__))                                                                     \
            return failure(__func__);                                                              \
    } while (0)
#define ENTER_CONTEXT()                                                                            \
    do {                                                                                           \
        ENTER();                                                                                   \
        if (!current)                                                                              \
            return INVALID_CONTEXT;                                                                \
    } while (0)

STUB int cuInit(unsigned flags)
{
    ENTER();
    if (number("STUB_DEVICES", 1) == 0)
        return 100;
    return flags ? INVALID_VALUE : SUCCESS;
}

STUB int cuGetErrorName(int error, const char **name)
{
    static char text[32];
    snprintf(text, sizeof text, "CUDA_ERROR_%d", error);
    *name = text;
    return SUCCESS;
}

STUB int cuGetErrorString(int error, const char **text)
{
    (void)error;
    *text = "as the test wants it";
    return SUCCESS;
}

STUB int cuDriverGetVersion(int *version)
{
    ENTER();
    *version = number("STUB_VERSION", 13000);
    return SUCCESS;
}

STUB int cuDeviceGetCount(int *devices)
{
    ENTER();
    *devices = number("STUB_DEVICES", 1);
    return SUCCESS;
}

STUB int cuDeviceGet(int *device, int ordinal)
{
    ENTER();
    *device = 40 + ordinal;
    return SUCCESS;
}

STUB int cuDeviceGetName(char *name, int length, int device)
{
    ENTER();
    snprintf(name, (size_t)length, "Stub %d", device);
    return SUCCESS;
}

STUB int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    ENTER();
    (void)device;
    int chip = number("STUB_CHIP", 90);
    const struct {
        int attribute, value;
    } rows[] = {{75, chip / 10}, {76, chip % 10}, {16, 132}, {97, 232448},
        {95, number("STUB_COOPERATES", 1)}, {115, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        *value = rows[i].value;
        if (rows[i].attribute == attribute)
            return SUCCESS;
    }
    return INVALID_VALUE;
}

STUB int cuDevicePrimaryCtxRetain(void **context, int device)
{
    static char contexts[64];
    ENTER();
    *context = &contexts[device];
    return SUCCESS;
}

STUB int cuDevicePrimaryCtxRelease_v2(int device)
{
    ENTER();
    (void)device;
    return SUCCESS;
}

STUB int cuCtxGetCurrent(void **context)
{
    ENTER();
    *context = current;
    return SUCCESS;
}

STUB int cuCtxSetCurrent(void *context)
{
    ENTER();
    current = context;
    return SUCCESS;
}

struct arguments {
    float *out;
    const float *x, *y;
    int n;
};

#include "stub_cuda_streams.h"

#include "stub_cuda_memory.h"

STUB int cuMemAlloc_v2(uint64_t *pointer, size_t size)
{
    ENTER_UNSAFE();
    if (size == 0)
        return INVALID_VALUE;
    void *memory = size > (size_t)1 << 40 ? NULL : malloc(size);
    *pointer = (uintptr_t)memory;
    return memory ? SUCCESS : OUT_OF_MEMORY;
}

STUB int cuMemFree_v2(uint64_t pointer)
{
    ENTER_UNSAFE();
    free((void *)(uintptr_t)pointer);
    return SUCCESS;
}

static int is_refused(const char *code)
{
    const char *refused = getenv("STUB_REFUSE");
    return refused && strstr(code, refused);
}

/* A link's "cubin" is the PTX behind a word. */
struct link {
    char *log;
    char *cubin;
    size_t size;
};

#ifndef STUB_CUDA_OLD
STUB int cuLinkCreate_v2(unsigned count_, int *options, void **values, void **state)
{
    ENTER_UNSAFE();
    struct link *link = calloc(1, sizeof *link);
    for (unsigned i = 0; i < count_; i++)
        if (options[i] == 5)
            link->log = values[i];
    *state = link;
    return SUCCESS;
}
#endif

STUB int cuLinkAddData_v2(void *state, int type, void *data, size_t size, const char *name,
    unsigned count_, int *options, void **values)
{
    struct link *link = state;
    (void)name;
    (void)count_;
    (void)options;
    (void)values;
    if (failure(__func__))
        strcpy(link->log, "ptxas: the stub's words");
    ENTER_UNSAFE();
    if (type != 1 || ((char *)data)[size - 1] != '\0')
        return INVALID_VALUE;
    if (is_refused(data))
        return 222;
    link->size = size + 6;
    link->cubin = malloc(link->size);
    memcpy(link->cubin, "CUBIN ", 6);
    memcpy(link->cubin + 6, data, size);
    return SUCCESS;
}

STUB int cuLinkComplete(void *state, void **cubin, size_t *size)
{
    struct link *link = state;
    ENTER_UNSAFE();
    *cubin = link->cubin;
    *size = link->size;
    return SUCCESS;
}

STUB int cuLinkDestroy(void *state)
{
    struct link *link = state;
    ENTER_UNSAFE();
    free(link->cubin);
    free(link);
    return SUCCESS;
}

static char loaded[256];

STUB const char *stub_loaded(void)
{
    return loaded;
}

STUB int cuModuleLoadData(void **module, const void *image)
{
    ENTER_UNSAFE();
    if (memcmp(image, "CUBIN ", 6) != 0 && memcmp(image, "\177ELF", 4) != 0)
        return 200;
    if (is_refused(image))
        return 209;
    snprintf(loaded, sizeof loaded, "%s", (const char *)image);
    *module = malloc(8);
    return SUCCESS;
}

STUB int cuModuleUnload(void *module)
{
    ENTER_UNSAFE();
    free(module);
    return SUCCESS;
}

STUB int cuModuleGetFunction(void **function, void *module, const char *name)
{
    ENTER_UNSAFE();
    *function = module;
    return strcmp(name, "vector_add") == 0 ? SUCCESS : NOT_FOUND;
}

STUB int cuFuncSetAttribute(void *function, int attribute, int value)
{
    ENTER_UNSAFE();
    if (attribute == 14)
        return function && value == 1 ? SUCCESS : INVALID_VALUE;
    return function && attribute == 8 && value > 49152 ? SUCCESS : INVALID_VALUE;
}

STUB int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, void *stream,
    void **parameters, void **extra)
{
    ENTER_CONTEXT();
    memset(&last_launch, 0, sizeof last_launch);
    last_launch.shared = shared;
    if (!function || parameters || block_x != 128 || block_y != 1 || block_z != 1 || !grid_x ||
        !grid_y || !grid_z)
        return INVALID_VALUE;
    return put_launch(stream, extra);
}
