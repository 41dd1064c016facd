/* Runs a file of random programs, each as a kernel and as plain C, and compares all memory.
 *
 *   PROGRAM [--device NAME] [--first N] [--reference]
 *
 * For each program one line on standard output: its name, `passed`, `refused` or `failed`, and why.
 * A kernel that does not end is failed after a while, and the process ends with status 3. With
 * --reference only the plain C runs: for sanitizers.
 */
#include "runner.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { PROGRAMS_IN_GRID = 4, SLICE = 4096, ELEMENTS = PROGRAMS_IN_GRID * SLICE };
enum { SECONDS = 120, SECONDS_OF_CPU = 3 }; /* a program may take: the compiler's are not its own */

static const unsigned element_sizes[RANDOM_BUFFERS] = {[RANDOM_bool] = 1,
    [RANDOM_i8] = 1,
    [RANDOM_i16] = 2,
    [RANDOM_i32] = 4,
    [RANDOM_i64] = 8,
    [RANDOM_u8] = 1,
    [RANDOM_u16] = 2,
    [RANDOM_u32] = 4,
    [RANDOM_u64] = 8,
    [RANDOM_f32] = 4,
    [RANDOM_f64] = 8};
static const char *const element_names[RANDOM_BUFFERS] = {
    "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"};

struct runner {
    teeny_device *device;
    teeny_stream *stream;
    teeny_buffer *buffers[RANDOM_BUFFERS];
    void *pointers[RANDOM_BUFFERS]; /* of the device */
    void *expected[RANDOM_BUFFERS], *got[RANDOM_BUFFERS];
};

/* ---- Contents ---------------------------------------------------------------------------------
 */

static u64 next_random(u64 *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Small numbers mostly, the edges of the type now and then. */
static u64 random_integer(u64 *state, unsigned bits)
{
    u64 random = next_random(state);
    const u64 edges[] = {0, UINT64_MAX, UINT64_C(1) << (bits - 1), (UINT64_C(1) << (bits - 1)) - 1};
    if (random % 16 == 0)
        return edges[random / 16 % 4];
    if (random % 16 == 1)
        return random / 16;
    return random / 16 % 24 - 8;
}

static f64 random_float(u64 *state)
{
    static const f64 special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e-40, 0.1, -3.5e9};
    u64 random = next_random(state);
    if (random % 16 == 0)
        return special[random / 16 % 8];
    return (f64)(i64)(random / 16 % 200 - 100) / 4.0;
}

static void fill(void *memory, int element, u64 *state)
{
    for (size_t i = 0; i < ELEMENTS; i++) {
        if (element == RANDOM_bool) {
            ((bool *)memory)[i] = next_random(state) % 2;
        } else if (element == RANDOM_f32) {
            ((f32 *)memory)[i] = (f32)random_float(state);
        } else if (element == RANDOM_f64) {
            ((f64 *)memory)[i] = random_float(state);
        } else {
            const u64 number = random_integer(state, 8 * element_sizes[element]);
            memcpy((char *)memory + i * element_sizes[element], &number, element_sizes[element]);
        }
    }
}

/* ---- Comparison -------------------------------------------------------------------------------
 */

/* Bit by bit, but that the bits of a NaN are nobody's. */
static bool is_same(int element, const void *expected, const void *got, size_t at)
{
    const unsigned size = element_sizes[element];
    const void *one = (const char *)expected + at * size, *other = (const char *)got + at * size;
    if (memcmp(one, other, size) == 0)
        return true;
    if (element == RANDOM_f32)
        return isnan(*(const f32 *)one) && isnan(*(const f32 *)other);
    return element == RANDOM_f64 && isnan(*(const f64 *)one) && isnan(*(const f64 *)other);
}

static void print_element(int element, const void *memory, size_t at)
{
    const char *place = (const char *)memory + at * element_sizes[element];
    if (element == RANDOM_f32) {
        printf("%.9g", (f64) * (const f32 *)place);
    } else if (element == RANDOM_f64) {
        printf("%.17g", *(const f64 *)place);
    } else {
        u64 bits = 0;
        memcpy(&bits, place, element_sizes[element]);
        printf("0x%llx", (unsigned long long)bits);
    }
}

/* Prints the result of a program whose memory is there twice. */
static void compare(const struct runner *runner, const char *name)
{
    for (int element = 0; element < RANDOM_BUFFERS; element++)
        for (size_t at = 0; at < ELEMENTS; at++) {
            if (is_same(element, runner->expected[element], runner->got[element], at))
                continue;
            printf("%s failed %s[%zu] of slice %zu is ", name, element_names[element], at % SLICE,
                at / SLICE);
            print_element(element, runner->got[element], at);
            printf(", not ");
            print_element(element, runner->expected[element], at);
            printf("\n");
            return;
        }
    printf("%s passed\n", name);
}

