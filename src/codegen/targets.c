/* See targets.h. */
#include "codegen/targets.h"

#include <string.h>

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
