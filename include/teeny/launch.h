/* Typed launches, in C and in C++.
 *
 * A kernel's own C prototype checks the launch: the call `kernel(arguments)` stands in an unevaluated
 * sizeof, so a wrong count, pointer type, const or tensor rank is the compiler's error at the user's
 * line. A struct with one field a parameter then converts the arguments as C does, and is the packed
 * argument buffer.
 *
 * This header must not become a system header: the host compiler's conversion checks would fall
 * silent in it.
 */
#ifndef TEENY_LAUNCH_H
#define TEENY_LAUNCH_H

#include <teeny/descriptor.h>
#include <teeny/foreach.h>
#include <teeny/types.h>

#define TEENY_FIELD(parameter) parameter;

/* TEENY_KERNEL_DECLARE(name, (parameters), META(...)); in a header gives the files that include it
 * the typed launch of a kernel that TEENY_KERNEL defines in one of them. `META` must repeat the
 * kernel's own; it documents the defaults. */
#ifdef __cplusplus
#define TEENY_KERNEL_DECLARE(name, parameters, meta)                                               \
    extern "C" const teeny_kernel teeny_kernel_##name;                                             \
    struct teeny_declared_##name {                                                                 \
        TEENY_FOR_EACH(TEENY_FIELD, parameters)                                                    \
    };                                                                                             \
    void name parameters
#else
#define TEENY_KERNEL_DECLARE(name, parameters, meta)                                               \
    extern const teeny_kernel teeny_kernel_##name;                                                 \
    struct teeny_declared_##name {                                                                 \
        TEENY_FOR_EACH(TEENY_FIELD, parameters)                                                    \
    };                                                                                             \
    extern const char teeny_known_##name[2];                                                       \
    static inline TEENY_NEVER_CALLED void name parameters
#endif

/* The file that defines a kernel may include the header that declares it, and C17 lets neither
 * define the other's struct again, so each macro has its own tag. Which of the two exists is told by
 * an array that is never defined: of 2 elements where the kernel was declared, of unknown size where
 * it was only defined. The composite of both is 2, and 2 is not compatible with the 1 asked for. */
#define TEENY_ARGUMENTS(name)                                                                      \
    __typeof__(*_Generic(&teeny_known_##name,                                                      \
        const char (*)[1]: (struct teeny_arguments_##name *)0,                                     \
        default: (struct teeny_declared_##name *)0))

#define TEENY_NEVER_CALLED                                                                         \
    __attribute__((unused, noinline, error("a kernel is launched with TEENY_LAUNCH, not called")))

#endif
