/* One program that uses every public function of libteeny, for tests in which calls below it fail.
 *
 * It goes on after a failure with whatever it has, takes everything down in any case, and checks
 * what it computed wherever nothing failed. A further public function is a further line of a step
 * in scenario.c; its test compares the library's exports with what the scenario calls.
 */
#ifndef TEENY_TESTS_RUNTIME_SCENARIO_H
#define TEENY_TESTS_RUNTIME_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <teeny/kernel.h>
#include <teeny/teeny.h>

/* kernels.h's, for the test that the scenario is linked with. */
TEENY_KERNEL_DECLARE(
    vector_add, (f32 * out, const f32 *x, const f32 *y, i32 n), META(BLOCK = 1024));

typedef struct scenario_report {
    teeny_status first;   /* that was not TEENY_OK, or TEENY_OK */
    bool is_wrong;        /* nothing failed, yet a result was not the right one */
    const char *step;     /* that is being done, or failed first */
    size_t length;        /* of `messages` */
    char messages[16384]; /* of all that failed, one behind the other */
} scenario_report;

/* Runs it on a device; `after_step` may be NULL. */
void scenario_run(
    const char *device, void (*after_step)(const char *step), scenario_report *out_report);

/* ---- For its parts --------------------------------------------------------------------------- */

/* Notes what failed, and is whether nothing did. */
bool scenario_good(scenario_report *report, teeny_status status);

/* Something has to be right where nothing has failed so far. */
void scenario_expect(scenario_report *report, bool right);

/* The part that is in scenario_order.c. */
void scenario_order(teeny_device *device, scenario_report *report);

#endif
