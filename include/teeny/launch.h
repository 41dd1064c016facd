/* Typed launches, in C and in C++.
 *
 * A kernel's own C prototype checks the launch: a call with the arguments stands in an unevaluated
 * sizeof, so a wrong count, pointer type, const or tensor rank is the compiler's error
 * at the user's line. A struct with one field a parameter then converts the arguments as C does,
 * and is the packed argument buffer.
 *
 * This header must not become a system header: the host compiler's conversion checks would fall
 * silent in it.
 */
#ifndef TEENY_LAUNCH_H
#define TEENY_LAUNCH_H

#include <teeny/descriptor.h>
#include <teeny/foreach.h>
#include <teeny/tensor.h>
#include <teeny/types.h>

#define TEENY_FIELD(parameter) parameter;

/* A field for each of a kernel's parameters; `(void)` and `()` have none. */
#define TEENY_FIELDS(parameters)                                                                   \
    TEENY_SECOND_OF(TEENY_START_OF parameters, TEENY_FOR_EACH(TEENY_FIELD, parameters), )
#define TEENY_SECOND_OF(...) TEENY_SECOND(__VA_ARGS__)
#define TEENY_SECOND(first, second, ...) second
#define TEENY_START_OF(...) TEENY_START(__VA_ARGS__, )
#define TEENY_START(first, ...) TEENY_START_##first
#define TEENY_START_void , ,
#define TEENY_START_ , ,

/* The record of a kernel, for functions that take a `const teeny_kernel *`. */
#define TEENY_KERNEL_OF(name) (&teeny_kernel_##name)

/* A kernel's name as a string: what is known of one that is only declared, as its code may come
 * from a file. */
#define TEENY_NAME_OF(name) #name

/* A kernel's prototype, as a pointer that is never defined: it may be declared any number of times,
 * and a second declaration that differs is an error. */
#define TEENY_PROTOTYPE(name, parameters) extern void(*const teeny_prototype_##name) parameters

/* TEENY_KERNEL_DECLARE(name, (parameters), META(...)); in a header gives the files that include it
 * the typed launch of a kernel that TEENY_KERNEL defines in one file of the program. META repeats
 * the kernel's own, as documentation: the defaults are those of the definition. A file has one
 * declaration of a kernel: the header that teenyc --emit c writes holds one, too. */
#ifdef __cplusplus

#define TEENY_KERNEL_DECLARE(name, parameters, meta)                                               \
    extern "C" const teeny_kernel teeny_kernel_##name;                                             \
    __extension__ struct teeny_declared_##name {                                                   \
        TEENY_FIELDS(parameters)                                                                   \
    };                                                                                             \
    TEENY_PROTOTYPE(name, parameters)

#define TEENY_ARGUMENTS(name) teeny_declared_##name

/* A struct without members takes a byte in C++, and none in C, where the kernel is defined. */
#define TEENY_PACKED_SIZE (__is_empty(__typeof__(teeny_packed_)) ? 0 : sizeof teeny_packed_)

#else

#define TEENY_KERNEL_DECLARE(name, parameters, meta)                                               \
    extern const teeny_kernel teeny_kernel_##name;                                                 \
    __extension__ struct teeny_declared_##name {                                                   \
        TEENY_FIELDS(parameters)                                                                   \
    };                                                                                             \
    TEENY_PROTOTYPE(name, parameters);                                                             \
    extern const char teeny_known_##name[2]

/* The file that defines a kernel may include the header that declares it, and C17 lets neither
 * define the other's struct again, so each macro has its own tag. Which of the two exists is told
 * by an array that is never defined: of 2 elements where the kernel was declared, of unknown size
 * where it was only defined. The composite of both is 2, and 2 is not compatible with the 1 asked
 * for. */
