/* The functions of NVTX that libteeny calls, as whatever profiler there is provides them.
 *
 * Written from NVTX's public headers (version 3), of which none is needed to build.
 */
#ifndef TEENY_RUNTIME_OBSERVE_NVTX_TOOL_H
#define TEENY_RUNTIME_OBSERVE_NVTX_TOOL_H

#include <stdbool.h>
#include <stdint.h>

enum { NVTX_VERSION = 3, NVTX_COLOR_ARGB = 1, NVTX_MESSAGE_TYPE_ASCII = 1 };

/* nvtxEventAttributes_t */
typedef struct nvtx_attributes {
    uint16_t version;
    uint16_t size; /* of this struct, in bytes */
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type;
    int32_t reserved;
    uint64_t payload;
    int32_t message_type;
    const char *message;
} nvtx_attributes;

/* NULL where the profiler does not listen to it. */
typedef struct nvtx_functions {
    void *(*domain_create)(const char *name);
    int (*range_push)(void *domain, const nvtx_attributes *attributes);
    int (*range_pop)(void *domain);
    void (*name_device)(int device, const char *name);
    void (*name_stream)(void *stream, const char *name);
} nvtx_functions;

/* Attaches to the library that NVTX_INJECTION64_PATH names, as profilers set it, or, where none is
 * named, to libnvToolsExt.so.1. False: there is none, or it does not want to; `*out_problem` is a
 * phrase, static. */
bool teeny_nvtx_attach(nvtx_functions *out_functions, const char **out_problem);

#endif
