/* Ranges and names for a profiler; see nvtx.h. Ranges are made by a hook like any other. */
#include "runtime/observe/nvtx.h"

#include "base/environment.h"
#include "runtime/observe/hooks.h"
#include "runtime/observe/nvtx_tool.h"
#include "runtime/report.h"

#include <stdio.h>
#include <string.h>

/* Set before the first device is opened, and never again. */
static nvtx_functions nvtx;
static void *domain;

static const struct {
    teeny_hook_kind kind;
    const char *verb;
    uint32_t color; /* alpha, red, green, blue */
} looks[] = {
    {TEENY_HOOK_COMPILE, "compile", 0xffd95f02},
    {TEENY_HOOK_LOAD, "load", 0xff7570b3},
    {TEENY_HOOK_LAUNCH, "launch", 0xff1b9e77},
};

static void push(const teeny_hook_record *record)
{
    char message[256];
    nvtx_attributes attributes = {.version = NVTX_VERSION,
        .size = sizeof attributes,
        .color_type = NVTX_COLOR_ARGB,
        .message_type = NVTX_MESSAGE_TYPE_ASCII,
        .message = message};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        if (looks[i].kind != record->kind)
            continue;
        snprintf(message, sizeof message, "%s %s", looks[i].verb, record->kernel);
        attributes.color = looks[i].color;
        nvtx.range_push(domain, &attributes);
    }
}

static void make_range(const teeny_hook_record *record, void *user)
{
    (void)user;
    if (record->is_exit)
        nvtx.range_pop(domain);
    else
        push(record);
}

static bool is_asked_for(bool *out_by_name)
{
    *out_by_name = teeny_environment(TEENY_VARIABLE_TEENY_NVTX) != NULL;
    if (*out_by_name)
        return teeny_environment_is_on(TEENY_VARIABLE_TEENY_NVTX);
    return teeny_environment(TEENY_VARIABLE_NVTX_INJECTION64_PATH) != NULL;
}

void teeny_nvtx_start(void)
{
    static const teeny_hook ranges = {
        .kinds = TEENY_HOOK_COMPILE | TEENY_HOOK_LOAD | TEENY_HOOK_LAUNCH, .function = make_range};
    bool by_name;
    const char *problem;
    if (!is_asked_for(&by_name))
        return;
    if (!teeny_nvtx_attach(&nvtx, &problem)) {
        nvtx = (nvtx_functions){0};
        teeny_log(
            by_name ? TEENY_LOG_WARNING : TEENY_LOG_INFO, "there are no NVTX ranges: %s", problem);
        return;
    }
    if (nvtx.domain_create)
        domain = nvtx.domain_create("teeny");
    if (nvtx.range_push && nvtx.range_pop)
        teeny_hook_register_own(&ranges);
}

void teeny_nvtx_name_device(int device, const char *name)
{
    if (nvtx.name_device)
        nvtx.name_device(device, name);
}

void teeny_nvtx_name_stream(void *stream, const char *device_name)
{
    static atomic_uint last;
    char name[64];
    if (!nvtx.name_stream)
        return;
    snprintf(name, sizeof name, "teeny %s stream %u", device_name, atomic_fetch_add(&last, 1) + 1);
    nvtx.name_stream(stream, name);
}