#define TEENY_ARGUMENTS(name)                                                                      \
    __typeof__(*_Generic(&teeny_known_##name,                                                      \
            const char (*)[1]: (struct teeny_arguments_##name *)0,                                 \
            default: (struct teeny_declared_##name *)0))

#define TEENY_PACKED_SIZE sizeof teeny_packed_

#endif

/* TEENY_LAUNCH(kernel, stream, grid, arguments...) starts a kernel with its default options on a
 * teeny_stream, over a teeny_grid, and is a teeny_status. TEENY_LAUNCH_FUNCTION(kernel, function,
 * stream, grid, arguments...) starts a teeny_function that teeny_load made of this kernel with
 * options of its own; a function of a kernel of another name is TEENY_INVALID_ARGUMENT. Both need
 * <teeny/teeny.h>; arguments are evaluated once. */
#define TEENY_LAUNCH(kernel, stream, grid, ...)                                                    \
    TEENY_PACKED(kernel,                                                                           \
        teeny_launch(                                                                              \
            (stream), TEENY_KERNEL_OF(kernel), (grid), &teeny_packed_, TEENY_PACKED_SIZE),         \
        __VA_ARGS__)
#define TEENY_LAUNCH_FUNCTION(kernel, function, stream, grid, ...)                                 \
    TEENY_PACKED(kernel,                                                                           \
        teeny_launch_function_of((stream), TEENY_NAME_OF(kernel), (function), (grid), NULL,        \
            &teeny_packed_, TEENY_PACKED_SIZE),                                                    \
        __VA_ARGS__)

/* The same with a `const teeny_launch_options *` behind the grid. */
#define TEENY_LAUNCH_WITH(kernel, stream, grid, options, ...)                                      \
    TEENY_PACKED(kernel,                                                                           \
        teeny_launch_with((stream), TEENY_KERNEL_OF(kernel), (grid), (options), &teeny_packed_,    \
            TEENY_PACKED_SIZE),                                                                    \
        __VA_ARGS__)
#define TEENY_LAUNCH_FUNCTION_WITH(kernel, function, stream, grid, options, ...)                   \
    TEENY_PACKED(kernel,                                                                           \
        teeny_launch_function_of((stream), TEENY_NAME_OF(kernel), (function), (grid), (options),   \
            &teeny_packed_, TEENY_PACKED_SIZE),                                                    \
        __VA_ARGS__)

/* TEENY_KERNEL_INFO(kernel, function, out_resources, arguments...): teeny_kernel_info of the code
 * that a launch with these arguments runs. */
#define TEENY_KERNEL_INFO(kernel, function, out_resources, ...)                                    \
    TEENY_PACKED(kernel,                                                                           \
        teeny_kernel_info((function), &teeny_packed_, TEENY_PACKED_SIZE, (out_resources)),         \
        __VA_ARGS__)

/* Evaluates `start` where `teeny_packed_` holds the arguments, checked and converted. What older
 * compilers only warn of, a pointer to another type, is an error; and a floating argument for an
 * integer parameter is one, as no reader expects it to be cut. A long or size_t for an i32 is cut
 * silently, as in any call of C (-Wconversion warns); C++ refuses it unless it is a constant that
 * fits. */
#define TEENY_PACKED(kernel, start, ...)                                                           \
    (__extension__({                                                                               \
        TEENY_CONVERSION_BEGIN                                                                     \
        TEENY_ARGUMENTS(kernel) teeny_packed_ = {__VA_ARGS__};                                     \
        (void)sizeof((teeny_prototype_##kernel(__VA_ARGS__), 0));                                  \
        teeny_status teeny_status_ = start;                                                        \
        TEENY_CONVERSION_END                                                                       \
        teeny_status_;                                                                             \
    }))

#ifdef __cplusplus
#define TEENY_CONVERSION_ERRORS _Pragma("GCC diagnostic error \"-Wnarrowing\"")
#elif defined(__clang__)
#define TEENY_CONVERSION_ERRORS                                                                    \
    _Pragma("clang diagnostic error \"-Wincompatible-pointer-types\"")                             \
        _Pragma("clang diagnostic error \"-Wincompatible-pointer-types-discards-qualifiers\"")     \
            _Pragma("clang diagnostic error \"-Wint-conversion\"")
#else
#define TEENY_CONVERSION_ERRORS                                                                    \
    _Pragma("GCC diagnostic error \"-Wincompatible-pointer-types\"")                               \
        _Pragma("GCC diagnostic error \"-Wdiscarded-qualifiers\"")                                 \
            _Pragma("GCC diagnostic error \"-Wint-conversion\"")
#endif
#define TEENY_CONVERSION_BEGIN                                                                     \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wfloat-conversion\"")          \
        TEENY_CONVERSION_ERRORS
#define TEENY_CONVERSION_END _Pragma("GCC diagnostic pop")

#endif
