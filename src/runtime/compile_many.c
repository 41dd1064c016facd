/* A list of compilations, several at once: threads take the next item until there is none.
 *
 * Each thread waits for one teenyc at a time, so their number bounds that of the processes. The
 * calling thread is one of them; where no other can be started it does all of the work.
 */
#include "runtime/callback.h"
#include "runtime/compile.h"
#include "runtime/host_threads.h"
#include "runtime/report.h"
#include "runtime/text.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 256 };

struct work {
    const teeny_compile_item *items;
    size_t count;
    teeny_compile_result *results;
    atomic_size_t next;
};

static teeny_status compile_item(const teeny_compile_item *item, bool *out_hit)
{
    if (!item || !item->kernel)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_compile_many: %s NULL",
            item ? "an item's kernel is" : "items is");
    teeny_artifact *artifact;
    teeny_status status = teeny_text_check(item->kernel);
    if (status == TEENY_OK)
        status =
            teeny_compile(item->kernel, item->target, item->options, item->specialise, &artifact);
    if (status != TEENY_OK)
        return status;
    *out_hit = artifact->hit;
    bool is_cached = artifact->cached;
    teeny_artifact_destroy(artifact);
    return is_cached ? TEENY_OK
                     : teeny_fail(TEENY_IO_FAILED,
                           "kernel `%s` was compiled, but the cache cannot be written to",
                           item->kernel->text.name);
}

static void *work_on(void *argument)
{
    struct work *work = argument;
    for (size_t i; (i = atomic_fetch_add(&work->next, 1)) < work->count;) {
        teeny_compile_result *result = &work->results[i];
        result->status = compile_item(work->items ? &work->items[i] : NULL, &result->hit);
        if (result->status != TEENY_OK)
            result->message = strdup(teeny_message());
    }
    return NULL;
}

static void work_together(struct work *work, size_t threads)
{
    pthread_t *others = calloc(threads, sizeof *others);
    size_t started = 0;
    while (
        others && started + 1 < threads && teeny_thread_start(&others[started], work_on, work) == 0)
        started++;
    work_on(work);
    for (size_t i = 0; i < started; i++)
        pthread_join(others[i], NULL);
    free(others);
}

/* The status of the first item that failed, with a message about all. */
static teeny_status conclude(const struct work *work)
{
    const teeny_compile_result *first = NULL;
    size_t failed = 0;
    for (size_t i = 0; i < work->count; i++) {
        if (work->results[i].status == TEENY_OK)
            continue;
        failed++;
        first = first ? first : &work->results[i];
    }
    if (!first)
        return TEENY_OK;
    return teeny_fail(first->status, "%zu of %zu kernels could not be compiled; the first: %s",
        failed, work->count,
        first->message ? first->message : teeny_status_explanation(first->status));
}

teeny_status teeny_compile_many(const teeny_compile_item *items, size_t count, unsigned processes,
    teeny_compile_result *out_results)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (count >= SIZE_MAX / sizeof(teeny_compile_item))
        return teeny_fail_memory();
    teeny_compile_result *own = out_results ? NULL : malloc((count + 1) * sizeof *own);
    if (!own && !out_results)
        return teeny_fail_memory();
    struct work work = {.items = items, .count = count, .results = own ? own : out_results};
    memset(work.results, 0, count * sizeof *work.results);
    atomic_init(&work.next, 0);
    size_t threads = processes ? processes : teeny_host_cores();
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    work_together(&work, threads < count ? threads : count);
    teeny_status status = conclude(&work);
    teeny_compile_results_free(own, count);
    free(own);
    return status;
}

void teeny_compile_results_free(teeny_compile_result *results, size_t count)
{
    for (size_t i = 0; results && i < count; i++) {
        free(results[i].message);
        results[i].message = NULL;
    }
}
