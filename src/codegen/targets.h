/* The NVIDIA targets that teenyc knows, one line each. */
#ifndef TEENY_CODEGEN_TARGETS_H
#define TEENY_CODEGEN_TARGETS_H

#include <stddef.h>

struct nvidia_target {
    const char *name;            /* as in --target, and the processor's name for LLVM and ptxas */
    unsigned compute_capability; /* 90 for sm_90 and sm_90a */
    unsigned ptx_version;        /* least that knows the target, and the default: 80 is PTX 8.0 */
    unsigned max_shared_bytes;   /* that one program can have, at most */
    const char *notes;
};

extern const struct nvidia_target nvidia_targets[];
extern const size_t nvidia_target_count;

/* What the target emu stands in for. */
#define NVIDIA_EMULATED_TARGET "sm_90a"

/* The newest PTX version that the compiler can write. */
enum { NVIDIA_NEWEST_PTX = 90 };

/* NULL where there is none of that name. */
const struct nvidia_target *nvidia_target_find(const char *name);

/* A level of processors of this host's kind, such as x86-64-v3 (base/cpu_targets.h). */
struct host_target {
    const char *name;                 /* NULL: of another kind of machine */
    const char *processor, *features; /* LLVM's */
    const char *notes;
};

extern const struct host_target host_targets[];
extern const size_t host_target_count;

/* NULL where there is none of that name, or it is another kind of machine's. */
const struct host_target *host_target_find(const char *name);

#endif
