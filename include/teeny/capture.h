/* The capture macros: a kernel is checked by the C compiler at hand and kept as text.
 *
 *   TEENY_KERNEL(name, (parameters), META(NAME = default, ...), { body });
 *   TEENY_DEVICE(result, name, (parameters), { body });   a helper for kernels and other helpers
 *   TEENY_DECL(enum { TILE = 64 }; typedef ...;);         constants and types for kernels
 *   TEENY_TYPE(T, f16);                                   an element type, with the host's default
 *
 * Each declares what it says to the host compiler, and leaves a record (descriptor.h) of its text.
 * A kernel's function is `static inline` and never called, so no compiler emits it.
 */
#ifndef TEENY_CAPTURE_H
#define TEENY_CAPTURE_H
#pragma GCC system_header

#ifndef TEENYC
#include <teeny/launch.h>
#endif

/* META(BLOCK = 1024) is never expanded itself: it is pasted to one of the two macros below, so that
 * a kernel written without META fails to preprocess instead of losing its body. */
#define TEENY_META_ENUM_META(...) __extension__ enum { teeny_meta_, __VA_ARGS__ };
#define TEENY_META_TEXT_META(...) TEENY_STRING(__VA_ARGS__)
#define TEENY_STRING(...) #__VA_ARGS__

/* __COUNTER__ gives the records their order; clang 22 calls it an extension under -Wpedantic, at
 * the user's line, where no push and pop of ours would reach. */
#if defined(__clang__) && defined(__has_warning)
#if __has_warning("-Wc2y-extensions")
#pragma clang diagnostic ignored "-Wc2y-extensions"
#endif
#endif

#ifdef TEENYC

