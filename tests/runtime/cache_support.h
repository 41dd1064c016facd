/* What the tests of the cache share: entries, told apart by META(BLOCK) of one kernel. */
#ifndef TEENY_TESTS_RUNTIME_CACHE_SUPPORT_H
#define TEENY_TESTS_RUNTIME_CACHE_SUPPORT_H

#include <unistd.h>

#include "kernels.h"
#include "support.h"

static inline teeny_artifact *compile_block(int block)
{
    const teeny_options options = {.meta = {{"BLOCK", block}}};
    teeny_artifact *artifact = NULL;
    assert_ok(teeny_compile_kernel(&teeny_kernel_vector_add, "sm_90", &options, &artifact));
    return artifact;
}

/* Writes and reads any of so many entries: what an artifact names is there as long as it is held.
 */
static inline void use_entries(int seed, int times, int entries)
{
    srand((unsigned)seed);
    for (int i = 0; i < times; i++) {
        teeny_artifact *artifact = compile_block(rand() % entries + 1);
        assert_int_equal(access(teeny_artifact_path(artifact), R_OK), 0);
        assert_true(teeny_artifact_cached(artifact));
        teeny_artifact_destroy(artifact);
    }
}

#endif
