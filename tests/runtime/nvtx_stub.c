/* A profiler for nvtx_test: writes what it is told to the file NVTX_STUB_LOG, a line each.
 *
 * As an injection library it attaches through InitializeInjectionNvtx2, which NVTX_STUB_REFUSE in
 * the environment makes fail; with STUB_NVTX_EXPORTS it is what libnvToolsExt.so.1 was instead. The
 * numbers are those of NVTX's public headers.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    const char *message;
};

static char domain_handle;

static void say(const char *what, const char *name)
{
    FILE *file = fopen(getenv("NVTX_STUB_LOG"), "ae");
    fprintf(file, "%s %s\n", what, name);
    fclose(file);
}

void *nvtxDomainCreateA(const char *name);
int nvtxDomainRangePushEx(void *domain, const struct attributes *attributes);
int nvtxDomainRangePop(void *domain);
void nvtxNameCuDeviceA(int device, const char *name);
void nvtxNameCuStreamA(void *stream, const char *name);

void *nvtxDomainCreateA(const char *name)
{
    say("domain", name);
    return &domain_handle;
}

int nvtxDomainRangePushEx(void *domain, const struct attributes *attributes)
{
    int right = domain == &domain_handle && attributes->version == 3 && attributes->size == 48 &&
                attributes->message_type == 1 && attributes->color_type == 1 && attributes->color;
    say(right ? "push" : "WRONG", attributes->message);
    return 0;
}

int nvtxDomainRangePop(void *domain)
{
    say(domain == &domain_handle ? "pop" : "WRONG", "");
    return 0;
}

void nvtxNameCuDeviceA(int device, const char *name)
{
    say(device >= 0 ? "device" : "WRONG", name);
}

void nvtxNameCuStreamA(void *stream, const char *name)
{
    say(stream ? "stream" : "WRONG", name);
}

#ifndef STUB_NVTX_EXPORTS

typedef void (*function)(void);

struct callbacks {
    size_t size;
    int (*get_table)(int module, function ***table, unsigned *size);
};

struct version {
    size_t size;
    uint32_t version, reserved;
    void (*set)(uint32_t version);
};

/* A profiler may write to every slot of a module. */
static int take(const struct callbacks *callbacks, int module, unsigned expected, function ***table)
{
    unsigned size = 0;
    if (!callbacks->get_table(module, table, &size) || size != expected)
        return 0;
    for (unsigned i = 1; i < size; i++)
        *(*table)[i] = NULL;
    return 1;
}

int InitializeInjectionNvtx2(const void *(*get_export_table)(uint32_t number));
int InitializeInjectionNvtx2(const void *(*get_export_table)(uint32_t number))
{
    const struct callbacks *callbacks = get_export_table(1);
    const struct version *version = get_export_table(3);
    function **core, **cuda, **core2, **others;
    if (getenv("NVTX_STUB_REFUSE"))
        return 0;
    if (!callbacks || callbacks->size != sizeof *callbacks || !version || version->version != 3 ||
        version->size != sizeof *version || get_export_table(2))
        return 0;
    version->set(3);
    if (!take(callbacks, 1, 16, &core) || !take(callbacks, 2, 9, &cuda) ||
        !take(callbacks, 3, 15, &others) || !take(callbacks, 4, 7, &others) ||
        !take(callbacks, 5, 16, &core2) || !take(callbacks, 6, 7, &others) ||
        callbacks->get_table(7, &others, NULL) || callbacks->get_table(0, &others, NULL))
        return 0;
    *core2[12] = (function)nvtxDomainCreateA;
    *core2[4] = (function)nvtxDomainRangePushEx;
    *core2[5] = (function)nvtxDomainRangePop;
    *cuda[1] = (function)nvtxNameCuDeviceA;
    *cuda[5] = (function)nvtxNameCuStreamA;
    return 1;
}

#endif
