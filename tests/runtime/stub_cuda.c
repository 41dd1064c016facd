/* A CUDA driver without a GPU: its functions do on the host what a driver does on a device.
 *
 * Device memory is the host's, and a launch of `vector_add` adds at once. The environment says what
 * it is: STUB_DEVICES (1), STUB_VERSION (13000), STUB_CHIP (90), STUB_COOPERATES (1), STUB_PEERS
 * (1), STUB_BUSY (nothing is ever done), STUB_FAIL="cuInit=999,...", which makes a function fail,
 * and STUB_REFUSE="text", which makes it refuse code with that text. stub_calls tells how often a
 * function was called, stub_loaded what code was loaded last, stub_fail_nth makes the n-th call
 * from now on fail, and stub_live is how many of the driver's objects there are. Built with
 * STUB_CUDA_OLD it lacks what drivers before CUDA 11 lack, with STUB_CUDA_11 what came after 11.0.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STUB __attribute__((visibility("default")))

enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    INVALID_CONTEXT = 201,
    NOT_FOUND = 500
};

static _Thread_local void *current;

/* Guards what follows, up to ENTER. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct {
    const char *name;
    int calls;
} counters[512];

/* The place of a function in the table, or the free one for it. */
static size_t counter_of(const char *name)
{
    size_t i = 0;
    while (counters[i].name && strcmp(counters[i].name, name) != 0)
        i++;
    return i;
}

STUB int stub_calls(const char *name)
{
    pthread_mutex_lock(&mutex);
    int calls = counters[counter_of(name)].calls;
    pthread_mutex_unlock(&mutex);
    return calls;
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

/* ---- The n-th call fails --------------------------------------------------------------------- */

static struct {
    int calls; /* since the last stub_fail_nth */
    int nth, error;
    enum { ONCE, CONTEXT_FROM_THEN, ALL_FROM_THEN } extent;
    const char *failed; /* the first that did */
    int left_behind;    /* calls that failed to free something, or to get as far as that */
} plan;

static bool has_plan; /* there was one */

STUB void stub_fail_nth(int nth, int error, int extent)
{
    pthread_mutex_lock(&mutex);
    memset(&plan, 0, sizeof plan);
    plan.nth = nth;
    plan.error = error;
    plan.extent = extent;
    has_plan = true;
    pthread_mutex_unlock(&mutex);
}

STUB const char *stub_failed(void)
{
    return plan.failed;
}

STUB int stub_left_behind(void)
{
    return plan.left_behind;
}

static bool is_freeing(const char *name)
{
    static const char *const parts[] = {"Destroy", "Free", "Unload", "Release", "Unregister",
        "cuCtxGetCurrent", "cuCtxSetCurrent", "cuThreadExchangeStreamCaptureMode", "EndCapture"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(name, parts[i]))
            return true;
    return false;
}

static bool is_planned(bool in_context)
{
    if (plan.nth == 0 || plan.calls < plan.nth)
        return false;
    if (plan.calls == plan.nth)
        return true;
    return plan.extent == ALL_FROM_THEN || (plan.extent == CONTEXT_FROM_THEN && in_context);
}

static bool is_started;

/* What a driver does before cuInit. */
static bool can_be_early(const char *name)
{
    return strcmp(name, "cuInit") == 0 || strcmp(name, "cuDriverGetVersion") == 0 ||
           strncmp(name, "cuGetError", 10) == 0;
}

/* Counts a call, and says how it is to fail. */
static int enter(const char *name, bool in_context)
{
    int error = SUCCESS;
    pthread_mutex_lock(&mutex);
    size_t place = counter_of(name);
    counters[place].name = name;
    counters[place].calls++;
    plan.calls++;
    if (is_planned(in_context)) {
        error = plan.error;
        plan.left_behind += is_freeing(name);
        if (!plan.failed)
            plan.failed = name;
    } else if (!is_started && !can_be_early(name)) {
        error = NOT_INITIALIZED;
    }
    pthread_mutex_unlock(&mutex);
    return error ? error : failure(name);
}

/* The calling thread's context, without a call that is counted. */
STUB void *stub_current(void)
{
    return current;
}

STUB void stub_make_current(void *context)
{
    current = context;
}

/* Each function of the driver begins with one of these. */
#define ENTER_AS(in_context)                                                                       \
    do {                                                                                           \
        int error_ = enter(__func__, in_context);                                                  \
        if (error_)                                                                                \
            return error_;                                                                         \
    } while (0)
#define ENTER() ENTER_AS(false)
#define ENTER_CONTEXT()                                                                            \
    do {                                                                                           \
        ENTER_AS(true);                                                                            \
        if (!current)                                                                              \
            return INVALID_CONTEXT;                                                                \
    } while (0)

/* ---- What is live ---------------------------------------------------------------------------- */

/* Whatever the functions below allocate stands for something of the driver's that must be freed. */
static _Atomic(int) live;

STUB int stub_live(void)
{
    return live;
}

/* Objects of which some may be left behind by a call that was made to fail: here the leak sanitizer
 * finds them. */
static void *known[1024];

static void replace_known(void *old, void *new)
{
    size_t i = 0;
    pthread_mutex_lock(&mutex);
    while (i < sizeof known / sizeof known[0] && known[i] != old)
        i++;
    if (i < sizeof known / sizeof known[0])
        known[i] = new;
    pthread_mutex_unlock(&mutex);
}

static void *count_new(void *memory)
{
    live += memory != NULL;
    if (has_plan)
        replace_known(NULL, memory);
    return memory;
}

static void count_free(void *memory)
{
    live -= memory != NULL;
    if (has_plan && memory)
        replace_known(memory, NULL);
    free(memory);
}

#define malloc(size) count_new(malloc(size))
#define calloc(count, size) count_new(calloc(count, size))
#define free(memory) count_free(memory)

/* ---- The driver ------------------------------------------------------------------------------ */

STUB int cuInit(unsigned flags)
{
    ENTER();
    if (number("STUB_DEVICES", 1) == 0)
        return 100;
    is_started = flags == 0;
    return flags ? INVALID_VALUE : SUCCESS;
}

STUB int cuGetErrorName(int error, const char **name)
{
    static _Thread_local char text[32];
    ENTER();
    snprintf(text, sizeof text, "CUDA_ERROR_%d", error);
    *name = text;
    return SUCCESS;
}

STUB int cuGetErrorString(int error, const char **text)
{
    ENTER();
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

STUB int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    ENTER();
    (void)device;
    *bytes = (size_t)1 << 37;
    return SUCCESS;
}

STUB int cuDevicePrimaryCtxRetain(void **context, int device)
{
    static char contexts[64];
    ENTER();
    *context = &contexts[device];
    live++;
    return SUCCESS;
}

STUB int cuDevicePrimaryCtxRelease_v2(int device)
{
    ENTER();
    (void)device;
    live--;
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
    pthread_mutex_lock(&mutex);
    snprintf(loaded, sizeof loaded, "%s", (const char *)image);
    pthread_mutex_unlock(&mutex);
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