#define TEENY_KERNEL(name, parameters, meta, ...)                                                  \
    void name parameters                                                                           \
    {                                                                                              \
        TEENY_META_ENUM_##meta(void) teeny_meta_;                                                  \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    struct teeny_needs_a_semicolon
#define TEENY_DEVICE(result, name, parameters, ...)                                                \
    static inline result name parameters __VA_ARGS__ struct teeny_needs_a_semicolon
#define TEENY_DECL(...) __VA_ARGS__ struct teeny_needs_a_semicolon
#define TEENY_TYPE(name, type)                                                                     \
    typedef type name;                                                                             \
    TEENY_TYPE_TENSORS(name)                                                                       \
    typedef TEENY_LANE(type) TEENY_LANE(name)
#ifdef TEENYC_TENSORS
#define TEENY_TYPE_TENSORS(name) TEENY_DEFINE_TENSORS(name, name)
#else
#define TEENY_TYPE_TENSORS(name)
#endif

#else

/* One address a translation unit: not const, so that no linker folds it with another's. */
static char teeny_unit __attribute__((unused));

/* The bounds of the section, made by the linker; hidden: those of this program or library. */
extern const struct teeny_text *const teeny_module_begin[] __asm__("__start_teeny_text")
    __attribute__((visibility("hidden")));
extern const struct teeny_text *const teeny_module_end[] __asm__("__stop_teeny_text")
    __attribute__((visibility("hidden")));

#define TEENY_TEXT(kind_, name_, result_, parameters_, meta_, body_, order_)                       \
    {.version = TEENY_DESCRIPTOR_VERSION,                                                          \
        .kind = kind_,                                                                             \
        .order = order_,                                                                           \
        .line = __LINE__,                                                                          \
        .file = __FILE__,                                                                          \
        .name = name_,                                                                             \
        .result = result_,                                                                         \
        .parameters = parameters_,                                                                 \
        .meta = meta_,                                                                             \
        .body = body_,                                                                             \
        .unit = &teeny_unit,                                                                       \
        .module_begin = teeny_module_begin,                                                        \
        .module_end = teeny_module_end}

/* `retain` keeps the entry under --gc-sections with lld; older assemblers ignore it. */
#define TEENY_LIST(entry, text)                                                                    \
    static const struct teeny_text *const entry                                                    \
        __attribute__((section("teeny_text"), used, retain)) = text

/* A kernel is never called: in optimised and unoptimised code alike, a call is an error that says
 * so. */
#define TEENY_NEVER_CALLED                                                                         \
    __attribute__((unused, noinline, error("a kernel is launched with TEENY_LAUNCH, not called")))

#ifdef __clang__
#define TEENY_STRICT_BEGIN                                                                         \
    _Pragma("clang diagnostic push")                                                               \
        _Pragma("clang diagnostic error \"-Wincompatible-pointer-types\"")                         \
            _Pragma("clang diagnostic error \"-Wincompatible-pointer-types-discards-qualifiers\"") \
                _Pragma("clang diagnostic error \"-Wint-conversion\"")                             \
                    _Pragma("clang diagnostic error \"-Wimplicit-function-declaration\"")          \
                        _Pragma("clang diagnostic error \"-Wreturn-type\"")                        \
                            _Pragma("clang diagnostic ignored \"-Woverlength-strings\"")           \
                                _Pragma("clang diagnostic ignored \"-Wundefined-internal\"")
#define TEENY_STRICT_END _Pragma("clang diagnostic pop")
#define TEENY_KERNEL_ATTRIBUTES TEENY_NEVER_CALLED
#else
#define TEENY_STRICT_BEGIN                                                                         \
    _Pragma("GCC diagnostic push")                                                                 \
        _Pragma("GCC diagnostic error \"-Wincompatible-pointer-types\"")                           \
            _Pragma("GCC diagnostic error \"-Wint-conversion\"")                                   \
                _Pragma("GCC diagnostic error \"-Wdiscarded-qualifiers\"")                         \
                    _Pragma("GCC diagnostic error \"-Wimplicit-function-declaration\"")            \
                        _Pragma("GCC diagnostic error \"-Wreturn-type\"")                          \
                            _Pragma("GCC diagnostic ignored \"-Wpsabi\"")                          \
                                _Pragma("GCC diagnostic ignored \"-Wattributes\"")                 \
                                    _Pragma("GCC diagnostic ignored \"-Woverlength-strings\"")
#define TEENY_STRICT_END _Pragma("GCC diagnostic pop")
/* gcc 12 computes f16 scalars in float unless told otherwise, and then refuses tile * scalar. */
#define TEENY_KERNEL_ATTRIBUTES TEENY_NEVER_CALLED __attribute__((optimize("excess-precision=16")))
#endif

#define TEENY_KERNEL(name, parameters, meta, ...)                                                  \
    struct teeny_arguments_##name {                                                                \
        TEENY_FIELDS(parameters)                                                                   \
    };                                                                                             \
    TEENY_STRICT_BEGIN                                                                             \
    static inline TEENY_KERNEL_ATTRIBUTES void name parameters                                     \
    {                                                                                              \
        TEENY_META_ENUM_##meta(void) teeny_meta_;                                                  \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    extern const teeny_kernel teeny_kernel_##name;                                                 \
    const teeny_kernel teeny_kernel_##name = {                                                     \
        .text = TEENY_TEXT(TEENY_TEXT_KERNEL, #name, "", #parameters, TEENY_META_TEXT_##meta,      \
            #__VA_ARGS__, __COUNTER__),                                                            \
        .arguments_size = sizeof(struct teeny_arguments_##name)};                                  \
    TEENY_STRICT_END                                                                               \
    TEENY_LIST(teeny_listed_##name, &teeny_kernel_##name.text);                                    \
    TEENY_PROTOTYPE(name, parameters);                                                             \
    extern const char teeny_known_##name[]

#define TEENY_DEVICE(result, name, parameters, ...)                                                \
    TEENY_STRICT_BEGIN                                                                             \
    static inline __attribute__((unused)) result name parameters __VA_ARGS__ TEENY_RECORD(         \
        teeny_device_##name,                                                                       \
        TEENY_TEXT(TEENY_TEXT_DEVICE, #name, #result, #parameters, "", #__VA_ARGS__, __COUNTER__)) \
        TEENY_STRICT_END TEENY_LIST(teeny_listed_##name, &teeny_device_##name)

/* A braced initialiser passes through as __VA_ARGS__: it holds commas. */
#define TEENY_RECORD(name, ...) static const struct teeny_text name = __VA_ARGS__;

#define TEENY_DECL(...)                                                                            \
    __VA_ARGS__                                                                                    \
    TEENY_DECL_(__COUNTER__, #__VA_ARGS__)
#define TEENY_DECL_(order, text) TEENY_DECL__(order, text)
#define TEENY_DECL__(order, text)                                                                  \
    TEENY_RECORD(teeny_decl_##order, TEENY_TEXT(TEENY_TEXT_DECL, "", "", "", "", text, order))     \
    TEENY_LIST(teeny_listed_decl_##order, &teeny_decl_##order)

#define TEENY_TYPE(name, type)                                                                     \
    typedef type name;                                                                             \
    TEENY_DEFINE_TENSORS(name, name)                                                               \
    typedef TEENY_LANE(type) TEENY_LANE(name);                                                     \
    TEENY_RECORD(                                                                                  \
        teeny_type_##name, TEENY_TEXT(TEENY_TEXT_TYPE, #name, "", "", "", #type, __COUNTER__))     \
    TEENY_LIST(teeny_listed_type_##name, &teeny_type_##name)

#endif

#endif
