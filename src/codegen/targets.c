/* See targets.h. */
#include "codegen/targets.h"

#include <elf.h>
#include <string.h>

#include "base/cpu_targets.h"

#define KIB(n) ((n) * 1024u)

/* Triples of digits such as 86 with 78 mean sm_86 with PTX 7.8. The default PTX version is the
 * least one, since a driver refuses PTX that is newer than itself. */
const struct nvidia_target nvidia_targets[] = {
    {"sm_75", 75, 63, KIB(64), "Turing"},
    {"sm_80", 80, 70, KIB(163), "Ampere: A100"},
    {"sm_86", 86, 71, KIB(99), "Ampere: A10, RTX 30"},
    {"sm_89", 89, 78, KIB(99), "Ada: L4, L40, RTX 40"},
    {"sm_90", 90, 78, KIB(227), "Hopper: H100, H200; runs on later chips too"},
    {"sm_90a", 90, 80, KIB(227), "Hopper with wgmma; runs on no later chip"},
    {"sm_100", 100, 86, KIB(227), "Blackwell: B200; runs on later chips too"},
    {"sm_100a", 100, 86, KIB(227), "Blackwell with tcgen05; runs on no later chip"},
    {"sm_120", 120, 87, KIB(99), "Blackwell: RTX 50; runs on later chips too"},
    {"sm_120a", 120, 87, KIB(99), "Blackwell: RTX 50 with its own instructions"},
};
const size_t nvidia_target_count = sizeof nvidia_targets / sizeof *nvidia_targets;

const struct nvidia_target *nvidia_target_find(const char *name)
{
    for (size_t i = 0; i < nvidia_target_count; i++)
        if (strcmp(nvidia_targets[i].name, name) == 0)
            return &nvidia_targets[i];
    return NULL;
}

/* LLVM's back end for the host is the only one besides NVPTX. */
#if defined(__aarch64__)
#define IS_HOST(machine) ((machine) == EM_AARCH64)
#else
#define IS_HOST(machine) ((machine) == EM_X86_64)
#endif

#define ROW(name, machine, level, processor, features, notes)                                      \
    {IS_HOST(machine) ? (name) : NULL, processor, features, notes},
const struct host_target host_targets[] = {CPU_TARGET_TABLE(ROW)};
const size_t host_target_count = sizeof host_targets / sizeof *host_targets;

const struct host_target *host_target_find(const char *name)
{
    for (size_t i = 0; i < host_target_count; i++)
        if (host_targets[i].name && strcmp(host_targets[i].name, name) == 0)
            return &host_targets[i];
    return NULL;
}
