/* The float environment that kernels run in: C's default, whatever the host program has set for its
 * threads (a program linked with -ffast-math has subnormal numbers flushed to zero, and threads
 * inherit that). The caller's is put back, its exception flags too.
 */
#ifndef TEENY_RUNTIME_CPU_FLOAT_ENVIRONMENT_H
#define TEENY_RUNTIME_CPU_FLOAT_ENVIRONMENT_H

#include <stdint.h>

typedef uint64_t float_environment;

static inline float_environment float_environment_begin(void)
{
    float_environment before = 0;
#if defined(__x86_64__)
    enum { ALL_EXCEPTIONS_MASKED = 0x1f80 }; /* MXCSR as a process starts with it */
    before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(ALL_EXCEPTIONS_MASKED);
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, xzr");
#endif
    return before;
}

static inline void float_environment_end(float_environment before)
{
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr((unsigned)before);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(before));
#else
    (void)before;
#endif
}

#endif
