/* Threads that do anything at once for a while: compile, load, launch, copy, open and close
 * devices, on cpu and on the stub of the CUDA driver, while entries and the whole cache go away.
 *
 *     hammer SECONDS [SEED]
 *
 * Built with the thread sanitizer and, once more, with the address sanitizer. Every result is
 * checked. The seed decides what each thread does, not how they meet. Exit status 0: nothing was
 * wrong.
 */
#include "kernels.h"

#include "base/files.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <teeny/teeny.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 6, SIZE = 64, BLOCKS = 6 };

typedef struct worker {
    pthread_t thread;
    uint64_t random;
} worker;

static char directory[] = "/tmp/teeny-hammer-XXXXXX";
static char cache[sizeof directory + sizeof "/cache"];
static atomic_bool ends;
static atomic_int failures;

/* Opened once, used by all. */
static struct shared {
    const char *name;
    teeny_device *device;
    teeny_stream *stream;
    teeny_function *function;
} shared[] = {{.name = "cpu"}, {.name = "cuda:0"}};

enum { KINDS = sizeof shared / sizeof shared[0] };

static unsigned choose(worker *worker, unsigned count)
{
    worker->random ^= worker->random << 13;
    worker->random ^= worker->random >> 7;
    worker->random ^= worker->random << 17;
    return (unsigned)(worker->random >> 33) % count;
}

static bool good(teeny_status status, const char *what)
{
    if (status == TEENY_OK)
        return true;
    fprintf(stderr, "%s: %s: %s\n", what, teeny_status_name(status), teeny_message());
    atomic_fetch_add(&failures, 1);
    return false;
}

static void expect(bool right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "%s: wrong result\n", what);
    atomic_fetch_add(&failures, 1);
}

static teeny_options choose_options(worker *worker)
{
    return (teeny_options){.meta = {{"BLOCK", 1 + (int64_t)choose(worker, BLOCKS)}}};
}

/* ---- What a thread may do -------------------------------------------------------------------- */

static void compile(worker *worker)
{
    static const char *const targets[] = {"cpu", "sm_90", "sm_80"};
    const teeny_options options = choose_options(worker);
    teeny_artifact *artifact;
    if (!good(teeny_compile_kernel(
                  TEENY_KERNEL_OF(vector_add), targets[choose(worker, 3)], &options, &artifact),
            "compile"))
        return;
    int64_t block = 0;
    if (good(teeny_artifact_meta(artifact, "BLOCK", &block), "meta"))
        expect(block == options.meta[0].value, "meta");
    teeny_artifact_destroy(artifact);
}

/* Adds on a stream and compares. `function` may be NULL. */
static void add_on(
    worker *worker, teeny_device *device, teeny_stream *stream, teeny_function *function)
{
    float values[SIZE], sums[SIZE];
    teeny_buffer *out = NULL, *in = NULL;
    int n = 1 + (int)choose(worker, SIZE - 4), shift = (int)choose(worker, 4);
    for (int i = 0; i < SIZE; i++)
        values[i] = (float)(int)choose(worker, 1000);
    if (good(teeny_buffer_create(device, sizeof values, &out), "buffer") &&
        good(teeny_buffer_create(device, sizeof values, &in), "buffer") &&
        good(teeny_buffer_write(stream, in, 0, values, sizeof values), "write")) {
        float *to = (float *)teeny_buffer_pointer(out) + shift;
        float *from = (float *)teeny_buffer_pointer(in) + shift;
        teeny_grid grid = teeny_grid1(1 + choose(worker, 3));
        teeny_status status =
            function ? TEENY_LAUNCH_FUNCTION(vector_add, function, stream, grid, to, from, from, n)
                     : TEENY_LAUNCH(vector_add, stream, grid, to, from, from, n);
        if (good(status, "launch") &&
            good(teeny_buffer_read(stream, out, 0, sums, sizeof sums), "read"))
            for (int i = shift; i < shift + n; i++)
                expect(sums[i] == 2 * values[i], "launch");
    }
    teeny_buffer_destroy(out);
    teeny_buffer_destroy(in);
}

static void use_shared(worker *worker)
{
    const struct shared *with = &shared[choose(worker, KINDS)];
    add_on(worker, with->device, with->stream, choose(worker, 2) ? with->function : NULL);
}

/* cuda:1 is opened by nobody else: it comes and goes with its last user. */
static void use_own(worker *worker)
{
    static const char *const names[] = {"cpu", "cuda:0", "cuda:1", "cuda:1"};
    teeny_device *device;
    teeny_stream *stream;
    if (!good(teeny_device_open(names[choose(worker, 4)], &device), "open"))
        return;
    if (good(teeny_stream_create(device, &stream), "stream")) {
        add_on(worker, device, stream, NULL);
        teeny_stream_destroy(stream);
    }
    teeny_device_close(device);
}

