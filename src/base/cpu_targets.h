/* The processors that code for the host can be made for besides the one at hand: levels that many
 * machines share, for programs that are compiled once and run elsewhere. Needs <elf.h>. */
#ifndef TEENY_BASE_CPU_TARGETS_H
#define TEENY_BASE_CPU_TARGETS_H

/* X(name, machine, level, LLVM's processor, LLVM's features, notes). A machine of a level runs the
 * code of all levels up to it. */
#define CPU_TARGET_TABLE(X)                                                                        \
    X("x86-64", EM_X86_64, 1, "x86-64", "+cx8,+fxsr,+mmx,+sse,+sse2", "of x86-64: SSE2")           \
    X("x86-64-v2", EM_X86_64, 2, "x86-64-v2",                                                      \
        "+cx8,+fxsr,+mmx,+sse,+sse2,+cx16,+sahf,+popcnt,+sse3,+ssse3,+sse4.1,+sse4.2",             \
        "of x86-64 since about 2009: SSE4.2")                                                      \
    X("x86-64-v3", EM_X86_64, 3, "x86-64-v3",                                                      \
        "+cx8,+fxsr,+mmx,+sse,+sse2,+cx16,+sahf,+popcnt,+sse3,+ssse3,+sse4.1,+sse4.2,+avx,+avx2,"  \
        "+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+xsave",                                              \
        "of x86-64 since about 2014: AVX2, FMA")                                                   \
    X("x86-64-v4", EM_X86_64, 4, "x86-64-v4",                                                      \
        "+cx8,+fxsr,+mmx,+sse,+sse2,+cx16,+sahf,+popcnt,+sse3,+ssse3,+sse4.1,+sse4.2,+avx,+avx2,"  \
        "+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+xsave,+avx512f,+avx512bw,+avx512cd,+avx512dq,"       \
        "+avx512vl",                                                                               \
        "of x86-64 with AVX-512")                                                                  \
    X("aarch64", EM_AARCH64, 1, "generic", "+fp-armv8,+neon", "of 64-bit Arm")

#endif