/* ---- Programs ---------------------------------------------------------------------------------
 */

static void require(teeny_status status)
{
    if (status == TEENY_OK)
        return;
    fprintf(stderr, "%s: %s\n", teeny_status_name(status), teeny_message());
    exit(2);
}

/* The message in one line, its error first. */
static void report_status(const char *name)
{
    const char *message = teeny_message(), *error = strstr(message, "error: ");
    message = error ? error + strlen("error: ") : message;
    const bool is_refused = strstr(message, "not built yet") != NULL;
    const int length = (int)strcspn(message, "\n");
    printf("%s %s %.*s\n", name, is_refused ? "refused" : "failed", length, message);
}

static const char *running;

static void limit_time(bool is_limited)
{
    const struct itimerval limit = {.it_value.tv_sec = is_limited ? SECONDS_OF_CPU : 0};
    setitimer(ITIMER_PROF, &limit, NULL);
    alarm(is_limited ? SECONDS : 0);
}

static void on_limit(int signal)
{
    (void)signal;
    static const char what[] = " failed does not end\n";
    const bool is_written = write(STDOUT_FILENO, running, strlen(running)) > 0 &&
                            write(STDOUT_FILENO, what, sizeof what - 1) > 0;
    _exit(is_written ? 3 : 4);
}

static size_t size_of(int element)
{
    return (size_t)ELEMENTS * element_sizes[element];
}

static void run_kernel(struct runner *runner, const struct random_program *program)
{
    for (int i = 0; i < RANDOM_BUFFERS; i++)
        require(teeny_buffer_write(
            runner->stream, runner->buffers[i], 0, runner->expected[i], size_of(i)));
    program->reference(runner->expected);
    teeny_status status = program->launch(runner->stream, runner->pointers);
    if (status == TEENY_OK)
        status = teeny_stream_synchronize(runner->stream);
    if (status != TEENY_OK) {
        report_status(program->name);
        return;
    }
    for (int i = 0; i < RANDOM_BUFFERS; i++)
        require(
            teeny_buffer_read(runner->stream, runner->buffers[i], 0, runner->got[i], size_of(i)));
    compare(runner, program->name);
}

static void run(struct runner *runner, const struct random_program *program)
{
    u64 state = program->seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    for (int i = 0; i < RANDOM_BUFFERS; i++)
        fill(runner->expected[i], i, &state);
    running = program->name;
    limit_time(true);
    if (runner->device) {
        run_kernel(runner, program);
    } else {
        program->reference(runner->expected);
        printf("%s passed\n", program->name);
    }
    limit_time(false);
    fflush(stdout);
}

static void open_device(struct runner *runner, const char *name)
{
    require(teeny_device_open(name, &runner->device));
    require(teeny_stream_create(runner->device, &runner->stream));
    for (int i = 0; i < RANDOM_BUFFERS; i++) {
        require(teeny_buffer_create(runner->device, size_of(i), &runner->buffers[i]));
        runner->pointers[i] = teeny_buffer_pointer(runner->buffers[i]);
    }
}

int main(int argc, char **argv)
{
    const char *device = "cpu";
    long first = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--device") == 0 && i + 1 < argc)
            device = argv[++i];
        else if (strcmp(argv[i], "--first") == 0 && i + 1 < argc)
            first = strtol(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--reference") == 0)
            device = NULL;
        else
            return fprintf(stderr, "what is '%s'?\n", argv[i]), 2;
    }
    static struct runner runner;
    for (int i = 0; i < RANDOM_BUFFERS; i++) {
        runner.expected[i] = malloc(size_of(i));
        runner.got[i] = malloc(size_of(i));
        if (!runner.expected[i] || !runner.got[i])
            return fprintf(stderr, "no memory\n"), 2;
    }
    if (device)
        open_device(&runner, device);
    signal(SIGALRM, on_limit);
    signal(SIGPROF, on_limit);
    for (const struct random_program *each = random_programs + first; each->name; each++)
        run(&runner, each);
    for (int i = 0; i < RANDOM_BUFFERS; i++) {
        teeny_buffer_destroy(runner.buffers[i]);
        free(runner.expected[i]);
        free(runner.got[i]);
    }
    teeny_stream_destroy(runner.stream);
    teeny_device_close(runner.device);
    return 0;
}