static void load(worker *worker)
{
    const struct shared *with = &shared[choose(worker, KINDS)];
    const teeny_options options = choose_options(worker);
    teeny_function *function;
    if (!good(teeny_load(with->device, TEENY_KERNEL_OF(vector_add), &options, &function), "load"))
        return;
    add_on(worker, with->device, with->stream, function);
    teeny_unload(function);
}

static void run_here(void *user, unsigned count, void (*task)(void *argument), void *argument)
{
    (void)user;
    while (count--)
        task(argument);
}

static void use_executor(worker *worker)
{
    const teeny_executor executor = {.run = run_here, .threads = 1 + choose(worker, 3)};
    teeny_device *device;
    teeny_stream *stream;
    if (!good(teeny_device_open_on(&executor, &device), "executor"))
        return;
    if (good(teeny_stream_create(device, &stream), "stream")) {
        add_on(worker, device, stream, NULL);
        teeny_stream_destroy(stream);
    }
    teeny_device_close(device);
}

/* What is asked for wrongly is refused, in the midst of all else. */
static void be_wrong(worker *worker)
{
    const struct shared *with = &shared[choose(worker, KINDS)];
    teeny_device *device = NULL;
    expect(teeny_device_open("cuda:9", &device) == TEENY_NO_DEVICE, "cuda:9");
    expect(strstr(teeny_message(), "cuda:9") != NULL, "message");
    expect(TEENY_LAUNCH(vector_add, with->stream, teeny_grid1(-1), NULL, NULL, NULL, 0) ==
               TEENY_INVALID_GRID,
        "grid");
}

static void hear(teeny_log_level level, const char *line, void *context)
{
    (void)level;
    (void)line;
    (void)context;
}

static void change_log(worker *worker)
{
    teeny_set_log(choose(worker, 2) ? hear : NULL, worker);
}

/* The whole cache goes away under everybody's hands. */
static void remove_cache(worker *worker)
{
    char aside[sizeof cache + 32];
    if (choose(worker, 16))
        return;
    snprintf(aside, sizeof aside, "%s-%08x", cache, choose(worker, 1U << 30));
    if (rename(cache, aside) == 0)
        teeny_remove_tree(AT_FDCWD, aside);
}

static void (*const actions[])(worker *worker) = {
    compile,
    use_shared,
    use_shared,
    use_own,
    load,
    use_executor,
    be_wrong,
    change_log,
    remove_cache,
};

enum { ACTIONS = sizeof actions / sizeof actions[0] };

static atomic_uint done;

static void *work(void *argument)
{
    worker *worker = argument;
    while (!atomic_load(&ends) && !atomic_load(&failures)) {
        actions[choose(worker, ACTIONS)](worker);
        atomic_fetch_add(&done, 1);
    }
    return NULL;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void set_up(void)
{
    if (!mkdtemp(directory))
        exit(1);
    snprintf(cache, sizeof cache, "%s/cache", directory);
    setenv("TEENYC_PATH", FAKE_TEENYC_PATH, 1);
    setenv("TEENYC_CACHE_DIR", cache, 1);
    setenv("TEENY_LIBCUDA_PATH", STUB_CUDA_PATH, 1);
    setenv("STUB_DEVICES", "2", 1);
    setenv("TEENY_CPU_THREADS", "3", 1);
    setenv("TMPDIR", directory, 1);
    for (size_t i = 0; i < KINDS; i++) {
        struct shared *with = &shared[i];
        if (!good(teeny_device_open(with->name, &with->device), "open") ||
            !good(teeny_stream_create(with->device, &with->stream), "stream") ||
            !good(teeny_load(with->device, TEENY_KERNEL_OF(vector_add), NULL, &with->function),
                "load"))
            exit(1);
    }
}

static void take_down(void)
{
    for (size_t i = 0; i < KINDS; i++) {
        teeny_unload(shared[i].function);
        teeny_stream_destroy(shared[i].stream);
        teeny_device_close(shared[i].device);
    }
    teeny_remove_tree(AT_FDCWD, directory);
    int (*live)(void);
    void *stub = dlopen(STUB_CUDA_PATH, RTLD_NOW | RTLD_NOLOAD);
    *(void **)&live = stub ? dlsym(stub, "stub_live") : NULL;
    expect(live && live() == 0, "objects of the driver are left");
}

static void run(unsigned seconds, uint64_t seed)
{
    static worker workers[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].random = (seed + i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    for (unsigned i = 0; i < seconds && !atomic_load(&failures); i++)
        sleep(1);
    atomic_store(&ends, true);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
}

int main(int count, char **arguments)
{
    unsigned seconds = count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) : 20;
    uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 10) : (uint64_t)time(NULL);
    printf("hammer %u %llu\n", seconds, (unsigned long long)seed);
    fflush(stdout);
    alarm(seconds + 300); /* a deadlock */
    set_up();
    run(seconds, seed);
    take_down();
    printf("%u calls; %d passed, %d failed\n", atomic_load(&done), !failures, failures != 0);
    return failures != 0;
}
