/* What the parts of gpu_check share: a table of checks, and what a check uses.
 *
 * A check is a function that ends at the first thing that is wrong, having said what. It prints one
 * line, `right` or `WRONG`, and below a WRONG one the place, the call, its status and message.
 */
#ifndef TEENY_TESTS_STREAMS_CHECK_H
#define TEENY_TESTS_STREAMS_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <teeny/teeny.h>

#include "kernels.h"

typedef enum check_needs {
    ANY_DEVICE,
    ASYNCHRONOUS, /* work goes on when a call has returned: not on emu */
    ON_CUDA,
    ON_CUDA_ALONE, /* no tool may come between: it calls the driver itself */
    TWO_GPUS,
} check_needs;

typedef struct check_row {
    const char *name;
    void (*body)(void);
    check_needs needs;
} check_row;

extern const check_row check_copies[], check_events[], check_graphs[], check_options[],
    check_foreign[], check_captures[], check_contexts[], check_peers[]; /* each ends with NULL */

/* The device of the command line, and a stream of it that each check finds empty. */
extern teeny_device *device;
extern teeny_stream *stream;

enum { COUNT = 1000, BYTES = COUNT * (int)sizeof(float) };

/* Of a clock that only goes forward. */
double check_seconds(void);

/* Keeps the stream busy for some tens of milliseconds; `target` has SPIN_COUNT floats. */
teeny_status check_spin(teeny_stream *on, float *target);

/* Holds the stream up until check_release, at the latest behind the check. */
teeny_status check_hold(teeny_stream *on);
void check_release(void);

/* A buffer that is destroyed behind the check, and its memory. */
teeny_buffer *check_buffer(size_t size);
float *check_floats(teeny_buffer *buffer);

/* Streams and events that are destroyed behind the check. */
teeny_stream *check_stream(void);
teeny_event *check_event(bool timed);

/* Memory of teeny_host_allocate that is freed behind the check. */
void *check_pinned(size_t size);

/* captures.c: ends what a check began there and could not end itself. */
void check_end_capture(void);

/* The calls above end the program where they fail. */
void check_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What the device cannot do, which only it could say: the check is skipped, unless it has failed.
 */
void check_skip(const char *reason_format, ...) __attribute__((format(printf, 1, 2)));

/* Shown behind `right`. */
void check_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* REQUIRE(condition, format, ...): ends the check with a message where the condition is false. */
#define REQUIRE(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            check_fail(__FILE__, __LINE__, __VA_ARGS__);                                           \
            return;                                                                                \
        }                                                                                          \
    } while (0)

/* Ends the check where a call has another status. */
#define GIVES(status, call)                                                                        \
    do {                                                                                           \
        teeny_status found_ = (call);                                                              \
        REQUIRE(found_ == (status), "%s\n    gives %s, not %s; the message: %s", #call,            \
            teeny_status_name(found_), teeny_status_name(status), teeny_message());                \
    } while (0)
#define OK(call) GIVES(TEENY_OK, call)

/* Ends the check where a value is another. */
#define EQUAL(found, expected)                                                                     \
    do {                                                                                           \
        double found_ = (double)(found), expected_ = (double)(expected);                           \
        REQUIRE(found_ == expected_, "%s is %.9g, not %s = %.9g", #found, found_, #expected,       \
            expected_);                                                                            \
    } while (0)

#endif
