/* Hooks: functions of the host program that are told of every compilation, load and launch.
 *
 * Each is reported twice, on the thread that does it: at its beginning and, with status and
 * duration, at its end. A hook hears no end whose beginning it has not heard. Where one thing
 * happens within another, as when the first launch of a kernel compiles and loads it, the reports
 * nest; several hooks are called in the order of their registration at a beginning, and in reverse
 * at an end.
 *
 * Without hooks a launch pays one relaxed load for them. With TEENY_NVTX=1, or under a profiler
 * that names an injection library, libteeny registers one of its own, which makes NVTX ranges.
 */
#ifndef TEENY_HOOKS_H
#define TEENY_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <teeny/compile.h>
#include <teeny/device.h>
#include <teeny/grid.h>
#include <teeny/status.h>
#include <teeny/stream.h>

TEENY_BEGIN_C

#define TEENY_HOOK_LIMIT 16 /* hooks that can be registered at once */

/* What is reported; bits of a set. */
typedef enum teeny_hook_kind {
    /* A kernel becomes an artifact: from the cache, or by teenyc. Each variant of a kernel counts.
     */
    TEENY_HOOK_COMPILE = 1,
    /* A device takes in an artifact; on cuda the driver may compile its PTX meanwhile. */
    TEENY_HOOK_LOAD = 2,
    /* A call that launches, from its arguments' check to its return: the kernel may run later, and
     * in a stream that is being captured it becomes a part of the graph, whose launches are not
     * told of. */
    TEENY_HOOK_LAUNCH = 4,
} teeny_hook_kind;

/* What happens. It and all that it points to is only good during the call. */
typedef struct teeny_hook_record {
    teeny_hook_kind kind;
    bool is_exit;       /* it has ended; else it begins */
    uint64_t number;    /* the same at beginning and end, and nowhere else in the process */
    const char *kernel; /* the kernel's name */
    const char *target; /* what it is compiled for, such as "sm_90" */
    /* What was made, loaded or launched. NULL at the beginning of a compilation, at that of the
     * first launch, and after a failure. At the end of a launch it is the variant that was
     * chosen for the arguments. */
    const teeny_artifact *artifact;
    teeny_device *device;  /* NULL for a compilation */
    teeny_stream *stream;  /* of a launch, else NULL */
    teeny_grid grid;       /* of a launch, else all 0 */
    const void *arguments; /* of a launch: the packed struct of parameters; else NULL */
    size_t arguments_size; /* in bytes */
    /* At the end: the call's status, whose message is teeny_message(), and the host's time since
     * the beginning, in nanoseconds. TEENY_OK and 0 at the beginning. */
    teeny_status status;
    uint64_t nanoseconds;
} teeny_hook_record;

/* A function and what it wants to hear. */
typedef struct teeny_hook {
    unsigned kinds; /* teeny_hook_kind values, or'ed together; at least one */
    /* Called by any thread that uses libteeny, by several at once. What it does with libteeny
     * itself, launches included, is reported to no hook, and its own failures do not change the
     * message of the call that it is told of. It may unload the function of a launch that it is
     * told of, which goes on. One that is being compiled or loaded for a launch stays loaded, which
     * is told to the log: it can be unloaded at the launch's end. */
    void (*function)(const teeny_hook_record *record, void *user);
    void *user; /* handed to both functions as it is */
    /* Called once, after it was unregistered and its last call has returned: nothing uses `user`
     * any more. NULL where that is nothing to know. */
    void (*release)(void *user);
} teeny_hook;

/* A hook that is registered. */
typedef struct teeny_hook_registration teeny_hook_registration;

/* Registers a hook, which is copied; it hears what begins from now on. teeny_hook_unregister takes
 * it back; one that never is stays for the life of the process. Thread-safe. Errors:
 * TEENY_INVALID_ARGUMENT, no function, or a set of kinds that is empty or has others;
 * TEENY_OUT_OF_MEMORY, also where TEENY_HOOK_LIMIT are registered. */
TEENY_API teeny_status teeny_hook_register(
    const teeny_hook *hook, teeny_hook_registration **out_registration);

/* Ends a registration; NULL is allowed. No call of the hook begins after this. It waits for those
 * that run on other threads, and has called `release` when it returns; but inside a hook, its own
 * or another, it waits for none, and `release` is called by whoever ends the last. So a hook may
 * unregister itself. A thread outside of all hooks must not hold a lock that the hook waits for.
 * Thread-safe. */
TEENY_API void teeny_hook_unregister(teeny_hook_registration *registration);

TEENY_END_C

#endif
