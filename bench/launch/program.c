/* What libteeny costs a whole program: the start of one with a hundred kernels, launches a second
 * from one thread and from eight, and what it holds meanwhile; see README.md. */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <teeny/kernel.h>
#include <teeny/teeny.h>
#include <unistd.h>

#include "timing.h"

enum { KERNELS = 100, STARTS = 15, MOST_THREADS = 8, BATCH = 100 };

#define KERNEL(number)                                                                             \
    TEENY_KERNEL(                                                                                  \
        add_##number, (f32 * out, const f32 *x, const f32 *y, i32 n), META(BLOCK = 256), {         \
            tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);                \
            tl_store(out, i, tl_load(x, i, i < n) + (f32)number * tl_load(y, i, i < n), i < n);    \
        });
#define TEN(DO, ten)                                                                               \
    DO(ten##0)                                                                                     \
    DO(ten##1)                                                                                     \
    DO(ten##2) DO(ten##3) DO(ten##4) DO(ten##5) DO(ten##6) DO(ten##7) DO(ten##8) DO(ten##9)
#define HUNDRED(DO)                                                                                \
    TEN(DO, 10)                                                                                    \
    TEN(DO, 11)                                                                                    \
    TEN(DO, 12) TEN(DO, 13) TEN(DO, 14) TEN(DO, 15) TEN(DO, 16) TEN(DO, 17) TEN(DO, 18) TEN(DO, 19)
HUNDRED(KERNEL)

#define ADDRESS(number) TEENY_KERNEL_OF(add_##number),
static const teeny_kernel *const kernels[KERNELS] = {HUNDRED(ADDRESS)};

static void check(teeny_status status)
{
    if (status == TEENY_OK)
        return;
    fprintf(stderr, "%s: %s\n", teeny_status_name(status), teeny_message());
    exit(1);
}

/* ---- The start of a program ------------------------------------------------------------------ */

/* In a process of its own: prints the nanoseconds up to the first launch's end, and its parts. */
static void start_warm(const char *name)
{
    static float out[256], in[256];
    double begin = timing_now();
    teeny_device *device;
    teeny_stream *stream;
    check(teeny_device_open(name, &device));
    check(teeny_stream_create(device, &stream));
    double opened = timing_now();
    static teeny_function *functions[KERNELS];
    for (int i = 0; i < KERNELS; i++)
        check(teeny_load(device, kernels[i], NULL, &functions[i]));
    double loaded = timing_now();
    teeny_buffer *buffer;
    check(teeny_buffer_create(device, sizeof out + sizeof in, &buffer));
    f32 *to = teeny_buffer_pointer(buffer), *from = to + 256;
    check(teeny_buffer_write(stream, buffer, sizeof out, in, sizeof in));
    check(TEENY_LAUNCH(add_100, stream, teeny_grid1(1), to, from, from, 256));
    check(teeny_stream_synchronize(stream));
    double launched = timing_now();
    printf("%.0f %.0f %.0f %.0f\n", loaded - begin, opened - begin, loaded - opened,
        launched - loaded);
    exit(0); /* as programs end: with everything open */
}

static void time_starts(const char *self, const char *name)
{
    static timing parts[4];
    static const char *const names[] = {
        "100 kernels ready", "  device opened", "  100 loaded", "first launch"};
    char command[4096];
    snprintf(command, sizeof command, "'%s' --warm %s", self, name);
    for (int i = 0; i <= STARTS; i++) {
        double times[4];
        FILE *output = popen(command, "r");
        if (!output ||
            fscanf(output, "%lf %lf %lf %lf", &times[0], &times[1], &times[2], &times[3]) != 4 ||
            pclose(output) != 0)
            exit(1);
        for (int part = 0; part < 4 && i > 0; part++) /* the first one may have compiled */
            timing_add(&parts[part], times[part]);
    }
    for (int part = 0; part < 4; part++)
        timing_print(&parts[part], names[part]);
}

/* ---- Launches a second ----------------------------------------------------------------------- */

static teeny_device *device;
static int batches;

static void *launch_many(void *unused)
{
    teeny_stream *stream;
    teeny_buffer *buffer;
    check(teeny_stream_create(device, &stream));
    check(teeny_buffer_create(device, 512 * sizeof(f32), &buffer));
    f32 *to = teeny_buffer_pointer(buffer), *from = to + 256;
    for (int batch = 0; batch < batches; batch++) {
        for (int i = 0; i < BATCH; i++)
            check(TEENY_LAUNCH(add_100, stream, teeny_grid1(1), to, from, from, 256));
        check(teeny_stream_synchronize(stream));
    }
    teeny_buffer_destroy(buffer);
    teeny_stream_destroy(stream);
    return unused;
}

static double launches_a_second(int threads)
{
    pthread_t started[MOST_THREADS];
    double begin = timing_now();
    for (int i = 0; i < threads; i++)
        pthread_create(&started[i], NULL, launch_many, NULL);
    for (int i = 0; i < threads; i++)
        pthread_join(started[i], NULL);
    return (double)threads * batches * BATCH / ((timing_now() - begin) / 1e9);
}

static void time_rate(int threads)
{
    enum { ROUNDS = 9 };
    double rates[ROUNDS];
    batches = 400 / threads;
    for (int round = 0; round < ROUNDS; round++) {
        double rate = launches_a_second(threads);
        int at = round;
        for (; at > 0 && rates[at - 1] > rate; at--)
            rates[at] = rates[at - 1];
        rates[at] = rate;
    }
    printf("launches a second, %d thread%s  median %.0f, best %.0f\n", threads,
        threads == 1 ? " " : "s", rates[ROUNDS / 2], rates[ROUNDS - 1]);
}

/* ---- What is held ---------------------------------------------------------------------------- */

static int count_entries(const char *path)
{
    int count = 0;
    DIR *stream = opendir(path);
    for (const struct dirent *entry; stream && (entry = readdir(stream));)
        count += entry->d_name[0] != '.';
    if (stream)
        closedir(stream);
    return count;
}

static void print_held(const char *when)
{
    char children[64] = "";
    snprintf(children, sizeof children, "/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(children, "r");
    int processes = 0;
    for (int number; file && fscanf(file, "%d", &number) == 1;)
        processes++;
    if (file)
        fclose(file);
    printf("held %-22s  threads %d, descriptors %d, child processes %d\n", when,
        count_entries("/proc/self/task") - 1, count_entries("/proc/self/fd") - 1 - 3, processes);
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "--warm") == 0)
        start_warm(words[2]);
    const char *name = count > 1 ? words[1] : "auto";
    print_held("at the start");
    time_starts(words[0], name);
    check(teeny_device_open(name, &device));
    print_held("with a device open");
    batches = 1;
    launch_many(NULL);
    print_held("after launches");
    time_rate(1);
    time_rate(MOST_THREADS);
    teeny_device_close(device);
    print_held("after it is closed");
    return 0;
}
